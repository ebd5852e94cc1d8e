// Numbers that do not wrap between lanes because all lanes are below a bound.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for (i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
//       atomicAdd(&bins[in[i]], 1);
//
// Nothing says that `i` does not wrap in 32 bits, and a test in the loop could not start over after
// the update. But all lanes that come to in[i] have found i < n. If n is further below the type's
// end than lanes reach, none of them has a neighbour behind that end; n is tested once, before the
// vector begins.
#pragma once

#include "transforms/vectorise/thread_body.h"

#include <optional>

namespace gridspan::transforms {

struct UpperBound {
  llvm::Value* limit;  // the same for all threads
  bool is_signed;      // how it was compared
  friend bool operator==(const UpperBound&, const UpperBound&) = default;
};

/// All lanes that come to `cast` have found its operand at or below the bound.
std::optional<UpperBound> find_upper_bound(const llvm::CastInst& cast, const ThreadBody& body,
                                           const llvm::DominatorTree& dominators);

/// The highest `bound.limit` for lanes that reach `reach` further than the first.
llvm::APInt highest_limit(const llvm::CastInst& cast, const UpperBound& bound, std::uint64_t reach);

}  // namespace gridspan::transforms
