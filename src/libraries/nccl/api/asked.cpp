// Names and sizes, and whether two ranks ask for the same.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/nccl/api/asked.h"

namespace gridspan::libraries::nccl {

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::reduce:
      return "ncclReduce";
    case Kind::broadcast:
      return "ncclBroadcast";
    case Kind::all_reduce:
      return "ncclAllReduce";
    case Kind::reduce_scatter:
      return "ncclReduceScatter";
    case Kind::all_gather:
      return "ncclAllGather";
    case Kind::send:
      return "ncclSend";
    case Kind::receive:
      return "ncclRecv";
    case Kind::split:
      return "ncclCommSplit";
  }
  return "nccl";
}

std::size_t size_of(ncclDataType_t type) {
  switch (type) {
    case ncclInt32:
    case ncclUint32:
    case ncclFloat32:
      return 4;
    case ncclInt64:
    case ncclUint64:
    case ncclFloat64:
      return 8;
    case ncclFloat16:
    case ncclBfloat16:
      return 2;
    default:
      return 1;
  }
}

std::string difference(const Asked& a, const Asked& b) {
  const bool has_root = a.kind == Kind::broadcast || a.kind == Kind::reduce;
  if (a.kind != b.kind) return std::string("the function (") + name_of(b.kind) + ")";
  if (a.kind == Kind::split) return "";
  if (a.count != b.count) return "the count";
  if (a.type != b.type) return "the type";
  if (has_root && a.peer != b.peer) return "the root";
  if (combines(a.kind) && a.op != b.op) return "the operation";
  return "";
}

}  // namespace gridspan::libraries::nccl
