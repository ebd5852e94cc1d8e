// Who touches which element of an array, at a sample launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tools/sample.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gridspan::tools {

/// A set of parts, bit i for part i.
using Parts = std::uint8_t;

/// A plane of cells, rows by columns: an array of rank 1 or 2, or a slice of a larger one.
struct Plane {
  std::string label;  // "[3][..][..]" of a slice; empty otherwise
  long rows = 0, columns = 0;
  bool is_line = false;      // of rank 1
  bool is_folded = false;    // rank 1, longer than a row: continues in the next row
  std::vector<Parts> cells;  // row by row
  Parts& at(long row, long column) {
    return cells[static_cast<std::size_t>(row * columns + column)];
  }
  Parts at(long row, long column) const {
    return cells[static_cast<std::size_t>(row * columns + column)];
  }
};

/// What is done to an array by sets of one kind, such as all reads.
struct Picture {
  std::string verb;          // "reads", "writes", "may write", ...
  bool is_update = false;    // anything but reads
  bool is_combined = false;  // several parts may do it: reductions, write-same
  bool unbounded = false;    // any element; no planes
  std::vector<Plane> planes;
};

struct ArrayPictures {
  std::vector<long> sizes;  // elements drawn per subscript
  bool is_cut = false;      // the sample touches more than is drawn
  std::vector<Picture> pictures;
};

ArrayPictures draw_array(const model::Kernel& kernel, const model::Array& array,
                         const Sample& sample);

}  // namespace gridspan::tools
