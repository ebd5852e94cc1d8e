// Operations that a program makes: ncclRedOpCreatePreMulSum.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <nccl.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

namespace gridspan::libraries::nccl {

struct Operation {
  ncclDataType_t type;
  std::uint64_t factor;   // the bits of an element, from the lowest
  const void* on_device;  // where the factor is when a collective begins; null: it is in `factor`
};

/// Those of a communicator. Calls that have been made do not need theirs any more.
class Operations {
 public:
  ncclRedOp_t add(const Operation& one);
  bool remove(ncclRedOp_t op);
  std::optional<Operation> find(ncclRedOp_t op) const;

 private:
  mutable std::mutex mutex_;
  std::map<int, Operation> all_;
  int next_ = ncclNumOps;
};

}  // namespace gridspan::libraries::nccl
