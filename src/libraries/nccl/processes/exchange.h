// A rank's call, made with ranks of other processes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of a rank is in its own process only: the thread that makes the call copies its data to
// the segment, a piece at a time, and from there. It does all of this before the call, or the end
// of the group, returns, and waits for the stream before it copies. Calls of a group go on beside
// each other: each does what it can do now, and never waits.
#pragma once

#include "libraries/nccl/api/clique.h"
#include "libraries/nccl/processes/peers.h"

#include <memory>
#include <vector>

namespace gridspan::libraries::nccl::processes {

class Exchange {
 public:
  virtual ~Exchange() = default;
  /// Does what can be done now; true if that was something. Not after it is done.
  bool advance();
  /// Ranks that have to do something first.
  virtual std::vector<int> awaited() const = 0;
  /// Fails if one of these will never do it.
  void look_for_ended();
  /// They took too long.
  void give_up();

  bool is_done() const { return call_.is_done; }
  Peers& peers() const { return *peers_; }
  /// False: others' steps do not ring the bell of its peers.
  virtual bool is_woken() const { return true; }

 protected:
  Exchange(Call& call, std::shared_ptr<Peers> peers) : call_(call), peers_(std::move(peers)) {}
  /// As `advance`, which ends the call if the peers failed.
  virtual bool try_to_advance() = 0;
  bool finish(ncclResult_t result);
  bool fail_by_cuda(cudaError_t error);

  Call& call_;
  const std::shared_ptr<Peers> peers_;
};

/// The call's. It stays where it is until it is done.
std::shared_ptr<Exchange> begin_exchange(Call& call, std::shared_ptr<Peers> peers);

/// Until all are done.
void complete(std::vector<Exchange*> exchanges);

}  // namespace gridspan::libraries::nccl::processes
