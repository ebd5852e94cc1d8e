// Makes operations and ends them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/nccl/api/operations.h"

#include "libraries/nccl/api/clique.h"
#include "libraries/nccl/api/group.h"
#include "libraries/nccl/api/second_names.h"
#include "libraries/support/live_objects.h"

#include <cstring>

namespace gridspan::libraries::nccl {

ncclRedOp_t Operations::add(const Operation& one) {
  const std::scoped_lock lock(mutex_);
  all_.emplace(next_, one);
  return static_cast<ncclRedOp_t>(next_++);
}

bool Operations::remove(ncclRedOp_t op) {
  const std::scoped_lock lock(mutex_);
  return all_.erase(op) > 0;
}

std::optional<Operation> Operations::find(ncclRedOp_t op) const {
  const std::scoped_lock lock(mutex_);
  const auto found = all_.find(op);
  return found == all_.end() ? std::nullopt : std::optional(found->second);
}

static ncclResult_t refuse_operation(const char* name, const char* why) {
  complain(name, why);
  return note_failure(ncclInvalidArgument);
}

static ncclResult_t make_pre_mul_sum(ncclRedOp_t* op, const void* scalar, ncclDataType_t type,
                                     ncclScalarResidence_t residence, ncclComm_t comm) {
  constexpr const char* name = "ncclRedOpCreatePreMulSum";
  if (!is_live(comm)) return refuse_operation(name, "not a communicator");
  if (!op || !scalar) return refuse_operation(name, "no scalar, or no place for the operation");
  if (type < 0 || type >= ncclNumTypes) return refuse_operation(name, "an unknown type");
  if (residence != ncclScalarDevice && residence != ncclScalarHostImmediate)
    return refuse_operation(name, "an unknown residence of the scalar");
  Operation made{type, 0, residence == ncclScalarDevice ? scalar : nullptr};
  if (!made.on_device) std::memcpy(&made.factor, scalar, size_of(type));
  *op = comm->operations.add(made);
  return ncclSuccess;
}

static ncclResult_t end_operation(ncclRedOp_t op, ncclComm_t comm) {
  constexpr const char* name = "ncclRedOpDestroy";
  if (!is_live(comm)) return refuse_operation(name, "not a communicator");
  return comm->operations.remove(op)
             ? ncclSuccess
             : refuse_operation(name, "not an operation of this communicator that a program made");
}

}  // namespace gridspan::libraries::nccl

using namespace gridspan::libraries::nccl;

extern "C" {

ncclResult_t ncclRedOpCreatePreMulSum(ncclRedOp_t* op, void* scalar, ncclDataType_t datatype,
                                      ncclScalarResidence_t residence, ncclComm_t comm) {
  return make_pre_mul_sum(op, scalar, datatype, residence, comm);
}
GRIDSPAN_SECOND_NAME(ncclResult_t, RedOpCreatePreMulSum,
                     (ncclRedOp_t * op, void* scalar, ncclDataType_t datatype,
                      ncclScalarResidence_t residence, ncclComm_t comm),
                     (op, scalar, datatype, residence, comm))

ncclResult_t ncclRedOpDestroy(ncclRedOp_t op, ncclComm_t comm) { return end_operation(op, comm); }
GRIDSPAN_SECOND_NAME(ncclResult_t, RedOpDestroy, (ncclRedOp_t op, ncclComm_t comm), (op, comm))

}  // extern "C"
