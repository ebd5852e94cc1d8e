// Ranks of one process that communicate, and how their calls meet.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks' calls meet on the host: a call returns when every rank that it needs has made its own. The
// last of them begins the work on the device, as copies and kernels on its own stream, which waits
// for all ranks' streams; these wait for the work. No kernel waits for another one.
//
//     rank 0, stream a   ── ready ──┐            ┌── a goes on
//     rank 1, stream b   ── ready ──┴─ work ─────┴── b goes on
#pragma once

#include <nccl.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace gridspan::libraries::nccl {

using Deadline = std::chrono::steady_clock::time_point;

enum class Kind { reduce, broadcast, all_reduce, reduce_scatter, all_gather, send, receive, split };

class Clique;

/// One rank's call. It stays where it is until it is done.
struct Call {
  Kind kind;
  const char* name;                     // "ncclAllReduce"
  std::shared_ptr<Clique> clique = {};  // of the communicator, which may go meanwhile
  int rank = 0, device = 0;
  const void* from = nullptr;
  void* to = nullptr;
  std::size_t count = 0;
  ncclDataType_t type = ncclInt8;
  ncclRedOp_t op = ncclSum;
  int peer = 0;  // or root
  cudaStream_t stream = nullptr;
  int color = 0, key = 0;  // of a split
  ncclComm_t* made = nullptr;

  cudaEvent_t ready = nullptr;  // what the stream had to do before
  bool is_done = false;
  ncclResult_t result = ncclSuccess;
};

class Clique {
 public:
  explicit Clique(int ranks)
      : members_(static_cast<std::size_t>(ranks)), collectives_(members_.size()) {}

  int size() const { return static_cast<int>(members_.size()); }
  /// False: the rank is there.
  bool join(ncclComm& comm);
  void leave(int rank);

  /// Waits until all ranks have joined.
  ncclResult_t wait_for_all(int rank, Deadline deadline);
  /// Adds the rank's call; begins what can begin now. The call's own device is current.
  void post(Call& call);
  /// Waits until it is done, or nobody will do it until then.
  ncclResult_t wait(Call& call, Deadline deadline);
  /// Whoever waits here, or will, is told that this failed.
  void abort();
  bool is_aborted() const;

 private:
  using Lock = std::unique_lock<std::mutex>;
  template <class Condition>
  bool wait_until(Lock& lock, Deadline deadline, Condition condition);
  void begin_collective();
  void begin_pair(Call& send, Call& receive);
  void finish(const std::vector<Call*>& calls, ncclResult_t result);
  void withdraw(Call& call);
  std::string missing_ranks(const Call& call) const;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<ncclComm*> members_;                                     // by rank; null: not there
  std::vector<std::deque<Call*>> collectives_;                         // of each rank, in order
  std::map<std::pair<int, int>, std::deque<Call*>> sends_, receives_;  // by sender and receiver
  int joined_ = 0;
  bool all_came_ = false;
  bool is_aborted_ = false;
};

}  // namespace gridspan::libraries::nccl

struct ncclComm {
  std::shared_ptr<gridspan::libraries::nccl::Clique> clique;
  int rank = 0, device = 0;
};

namespace gridspan::libraries::nccl {

/// Says why a call fails: in the log, and to who asks for the last error.
void complain(const char* name, const std::string& why);
std::string last_complaint();

/// Seconds until a rank that does not call is an error; GRIDSPAN_NCCL_TIMEOUT.
double longest_wait();
/// So long from now.
Deadline next_deadline();

/// Bytes of an element.
std::size_t size_of(ncclDataType_t type);

/// Begins the work of a collective of which each rank has made its call, by rank, on the stream of
/// `host`, which waits for the others already.
cudaError_t begin_work(const std::vector<Call*>& calls, const Call& host);

}  // namespace gridspan::libraries::nccl
