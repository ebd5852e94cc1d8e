// Pitched copies as rows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/memory/copy.h"

#include <cstddef>
#include <vector>

namespace gridspan::runtime {

/// A stretch that is contiguous on both sides; offsets from the first byte of each.
struct Row {
  std::size_t to, from, bytes;
};

/// The rows of a copy, as few as the pitches allow.
std::vector<Row> rows_of(const Pitched& to, const Pitched& from, const Extent& extent);

}  // namespace gridspan::runtime
