// All calls are made before the first of them is waited for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/nccl/api/group.h"

#include "libraries/nccl/api/second_names.h"
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

ncclResult_t run(std::list<Call>& calls, Deadline deadline) {
  for (Call& call : calls) call.clique->post(call);
  ncclResult_t result = ncclSuccess;
  for (Call& call : calls) {
    const ncclResult_t one = call.clique->wait(call, deadline);
    if (result == ncclSuccess) result = one;
  }
  return result;
}

}  // namespace

Call call_of_rank(Kind kind, const char* name, const ncclComm* comm) {
  Call call{kind, name};
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
  return own.depth > 0 ? ncclSuccess : run(calls, next_deadline());
}

ncclResult_t meet_others(const ncclComm& comm) {
  Group& own = group();
  if (own.depth == 0) return comm.clique->wait_for_all(comm.rank, next_deadline());
  own.made.push_back({comm.clique, comm.rank});
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

ncclResult_t ncclGroupEnd() {
  Group& own = group();
  if (own.depth == 0) {
    complain("ncclGroupEnd", "no group has been started");
    return ncclInvalidUsage;
  }
  if (--own.depth > 0) return ncclSuccess;
  Group ended;
  std::swap(ended, own);
  if (ended.failure != ncclSuccess) return ended.failure;
  const Deadline deadline = next_deadline();
  ncclResult_t result = ncclSuccess;
  for (const auto& [clique, rank] : ended.made)
    if (const ncclResult_t one = clique->wait_for_all(rank, deadline); result == ncclSuccess)
      result = one;
  const ncclResult_t calls = run(ended.calls, deadline);
  return result == ncclSuccess ? calls : result;
}
GRIDSPAN_SECOND_NAME(ncclResult_t, GroupEnd, (), ())

}  // extern "C"
