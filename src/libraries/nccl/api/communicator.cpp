// Communicators: made, asked, ended.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/nccl/api/clique.h"
#include "libraries/nccl/api/group.h"
#include "libraries/nccl/api/ranks.h"
#include "libraries/nccl/api/second_names.h"
#include "libraries/support/live_objects.h"

#include <algorithm>

namespace gridspan::libraries::nccl {
namespace {

ncclResult_t refuse(const char* name, const char* why, ncclResult_t result = ncclInvalidArgument) {
  complain(name, why);
  return note_failure(result);
}

ncclResult_t begin_rank(ncclComm_t* comm, int ranks, const ncclUniqueId& id, int rank) {
  constexpr const char* name = "ncclCommInitRank";
  if (!comm) return refuse(name, "no place for the communicator");
  if (ranks < 1 || rank < 0 || rank >= ranks)
    return refuse(name, "the rank is not one of the ranks");
  constexpr int most_ranks = 4096;  // of one machine
  if (ranks > most_ranks) return refuse(name, "there are at most 4096 ranks");
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return ncclUnhandledCudaError;
  if (const ncclResult_t made = make_rank(name, comm, ranks, id, rank, device); made != ncclSuccess)
    return note_failure(made);
  const ncclResult_t met = meet_others(**comm);
  if (met != ncclSuccess) drop_rank(comm);
  return met;
}

ncclResult_t make_all(ncclComm_t* comms, int count, const int* devices) {
  constexpr const char* name = "ncclCommInitAll";
  int there_are = 0;
  if (cudaGetDeviceCount(&there_are) != cudaSuccess) return ncclUnhandledCudaError;
  if (!comms || count < 1) return refuse(name, "no communicators are asked for");
  std::vector<int> list(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) list[static_cast<std::size_t>(i)] = devices ? devices[i] : i;
  for (const int device : list) {
    if (device < 0 || device >= there_are)
      return refuse(name, "a device is not there (GRIDSPAN_VIRTUAL_GPUS makes several)");
    if (std::ranges::count(list, device) > 1)
      return refuse(name, "a device is named twice", ncclInvalidUsage);
  }
  const auto clique = std::make_shared<Clique>(count);
  for (int rank = 0; rank < count; ++rank)
    if (const ncclResult_t made =
            make_rank_of(name, &comms[rank], clique, rank, list[static_cast<std::size_t>(rank)]);
        made != ncclSuccess)
      return note_failure(made);
  return ncclSuccess;
}

ncclResult_t end(const char* name, ncclComm_t comm, bool aborts) {
  if (!comm) return ncclSuccess;
  if (!is_live(comm)) return refuse(name, "not a communicator, or one that has been destroyed");
  const std::shared_ptr<Clique> clique = comm->clique;
  if (aborts) clique->abort(comm->rank);
  clique->leave(comm->rank);
  live<ncclComm>().destroy(comm);
  return ncclSuccess;
}

template <typename Number>
ncclResult_t tell(const char* name, ncclComm_t comm, Number* into, Number (*ask)(const ncclComm&)) {
  if (!is_live(comm) || !into)
    return refuse(name, "not a communicator, or no place for the answer");
  *into = ask(*comm);
  return ncclSuccess;
}

}  // namespace
}  // namespace gridspan::libraries::nccl

using namespace gridspan::libraries::nccl;
using gridspan::libraries::is_live;

