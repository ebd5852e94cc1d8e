// Carries on with calls until all are done, and gives up.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/nccl/processes/exchange.h"

#include "libraries/nccl/processes/bell.h"
#include "libraries/nccl/processes/exchanges.h"

#include <sched.h>

#include <algorithm>
#include <utility>

namespace gridspan::libraries::nccl::processes {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Often enough for an error that comes at once; looking costs some files' reading.
constexpr milliseconds between_looks{100};
/// When something else than the bell may be what is waited for.
constexpr milliseconds short_sleep{1};
/// Others are often in the middle of a piece.
constexpr int looks_before_sleep = 30;

bool try_all(const std::vector<Exchange*>& exchanges) {
  bool any = false;
  for (Exchange* exchange : exchanges) any |= exchange->advance();
  return any;
}

/// Of the first: its bell, if it is the only one.
void sleep_for(const std::vector<Exchange*>& exchanges, std::uint32_t heard) {
  const Exchange& first = *exchanges.front();
  const bool rings = std::ranges::all_of(exchanges, [&](const Exchange* exchange) {
    return exchange->is_woken() && &exchange->peers() == &first.peers();
  });
  sleep_until_ring(first.peers().segment().header(), heard, rings ? between_looks : short_sleep);
}

}  // namespace

std::shared_ptr<Exchange> begin_exchange(Call& call, std::shared_ptr<Peers> peers) {
  if (call.kind == Kind::split) return begin_split(call, std::move(peers));
  if (call.kind == Kind::send || call.kind == Kind::receive)
    return begin_message(call, std::move(peers));
  return begin_collective(call, std::move(peers));
}

/// Data that is there is taken first: a rank that is through may abort what others end with.
bool Exchange::advance() {
  if (try_to_advance()) return true;
  if (peers_->failure() == Failure::none) return false;
  if (peers_->is_first_report())
    complain(call_.name, "rank " + std::to_string(call_.rank) + ": " + peers_->report());
  return finish(peers_->result());
}

bool Exchange::finish(ncclResult_t result) {
  call_.result = result;
  call_.is_done = true;
  return true;
}

bool Exchange::fail_by_cuda(cudaError_t error) {
  complain(call_.name, "rank " + std::to_string(call_.rank) + ": " + cudaGetErrorString(error));
  static_cast<void>(peers_->is_first_report());
  peers_->fail(Failure::broken, call_.rank);
  return finish(ncclUnhandledCudaError);
}

void Exchange::look_for_ended() {
  for (const int rank : awaited()) {
    const Failure ending = peers_->ending_of(rank);
    // What it had done before it ended is enough if it is awaited no more.
    if (ending == Failure::none || std::ranges::count(awaited(), rank) == 0) continue;
    return peers_->fail(ending, rank);
  }
}

void Exchange::give_up() {
  const std::vector<int> missing = awaited();
  if (missing.empty() || peers_->failure() != Failure::none) return;
  if (peers_->is_first_report())
    complain(call_.name, "rank " + std::to_string(call_.rank) + " of " +
                             std::to_string(peers_->size()) + " waited " +
                             std::to_string(static_cast<int>(longest_wait())) + " s for " +
                             names_of(missing) + " (GRIDSPAN_NCCL_TIMEOUT)");
  peers_->fail(Failure::missing, missing.front());
}

void complete(std::vector<Exchange*> exchanges) {
  int idle = 0;
  Clock::time_point looked = Clock::now();
  Deadline deadline = next_deadline();
  while (true) {
    std::erase_if(exchanges, [](const Exchange* exchange) { return exchange->is_done(); });
    if (exchanges.empty()) return;
    const std::uint32_t before = heard(exchanges.front()->peers().segment().header());
    if (try_all(exchanges)) {
      idle = 0;
      deadline = next_deadline();
      continue;
    }
    if (++idle < looks_before_sleep) {
      sched_yield();
      continue;
    }
    const Clock::time_point now = Clock::now();
    if (now - looked > between_looks) {
      looked = now;
      for (Exchange* exchange : exchanges) exchange->look_for_ended();
    }
    if (now > deadline)
      for (Exchange* exchange : exchanges) exchange->give_up();
    sleep_for(exchanges, before);
  }
}

}  // namespace gridspan::libraries::nccl::processes
