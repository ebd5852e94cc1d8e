// From strided boxes of subscripts to bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/verify/interval_set.h"

#include <cstdint>
#include <span>
#include <string>

namespace gridspan::runtime::verify {

/// How the elements of an array lie in memory (abi/model.h).
struct ArrayLayout {
  std::uintptr_t base;
  std::uint32_t element_bytes;
  std::uint32_t rank;
  std::span<const std::int64_t> inner;  // rank - 1 extents
};

/// Adds the bytes of one box (3 numbers a subscript). Returns what is wrong with the box, or "".
std::string add_box(const ArrayLayout& layout, const std::int64_t* box, IntervalSet& bytes);

}  // namespace gridspan::runtime::verify
