// All calls are made before the first of them is waited for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/nccl/api/group.h"

#include "libraries/nccl/api/ranks.h"
#include "libraries/nccl/api/second_names.h"
#include "libraries/nccl/processes/exchange.h"
#include "libraries/support/live_objects.h"

#include <list>

namespace gridspan::libraries::nccl {
namespace {

struct Group {
  struct Made {
    std::shared_ptr<Clique> clique;
    int rank;
  };
  int depth = 0;
  std::list<Call> calls;
  std::vector<Made> made;
  ncclResult_t failure = ncclSuccess;  // of the first call that failed
};

Group& group() {
  static thread_local Group one;
  return one;
}

/// Calls to other processes need this thread, so they come first; others begin them while it waits.
ncclResult_t run(std::list<Call>& calls) {
  for (Call& call : calls) call.clique->post(call);
  std::vector<processes::Exchange*> exchanges;
  for (const Call& call : calls)
    if (call.exchange) exchanges.push_back(call.exchange.get());
  processes::complete(std::move(exchanges));
  const Deadline deadline = next_deadline();
  ncclResult_t result = ncclSuccess;
  for (Call& call : calls) {
    const ncclResult_t one = call.clique->wait(call, deadline);
    if (result == ncclSuccess) result = one;
  }
  return result;
}

/// All are announced before the first waits: others may wait for them in another order.
ncclResult_t run(const std::vector<Group::Made>& made) {
  constexpr const char* name = "ncclCommInitRank";
  ncclResult_t result = ncclSuccess;
  for (const auto& [clique, rank] : made)
    if (const ncclResult_t one = clique->announce(name, rank); result == ncclSuccess) result = one;
  if (result != ncclSuccess) {
    for (const auto& [clique, rank] : made) forget(*clique);
    return result;
  }
  const Deadline deadline = next_deadline();
  for (const auto& [clique, rank] : made)
    if (const ncclResult_t one = meet(name, *clique, rank, deadline); result == ncclSuccess)
      result = one;
  return result;
}

/// As if each byte that a rank writes took its time on memory that all ranks share.
float estimate(const Call& call) {
  constexpr float start = 20, bytes_a_microsecond = 8000;
  const bool is_of_all = call.kind == Kind::all_gather || call.kind == Kind::reduce_scatter;
  const float bytes = static_cast<float>(call.count * size_of(call.type)) *
                      static_cast<float>(is_of_all ? call.clique->size() : 1);
  return start + bytes / bytes_a_microsecond;
}

/// With `simulated`, collectives and messages are not made.
ncclResult_t end_group(const char* name, ncclSimInfo_t* simulated) {
  Group& own = group();
  if (own.depth == 0) {
    complain(name, "no group has been started");
    return ncclInvalidUsage;
  }
  if (--own.depth > 0) return ncclSuccess;
  Group ended;
  std::swap(ended, own);
  if (ended.failure != ncclSuccess) {
    for (const auto& [clique, rank] : ended.made) forget(*clique);
    return ended.failure;
  }
  if (simulated) {
    simulated->estimatedTime = 0;
    for (const Call& call : ended.calls)
      if (call.kind != Kind::split) simulated->estimatedTime += estimate(call);
    std::erase_if(ended.calls, [](const Call& call) { return call.kind != Kind::split; });
  }
  if (const ncclResult_t made = run(ended.made); made != ncclSuccess) return made;
  return run(ended.calls);
}

}  // namespace

Call call_of_rank(Kind kind, const char* name, const ncclComm* comm) {
  Call call{{kind}, name};
  if (!is_live(comm)) return call;
  call.clique = comm->clique;
  call.rank = comm->rank;
  call.device = comm->device;
  return call;
}

ncclResult_t make_call(const Call& call) {
  Group& own = group();
  std::list<Call> alone;
  std::list<Call>& calls = own.depth > 0 ? own.calls : alone;
  calls.push_back(call);
  return own.depth > 0 ? ncclSuccess : run(calls);
}

ncclResult_t meet_others(const ncclComm& comm) {
  Group& own = group();
  const std::vector<Group::Made> made = {{comm.clique, comm.rank}};
  if (own.depth == 0) return run(made);
  own.made.push_back(made.front());
  return ncclSuccess;
}

ncclResult_t note_failure(ncclResult_t result) {
  Group& own = group();
  if (own.depth > 0 && own.failure == ncclSuccess) own.failure = result;
  return result;
}

}  // namespace gridspan::libraries::nccl

using namespace gridspan::libraries::nccl;

extern "C" {

ncclResult_t ncclGroupStart() {
  ++group().depth;
  return ncclSuccess;
}
GRIDSPAN_SECOND_NAME(ncclResult_t, GroupStart, (), ())

ncclResult_t ncclGroupEnd() { return end_group("ncclGroupEnd", nullptr); }
GRIDSPAN_SECOND_NAME(ncclResult_t, GroupEnd, (), ())

/// In microseconds. A group within another one is not at its end.
ncclResult_t ncclGroupSimulateEnd(ncclSimInfo_t* simInfo) {
  constexpr ncclSimInfo_t as_begun = NCCL_SIM_INFO_INITIALIZER;
  if (simInfo && simInfo->magic == as_begun.magic)
    return end_group("ncclGroupSimulateEnd", simInfo);
  complain("ncclGroupSimulateEnd", "no place for the answer, or not NCCL_SIM_INFO_INITIALIZER's");
  return ncclInvalidArgument;
}
GRIDSPAN_SECOND_NAME(ncclResult_t, GroupSimulateEnd, (ncclSimInfo_t * simInfo), (simInfo))

}  // extern "C"
