// How far a box reaches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/copy.h"

namespace gridspan::runtime {

Span span_of(const Pitched& memory, const Extent& extent) {
  std::size_t rows = 0, slices = 0, bytes = 0;
  const bool overflows = __builtin_mul_overflow(extent.height - 1, memory.pitch, &rows) ||
                         __builtin_mul_overflow(extent.depth - 1, memory.slice_pitch, &slices) ||
                         __builtin_add_overflow(rows, slices, &bytes) ||
                         __builtin_add_overflow(bytes, extent.width, &bytes);
  return {bytes, overflows};
}

}  // namespace gridspan::runtime
