// Blocks numbered row by row: parts that are whole rows, and others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In A[w + o + t] with w = gridDim_x*blockDim_x*blockIdx_y and o = blockDim_x*blockIdx_x the blocks
// of a row of the grid touch a run of elements, and the next row goes on where it ends. A part of
// whole rows touches one run, of which w may be made dense (model/density.h); so does a part within
// one row. Any other touches a run for each of its rows.
#pragma once

#include "model/kernel.h"

namespace gridspan::model {

/// The rows of a part: multiples of `row`, a product of a block index; `digit` counts the blocks
/// within a row.
struct BlockRows {
  const Dimension* row = nullptr;
  const Dimension* digit = nullptr;
};

/// Parts that are one row, or whole rows; and the others. Over part parameters.
isl::set one_run(const Kernel& kernel, const BlockRows& rows);
isl::set many_runs(const Kernel& kernel, const BlockRows& rows);

/// `image`, a function of the row, as a loop over the rows of the parts of many runs.
FootprintPiece row_by_row(const Kernel& kernel, const BlockRows& rows, const isl::set& image);

}  // namespace gridspan::model
