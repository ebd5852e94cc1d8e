// All calls are made before the first of them is waited for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/nccl/api/group.h"

#include "libraries/nccl/api/second_names.h"
#include "libraries/support/live_objects.h"

#include <list>

namespace gridspan::libraries::nccl {
namespace {

struct Group {
  int depth = 0;
  std::list<Call> calls;
  std::vector<ncclComm*> made;
};

Group& group() {
  static thread_local Group one;
  return one;
}

ncclResult_t run(std::list<Call>& calls) {
  for (Call& call : calls) call.comm->clique->post(call);
  ncclResult_t result = ncclSuccess;
  for (Call& call : calls) {
    // A split's communicator may be gone by then, the clique not.
    const std::shared_ptr<Clique> clique = call.comm->clique;
    const ncclResult_t one = clique->wait(call);
    if (result == ncclSuccess) result = one;
  }
  return result;
}

}  // namespace

ncclResult_t make_call(const Call& call) {
  Group& own = group();
  std::list<Call> alone;
  std::list<Call>& calls = own.depth > 0 ? own.calls : alone;
  calls.push_back(call);
  return own.depth > 0 ? ncclSuccess : run(calls);
}

ncclResult_t meet_others(ncclComm& comm) {
  Group& own = group();
  if (own.depth == 0) return comm.clique->wait_for_all(comm);
  own.made.push_back(&comm);
  return ncclSuccess;
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
  ncclResult_t result = ncclSuccess;
  for (ncclComm* comm : ended.made)
    if (const ncclResult_t one = comm->clique->wait_for_all(*comm); result == ncclSuccess)
      result = one;
  const ncclResult_t calls = run(ended.calls);
  return result == ncclSuccess ? calls : result;
}
GRIDSPAN_SECOND_NAME(ncclResult_t, GroupEnd, (), ())

}  // extern "C"
