// How a box goes through a buffer that is smaller than the box.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/boxes.h"
#include "devices/cuda/gpu_context.h"
#include "devices/run_result.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridspan::devices::cuda {

/// Rows of one slice, or a stretch of one row; dense at `offset` of the buffer.
struct StagedPiece {
  std::size_t slice, row, column;  // where it begins in the box
  std::size_t width, rows;
  std::size_t offset;

  char* place(const Pitched& memory) const {
    return memory.base + slice * memory.slice_pitch + row * memory.pitch + column;
  }
};

/// What is in the buffer at once.
using Stage = std::vector<StagedPiece>;

enum class Way : std::uint8_t { read, write };

/// Between page-locked memory and memory of the current GPU, begun on the stream: reads the stage's
/// pieces of `memory` into `staged`, or writes them from there.
RunResult begin_stage(const Driver& api, Way way, Stream stream, const Stage& stage, char* staged,
                      const Pitched& memory);

/// Cuts a box into stages of at most `room` bytes, in order.
class Stages {
 public:
  /// `whole_rows`: pieces may have several rows.
  Stages(const Extent& extent, std::size_t room, bool whole_rows)
      : extent_(extent), room_(room), whole_rows_(whole_rows) {}

  /// Empty when all was given.
  Stage next();

 private:
  const Extent extent_;
  const std::size_t room_;
  const bool whole_rows_;
  std::size_t slice_ = 0, row_ = 0, column_ = 0;  // of the next piece
};

}  // namespace gridspan::devices::cuda
