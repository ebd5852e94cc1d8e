// An array of which a device holds a box, packed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

namespace gridspan::devices {

/// Kernels compute addresses as if the whole array was there, in rows from `origin` on:
///
///     origin -> [...................]
///               [.....#########.....]  first_row             memory -> [#########  ]
///               [.....#########.....]                                  [#########  ]  pitch
///                first_byte, width                                      width
///
/// What they touch is in the box. Rows begin where naturally aligned accesses do.
struct PackedArray {
  std::uint32_t parameter;  // of the kernel, a pointer
  char* origin;             // may lie before the array
  std::size_t row_bytes;    // > 1
  std::size_t first_row, rows;
  std::size_t first_byte, width;  // within a row
  char* memory;
  std::size_t pitch;  // >= width
};

}  // namespace gridspan::devices