extern "C" {

ncclResult_t ncclCommInitRank(ncclComm_t* comm, int nranks, ncclUniqueId commId, int rank) {
  return begin_rank(comm, nranks, commId, rank);
}
GRIDSPAN_SECOND_NAME(ncclResult_t, CommInitRank,
                     (ncclComm_t * comm, int nranks, ncclUniqueId commId, int rank),
                     (comm, nranks, commId, rank))

/// What a configuration asks for makes no difference here.
ncclResult_t ncclCommInitRankConfig(ncclComm_t* comm, int nranks, ncclUniqueId commId, int rank,
                                    ncclConfig_t*) {
  return begin_rank(comm, nranks, commId, rank);
}
GRIDSPAN_SECOND_NAME(ncclResult_t, CommInitRankConfig,
                     (ncclComm_t * comm, int nranks, ncclUniqueId commId, int rank,
                      ncclConfig_t* config),
                     (comm, nranks, commId, rank, config))

ncclResult_t ncclCommInitAll(ncclComm_t* comm, int ndev, const int* devlist) {
  return make_all(comm, ndev, devlist);
}
GRIDSPAN_SECOND_NAME(ncclResult_t, CommInitAll, (ncclComm_t * comm, int ndev, const int* devlist),
                     (comm, ndev, devlist))

ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t* newcomm,
                           ncclConfig_t*) {
  if (!is_live(comm) || !newcomm || (color < 0 && color != NCCL_SPLIT_NOCOLOR))
    return refuse("ncclCommSplit",
                  "not a communicator, a negative color, or no place for the new one");
  Call call = call_of_rank(Kind::split, "ncclCommSplit", comm);
  call.color = color;
  call.key = key;
  call.made = newcomm;
  return make_call(call);
}
GRIDSPAN_SECOND_NAME(ncclResult_t, CommSplit,
                     (ncclComm_t comm, int color, int key, ncclComm_t* newcomm,
                      ncclConfig_t* config),
                     (comm, color, key, newcomm, config))

ncclResult_t ncclCommFinalize(ncclComm_t comm) {
  return is_live(comm) ? ncclSuccess : refuse("ncclCommFinalize", "not a communicator");
}
GRIDSPAN_SECOND_NAME(ncclResult_t, CommFinalize, (ncclComm_t comm), (comm))

ncclResult_t ncclCommDestroy(ncclComm_t comm) { return end("ncclCommDestroy", comm, false); }
GRIDSPAN_SECOND_NAME(ncclResult_t, CommDestroy, (ncclComm_t comm), (comm))

ncclResult_t ncclCommAbort(ncclComm_t comm) { return end("ncclCommAbort", comm, true); }
GRIDSPAN_SECOND_NAME(ncclResult_t, CommAbort, (ncclComm_t comm), (comm))

ncclResult_t ncclCommCount(const ncclComm_t comm, int* count) {
  return tell<int>("ncclCommCount", comm, count,
                   [](const ncclComm& one) { return one.clique->size(); });
}
GRIDSPAN_SECOND_NAME(ncclResult_t, CommCount, (const ncclComm_t comm, int* count), (comm, count))

ncclResult_t ncclCommCuDevice(const ncclComm_t comm, int* device) {
  return tell<int>("ncclCommCuDevice", comm, device,
                   [](const ncclComm& one) { return one.device; });
}
GRIDSPAN_SECOND_NAME(ncclResult_t, CommCuDevice, (const ncclComm_t comm, int* device),
                     (comm, device))

ncclResult_t ncclCommUserRank(const ncclComm_t comm, int* rank) {
  return tell<int>("ncclCommUserRank", comm, rank, [](const ncclComm& one) { return one.rank; });
}
GRIDSPAN_SECOND_NAME(ncclResult_t, CommUserRank, (const ncclComm_t comm, int* rank), (comm, rank))

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* asyncError) {
  return tell<ncclResult_t>("ncclCommGetAsyncError", comm, asyncError,
                            [](const ncclComm& one) { return one.clique->state(); });
}
GRIDSPAN_SECOND_NAME(ncclResult_t, CommGetAsyncError, (ncclComm_t comm, ncclResult_t* asyncError),
                     (comm, asyncError))

/// All memory serves as well.
ncclResult_t ncclCommRegister(const ncclComm_t comm, void* buff, size_t, void** handle) {
  if (!is_live(comm) || !handle)
    return refuse("ncclCommRegister", "not a communicator, or no handle");
  *handle = buff;
  return ncclSuccess;
}
GRIDSPAN_SECOND_NAME(ncclResult_t, CommRegister,
                     (const ncclComm_t comm, void* buff, size_t size, void** handle),
                     (comm, buff, size, handle))

ncclResult_t ncclCommDeregister(const ncclComm_t comm, void*) {
  return is_live(comm) ? ncclSuccess : refuse("ncclCommDeregister", "not a communicator");
}
GRIDSPAN_SECOND_NAME(ncclResult_t, CommDeregister, (const ncclComm_t comm, void* handle),
                     (comm, handle))

}  // extern "C"
