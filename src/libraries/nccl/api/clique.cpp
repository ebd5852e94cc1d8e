// Who waits for whom.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/nccl/api/clique.h"

#include "libraries/nccl/api/on_device.h"
#include "libraries/nccl/api/split.h"
#include "libraries/nccl/processes/exchange.h"
#include "libraries/support/log.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace gridspan::libraries::nccl {
namespace {

/// Here it means the stream of the thread that makes the last call: each call's own thread has its
/// stream wait (Clique::wait).
bool is_of_thread(cudaStream_t stream) { return stream == cudaStreamPerThread; }

/// The streams of all calls go on behind what `host`'s stream has got. `begin` gives it work.
template <class Begin>
ncclResult_t run_between(const std::vector<Call*>& calls, const Call& host, Begin begin) {
  const OnDevice device(host.device);
  cudaError_t error = cudaSuccess;
  const auto check = [&](cudaError_t result) {
    if (error == cudaSuccess) error = result;
  };
  for (const Call* call : calls)
    if (call != &host || is_of_thread(call->stream))
      check(cudaStreamWaitEvent(host.stream, call->ready, 0));
  if (error == cudaSuccess) check(begin());
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  const std::shared_ptr<CUevent_st> done(event, [](cudaEvent_t made) {
    if (made) cudaEventDestroy(made);
  });
  if (error == cudaSuccess) check(cudaEventRecord(event, host.stream));
  for (Call* call : calls) {
    if (error != cudaSuccess) continue;
    if (is_of_thread(call->stream)) {
      call->done = done;
    } else if (call != &host) {
      const OnDevice others(call->device);
      check(cudaStreamWaitEvent(call->stream, event, 0));
    }
  }
  if (error == cudaSuccess) return ncclSuccess;
  complain(host.name, cudaGetErrorString(error));
  return ncclUnhandledCudaError;
}

}  // namespace

/// Never destroyed: a program's threads may call until it ends.
static std::mutex& last_mutex = *new std::mutex;
static std::string& last_text = *new std::string;

void complain(const char* name, const std::string& why) {
  {
    const std::scoped_lock lock(last_mutex);
    last_text = std::string(name) + ": " + why;
  }
  listen_to_log();
  support::log(support::LogLevel::error, "%s: %s", name, why.c_str());
}

std::string last_complaint() {
  const std::scoped_lock lock(last_mutex);
  return last_text;
}

double longest_wait() {
  constexpr double usual = 600;
  static const double seconds = [] {
    const char* text = std::getenv("GRIDSPAN_NCCL_TIMEOUT");
    if (!text || !*text) return usual;
    char* end = nullptr;
    const double wanted = std::strtod(text, &end);
    constexpr double most = 1e9;  // 30 years
    if (*end == '\0' && wanted > 0) return std::min(wanted, most);
    complain("GRIDSPAN_NCCL_TIMEOUT",
             std::string("'") + text + "': expected seconds; 600 are used");
    return usual;
  }();
  return seconds;
}

Deadline next_deadline() {
  using Clock = std::chrono::steady_clock;
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(longest_wait()));
}

std::string names_of(const std::vector<int>& ranks) {
  std::string names;
  for (const int rank : ranks) names += (names.empty() ? "rank " : ", ") + std::to_string(rank);
  return names;
}

bool Clique::join(ncclComm& comm) {
  const Lock lock(mutex_);
  ncclComm*& place = members_[static_cast<std::size_t>(comm.rank)];
  if (place) return false;
  place = &comm;
  all_came_ |= ++joined_ == size();
  changed_.notify_all();
  if (peers_) peers_->ring();
  return true;
}

void Clique::leave(int rank) {
  const Lock lock(mutex_);
  if (members_[static_cast<std::size_t>(rank)]) --joined_;
  members_[static_cast<std::size_t>(rank)] = nullptr;
  if (peers_) peers_->leave(rank);
}

std::vector<int> Clique::missing() const {
  const Lock lock(mutex_);
  std::vector<int> ranks;
  for (int rank = 0; rank < size(); ++rank)
    if (!members_[static_cast<std::size_t>(rank)] && !(peers_ && peers_->has_come(rank)))
      ranks.push_back(rank);
  return ranks;
}

std::shared_ptr<processes::Peers> Clique::peers() const {
  const Lock lock(mutex_);
  return peers_;
}

void Clique::finish(const std::vector<Call*>& calls, ncclResult_t result) {
  for (Call* call : calls) {
    if (call->ready) cudaEventDestroy(call->ready);
    call->ready = nullptr;
    call->result = result;
    call->is_done = true;
  }
  changed_.notify_all();
}

