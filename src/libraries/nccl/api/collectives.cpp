// Collectives and messages between two ranks: their arguments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/nccl/api/clique.h"
#include "libraries/nccl/api/group.h"
#include "libraries/nccl/api/second_names.h"
#include "libraries/support/live_objects.h"

#include <cstddef>
#include <limits>

namespace gridspan::libraries::nccl {
namespace {

constexpr ncclRedOp_t unknown_operation = ncclMaxRedOp;

bool is_root(const Call& call) { return call.rank == call.peer; }

bool has_peer(Kind kind) {
  return kind == Kind::reduce || kind == Kind::broadcast || kind == Kind::send ||
         kind == Kind::receive;
}

/// Why the call cannot be made, or null.
const char* problem(const Call& call) {
  if (!call.clique) return "not a communicator, or one that has been destroyed";
  if (call.type < 0 || call.type >= ncclNumTypes) return "an unknown type";
  if (call.op == unknown_operation)
    return "an unknown operation, or one that was made for another type";
  if (call.count > std::numeric_limits<std::ptrdiff_t>::max() / size_of(call.type) /
                       static_cast<std::size_t>(call.clique->size()))
    return "more elements than memory can hold";
  if (has_peer(call.kind) && (call.peer < 0 || call.peer >= call.clique->size()))
    return "the peer or root is none of the ranks";
  const bool reads = call.kind != Kind::receive && (call.kind != Kind::broadcast || is_root(call));
  const bool writes = call.kind != Kind::send && (call.kind != Kind::reduce || is_root(call));
  if (call.count > 0 && ((reads && !call.from) || (writes && !call.to))) return "a null buffer";
  return nullptr;
}

ncclResult_t check_and_make(const Call& call) {
  if (const char* why = problem(call)) {
    complain(call.name, why);
    return note_failure(ncclInvalidArgument);
  }
  // As NCCL: of collectives, the others need not know of it.
  const bool is_message = call.kind == Kind::send || call.kind == Kind::receive;
  if (call.count == 0 && !is_message) return ncclSuccess;
  return make_call(call);
}

Call call_of(Kind kind, const char* name, ncclComm_t comm, const void* from, void* to,
             std::size_t count, ncclDataType_t type, cudaStream_t stream) {
  Call call = call_of_rank(kind, name, comm);
  call.from = from;
  call.to = to;
  call.count = count;
  call.type = type;
  call.stream = stream;
  return call;
}

/// Takes from the communicator's operation all that the call needs: the program may end it.
void set_operation(Call& call, ncclComm_t comm, ncclRedOp_t op) {
  call.op = op;
  if (op >= 0 && op < ncclNumOps) return;
  call.op = unknown_operation;
  const auto made = call.clique ? comm->operations.find(op) : std::nullopt;
  if (!made || made->type != call.type) return;
  call.op = pre_mul_sum;
  call.factor = made->factor;
  call.factor_on_device = made->on_device;
}

}  // namespace
}  // namespace gridspan::libraries::nccl

using namespace gridspan::libraries::nccl;

