// Rows that fit go together, longer ones in stretches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/staging.h"

#include "devices/cuda/box_copier.h"

#include <algorithm>

namespace gridspan::devices::cuda {

RunResult begin_stage(const Driver& api, Way way, Stream stream, const Stage& stage, char* staged,
                      const Pitched& memory) {
  const bool reads = way == Way::read;
  for (const StagedPiece& piece : stage) {
    char* const part = staged + piece.offset;
    const Address there = address(piece.place(memory));
    if (piece.rows == 1 || memory.pitch == piece.width) {
      const Address to = reads ? address(part) : there, from = reads ? there : address(part);
      const Result error = api.cuMemcpyAsync(to, from, piece.width * piece.rows, stream);
      if (error != success) return api.fault(error, "cuMemcpyAsync");
      continue;
    }
    Copy2d box{};
    box.source_type = reads ? memory_device : memory_host;
    box.source_host = reads ? nullptr : part;
    box.source = reads ? there : 0;
    box.source_pitch = reads ? memory.pitch : piece.width;
    box.target_type = reads ? memory_host : memory_device;
    box.target_host = reads ? part : nullptr;
    box.target = reads ? 0 : there;
    box.target_pitch = reads ? piece.width : memory.pitch;
    box.width = piece.width;
    box.height = piece.rows;
    if (const Result error = api.cuMemcpy2DAsync(&box, stream); error != success)
      return api.fault(error, "cuMemcpy2DAsync");
  }
  return {};
}

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
