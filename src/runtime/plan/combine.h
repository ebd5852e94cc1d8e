// Identities of reductions, and two private copies made one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/model.h"

#include <cstddef>
#include <cstdint>

namespace gridspan::runtime {

/// How arrays of one type of number are combined by one operation.
struct Combiner {
  /// Sets `count` elements to what changes nothing.
  void (*fill)(char* elements, std::size_t count) = nullptr;
  /// to[i] = to[i] op from[i] for i < count. The identity leaves each value as it is, bit by bit.
  void (*combine)(char* to, const char* from, std::size_t count) = nullptr;
};

/// For elements of `bytes` bytes; null functions where copies can't be combined.
Combiner combiner(abi::ReductionOp op, std::uint32_t bytes);

inline bool can_combine(abi::ReductionOp op, std::uint32_t bytes) {
  return combiner(op, bytes).combine != nullptr;
}

}  // namespace gridspan::runtime