/// Every rank's next one is there.
void Clique::begin_collective() {
  std::vector<Call*> calls;
  for (std::deque<Call*>& queue : collectives_) {
    calls.push_back(queue.front());
    queue.pop_front();
  }
  for (const Call* call : calls)
    if (const std::string what = difference(*calls.front(), *call); !what.empty()) {
      complain(calls.front()->name, "rank 0 and rank " + std::to_string(call->rank) +
                                        " do not agree: " + what + " differs");
      return finish(calls, ncclInvalidUsage);
    }
  if (calls.front()->kind == Kind::split) return finish(calls, split(calls));
  const Call& host = *calls.front();
  finish(calls, run_between(calls, host, [&] { return begin_work(calls, host); }));
}

void Clique::begin_pair(Call& send, Call& receive) {
  if (send.count != receive.count || send.type != receive.type) {
    complain("ncclSend", "rank " + std::to_string(send.rank) +
                             " sends another count or type than rank " +
                             std::to_string(receive.rank) + " receives");
    return finish({&send, &receive}, ncclInvalidUsage);
  }
  const std::size_t bytes = send.count * size_of(send.type);
  finish({&send, &receive}, run_between({&send, &receive}, receive, [&] {
           return bytes == 0 || send.from == receive.to
                      ? cudaSuccess
                      : cudaMemcpyAsync(receive.to, send.from, bytes, cudaMemcpyDeviceToDevice,
                                        receive.stream);
         }));
}

void Clique::post(Call& call) {
  const Lock lock(mutex_);
  if (is_shared_) return post_to(peers_, call);
  if (call.kind != Kind::split) {
    const OnDevice device(call.device);
    cudaError_t error = cudaEventCreateWithFlags(&call.ready, cudaEventDisableTiming);
    if (error == cudaSuccess) error = cudaEventRecord(call.ready, call.stream);
    if (error != cudaSuccess) {
      complain(call.name, cudaGetErrorString(error));
      return finish({&call}, ncclUnhandledCudaError);
    }
  }
  if (is_aborted_) return finish({&call}, ncclInternalError);
  const int rank = call.rank;
  if (call.kind == Kind::send || call.kind == Kind::receive) {
    const bool sends = call.kind == Kind::send;
    const std::pair pair = sends ? std::pair(rank, call.peer) : std::pair(call.peer, rank);
    std::deque<Call*>& others = (sends ? receives_ : sends_)[pair];
    if (others.empty()) return (sends ? sends_ : receives_)[pair].push_back(&call);
    Call& other = *others.front();
    others.pop_front();
    return sends ? begin_pair(call, other) : begin_pair(other, call);
  }
  collectives_[static_cast<std::size_t>(rank)].push_back(&call);
  if (std::ranges::none_of(collectives_, [](const auto& queue) { return queue.empty(); }))
    begin_collective();
}

/// Nobody may find it any more.
void Clique::withdraw(Call& call) {
  const auto take = [&](std::deque<Call*>& queue) { std::erase(queue, &call); };
  for (std::deque<Call*>& queue : collectives_) take(queue);
  for (auto* pairs : {&sends_, &receives_})
    for (auto& [pair, queue] : *pairs) take(queue);
}

std::string Clique::awaited_by(const Call& call) const {
  if (call.kind == Kind::send || call.kind == Kind::receive) return names_of({call.peer});
  std::vector<int> ranks;
  for (std::size_t rank = 0; rank < collectives_.size(); ++rank)
    if (collectives_[rank].empty()) ranks.push_back(static_cast<int>(rank));
  return names_of(ranks);
}

ncclResult_t Clique::wait(Call& call, Deadline deadline) {
  Lock lock(mutex_);
  if (wait_until(lock, deadline, [&] { return call.is_done; })) {
    lock.unlock();
    if (!call.done || call.result != ncclSuccess) return call.result;
    const OnDevice device(call.device);
    const cudaError_t error = cudaStreamWaitEvent(call.stream, call.done.get(), 0);
    if (error == cudaSuccess) return ncclSuccess;
    complain(call.name, cudaGetErrorString(error));
    return ncclUnhandledCudaError;
  }
  if (!is_aborted_)
    complain(call.name, "rank " + std::to_string(call.rank) + " of " + std::to_string(size()) +
                            " waited " + std::to_string(static_cast<int>(longest_wait())) +
                            " s for " + awaited_by(call) + " (GRIDSPAN_NCCL_TIMEOUT)");
  withdraw(call);
  finish({&call}, is_aborted_ ? ncclInternalError : ncclRemoteError);
  return call.result;
}

void Clique::abort(int rank) {
  const Lock lock(mutex_);
  is_aborted_ = true;
  if (peers_) peers_->fail(processes::Failure::aborted, rank);
  changed_.notify_all();
}

ncclResult_t Clique::state() {
  const Lock lock(mutex_);
  if (is_aborted_) return ncclInternalError;
  if (!is_shared_) return ncclSuccess;
  if (const ncclResult_t result = peers_->result(); result != ncclSuccess) return result;
  return peers_->has_ended_rank() ? ncclRemoteError : ncclSuccess;  // calls of the others go on
}

}  // namespace gridspan::libraries::nccl
