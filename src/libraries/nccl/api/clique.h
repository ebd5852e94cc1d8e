// Ranks that communicate, and how calls of one process meet.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks' calls meet on the host: a call returns when every rank that it needs has made its own. The
// last of them begins the work on the device, as copies and kernels on its own stream, which waits
// for all ranks' streams; these wait for the work. No kernel waits for another one.
//
//     rank 0, stream a   ── ready ──┐            ┌── a goes on
//     rank 1, stream b   ── ready ──┴─ work ─────┴── b goes on
//
// If ranks are in several processes, all calls go through memory that these share, also between
// ranks of one process: processes/exchange.h.
#pragma once

#include "libraries/nccl/api/asked.h"
#include "libraries/nccl/api/operations.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gridspan::libraries::nccl {

using Deadline = std::chrono::steady_clock::time_point;

namespace processes {
class Exchange;
class Peers;
}  // namespace processes

class Clique;

/// One rank's call. It stays where it is until it is done.
struct Call : Asked {
  const char* name;                     // "ncclAllReduce"
  std::shared_ptr<Clique> clique = {};  // of the communicator, which may go meanwhile
  int rank = 0, device = 0;
  const void* from = nullptr;
  void* to = nullptr;
  const void* factor_on_device = nullptr;  // of pre_mul_sum; null: it is in `factor`
  cudaStream_t stream = nullptr;
  ncclComm_t* made = nullptr;  // of a split

  cudaEvent_t ready = nullptr;                         // what the stream had to do before
  std::shared_ptr<processes::Exchange> exchange = {};  // null: among ranks of this process
  std::shared_ptr<CUevent_st> done = {};  // what the thread's own stream has to wait for yet
  bool is_done = false;
  ncclResult_t result = ncclSuccess;
};

class Clique {
 public:
  /// With an identifier, its ranks may be in several processes.
  explicit Clique(int ranks, const std::optional<ncclUniqueId>& id = {})
      : id_(id), members_(static_cast<std::size_t>(ranks)), collectives_(members_.size()) {}

  int size() const { return static_cast<int>(members_.size()); }
  const std::optional<ncclUniqueId>& id() const { return id_; }
  /// False: the rank is there.
  bool join(ncclComm& comm);
  void leave(int rank);

  /// Lets other processes know of a rank that has joined, if not all are in this one.
  ncclResult_t announce(const char* name, int rank);
  /// Whether all ranks have joined, in all processes, or will not; empty: not yet.
  std::optional<ncclResult_t> met(const char* name, int rank);
  /// Until then.
  ncclResult_t wait_for_all(const char* name, int rank, Deadline deadline);
  /// Ranks that have not joined.
  std::vector<int> missing() const;

  /// Adds the rank's call; begins what can begin now. The call's own device is current.
  void post(Call& call);
  /// Waits until it is done, or nobody will do it until then.
  ncclResult_t wait(Call& call, Deadline deadline);
  /// Whoever waits here, or will, is told that this rank gave up.
  void abort(int rank);
  /// ncclSuccess, or why calls of the clique fail.
  ncclResult_t state();

 private:
  using Lock = std::unique_lock<std::mutex>;
  /// False: it took too long, or somebody gave up.
  template <class Condition>
  bool wait_until(Lock& lock, Deadline deadline, Condition condition) {
    return changed_.wait_until(lock, deadline, [&] { return condition() || is_aborted_; }) &&
           condition();
  }
  std::shared_ptr<processes::Peers> peers() const;
  ncclResult_t give_up_meeting(const char* name, int rank);
  void post_to(const std::shared_ptr<processes::Peers>& peers, Call& call);
  void begin_collective();
  void begin_pair(Call& send, Call& receive);
  void finish(const std::vector<Call*>& calls, ncclResult_t result);
  void withdraw(Call& call);
  std::string awaited_by(const Call& call) const;

  const std::optional<ncclUniqueId> id_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<ncclComm*> members_;                                     // by rank; null: not there
  std::vector<std::deque<Call*>> collectives_;                         // of each rank, in order
  std::map<std::pair<int, int>, std::deque<Call*>> sends_, receives_;  // by sender and receiver
  int joined_ = 0;
  bool all_came_ = false;  // to this process
  bool is_aborted_ = false;

  std::shared_ptr<processes::Peers> peers_;  // null: all ranks are, or may be, in this process
  std::string no_peers_;                     // why other processes cannot come
  bool is_shared_ = false;                   // all came, and some of them to other processes
};

}  // namespace gridspan::libraries::nccl

struct ncclComm {
  std::shared_ptr<gridspan::libraries::nccl::Clique> clique;
  int rank = 0, device = 0;
  gridspan::libraries::nccl::Operations operations;
};

namespace gridspan::libraries::nccl {

/// Says why a call fails: in the log, and to who asks for the last error.
void complain(const char* name, const std::string& why);
std::string last_complaint();

/// Seconds until a rank that does not call is an error; GRIDSPAN_NCCL_TIMEOUT.
double longest_wait();
/// So long from now.
Deadline next_deadline();

/// "rank 1, 2"
std::string names_of(const std::vector<int>& ranks);

/// Begins the work of a collective of which each rank has made its call, by rank, on the stream of
/// `host`, which waits for the others already.
cudaError_t begin_work(const std::vector<Call*>& calls, const Call& host);

}  // namespace gridspan::libraries::nccl
