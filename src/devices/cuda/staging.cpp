// Rows that fit go together, longer ones in stretches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/staging.h"

#include <algorithm>

namespace gridspan::devices::cuda {

Stage Stages::next() {
  Stage stage;
  for (std::size_t used = 0; slice_ < extent_.depth;) {
    const std::size_t room = room_ - used, left = extent_.width - column_;
    const bool is_stretch = column_ != 0 || left > room_;
    if (is_stretch ? room == 0 : left > room) break;
    StagedPiece piece{slice_, row_, column_, std::min(left, room), 1, used};
    if (!is_stretch && whole_rows_)
      piece.rows = std::min(room / piece.width, extent_.height - row_);
    stage.push_back(piece);
    used += piece.width * piece.rows;
    column_ += piece.width;
    if (column_ < extent_.width) continue;
    column_ = 0;
    row_ += piece.rows;
    if (row_ < extent_.height) continue;
    row_ = 0;
    ++slice_;
  }
  return stage;
}

}  // namespace gridspan::devices::cuda
