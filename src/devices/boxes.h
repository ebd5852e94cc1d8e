// Boxes of bytes in pitched memory, up to three-dimensional: what devices copy and fill.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace gridspan::devices {

/// A box inside pitched memory: row r of slice s starts at base + r * pitch + s * slice_pitch.
struct Pitched {
  char* base = nullptr;
  std::size_t pitch = 0;        // bytes from row to row
  std::size_t slice_pitch = 0;  // bytes from slice to slice
};

/// Extent of a box: bytes of a row, rows of a slice, slices.
struct Extent {
  std::size_t width = 0;
  std::size_t height = 1;
  std::size_t depth = 1;

  bool is_empty() const { return width == 0 || height == 0 || depth == 0; }
};

/// A box's way between two memories.
struct BoxMove {
  Pitched to, from;
  Extent extent;
};

/// Copies a box. Source and destination may overlap in any way that memmove row by row allows.
void copy_box(const Pitched& to, const Pitched& from, const Extent& extent);

/// Sets every byte of a box.
void fill_box(const Pitched& to, const Extent& extent, unsigned char value);

}  // namespace gridspan::devices