extern "C" {

ncclResult_t ncclReduce(const void* sendbuff, void* recvbuff, size_t count, ncclDataType_t datatype,
                        ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t stream) {
  Call call =
      call_of(Kind::reduce, "ncclReduce", comm, sendbuff, recvbuff, count, datatype, stream);
  set_operation(call, comm, op);
  call.peer = root;
  return check_and_make(call);
}
GRIDSPAN_SECOND_NAME(ncclResult_t, Reduce,
                     (const void* sendbuff, void* recvbuff, size_t count, ncclDataType_t datatype,
                      ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t stream),
                     (sendbuff, recvbuff, count, datatype, op, root, comm, stream))

ncclResult_t ncclBroadcast(const void* sendbuff, void* recvbuff, size_t count,
                           ncclDataType_t datatype, int root, ncclComm_t comm,
                           cudaStream_t stream) {
  Call call =
      call_of(Kind::broadcast, "ncclBroadcast", comm, sendbuff, recvbuff, count, datatype, stream);
  call.peer = root;
  return check_and_make(call);
}
GRIDSPAN_SECOND_NAME(ncclResult_t, Broadcast,
                     (const void* sendbuff, void* recvbuff, size_t count, ncclDataType_t datatype,
                      int root, ncclComm_t comm, cudaStream_t stream),
                     (sendbuff, recvbuff, count, datatype, root, comm, stream))

ncclResult_t ncclBcast(void* buff, size_t count, ncclDataType_t datatype, int root, ncclComm_t comm,
                       cudaStream_t stream) {
  return ncclBroadcast(buff, buff, count, datatype, root, comm, stream);
}
GRIDSPAN_SECOND_NAME(ncclResult_t, Bcast,
                     (void* buff, size_t count, ncclDataType_t datatype, int root, ncclComm_t comm,
                      cudaStream_t stream),
                     (buff, count, datatype, root, comm, stream))

ncclResult_t ncclAllReduce(const void* sendbuff, void* recvbuff, size_t count,
                           ncclDataType_t datatype, ncclRedOp_t op, ncclComm_t comm,
                           cudaStream_t stream) {
  Call call =
      call_of(Kind::all_reduce, "ncclAllReduce", comm, sendbuff, recvbuff, count, datatype, stream);
  set_operation(call, comm, op);
  return check_and_make(call);
}
GRIDSPAN_SECOND_NAME(ncclResult_t, AllReduce,
                     (const void* sendbuff, void* recvbuff, size_t count, ncclDataType_t datatype,
                      ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream),
                     (sendbuff, recvbuff, count, datatype, op, comm, stream))

ncclResult_t ncclReduceScatter(const void* sendbuff, void* recvbuff, size_t recvcount,
                               ncclDataType_t datatype, ncclRedOp_t op, ncclComm_t comm,
                               cudaStream_t stream) {
  Call call = call_of(Kind::reduce_scatter, "ncclReduceScatter", comm, sendbuff, recvbuff,
                      recvcount, datatype, stream);
  set_operation(call, comm, op);
  return check_and_make(call);
}
GRIDSPAN_SECOND_NAME(ncclResult_t, ReduceScatter,
                     (const void* sendbuff, void* recvbuff, size_t recvcount,
                      ncclDataType_t datatype, ncclRedOp_t op, ncclComm_t comm,
                      cudaStream_t stream),
                     (sendbuff, recvbuff, recvcount, datatype, op, comm, stream))

ncclResult_t ncclAllGather(const void* sendbuff, void* recvbuff, size_t sendcount,
                           ncclDataType_t datatype, ncclComm_t comm, cudaStream_t stream) {
  return check_and_make(call_of(Kind::all_gather, "ncclAllGather", comm, sendbuff, recvbuff,
                                sendcount, datatype, stream));
}
GRIDSPAN_SECOND_NAME(ncclResult_t, AllGather,
                     (const void* sendbuff, void* recvbuff, size_t sendcount,
                      ncclDataType_t datatype, ncclComm_t comm, cudaStream_t stream),
                     (sendbuff, recvbuff, sendcount, datatype, comm, stream))

ncclResult_t ncclSend(const void* sendbuff, size_t count, ncclDataType_t datatype, int peer,
                      ncclComm_t comm, cudaStream_t stream) {
  Call call = call_of(Kind::send, "ncclSend", comm, sendbuff, nullptr, count, datatype, stream);
  call.peer = peer;
  return check_and_make(call);
}
GRIDSPAN_SECOND_NAME(ncclResult_t, Send,
                     (const void* sendbuff, size_t count, ncclDataType_t datatype, int peer,
                      ncclComm_t comm, cudaStream_t stream),
                     (sendbuff, count, datatype, peer, comm, stream))

ncclResult_t ncclRecv(void* recvbuff, size_t count, ncclDataType_t datatype, int peer,
                      ncclComm_t comm, cudaStream_t stream) {
  Call call = call_of(Kind::receive, "ncclRecv", comm, nullptr, recvbuff, count, datatype, stream);
  call.peer = peer;
  return check_and_make(call);
}
GRIDSPAN_SECOND_NAME(ncclResult_t, Recv,
                     (void* recvbuff, size_t count, ncclDataType_t datatype, int peer,
                      ncclComm_t comm, cudaStream_t stream),
                     (recvbuff, count, datatype, peer, comm, stream))

}  // extern "C"
