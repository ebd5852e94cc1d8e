// A table of streams.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/lines.h"

#include <algorithm>

namespace gridspan::devices::cuda {

Lines::Lines(const GpuContext& gpu, Suspects& suspects, Stream stream)
    : gpu_(gpu), suspects_(suspects), current_(add(stream, 0)) {}

Lines::~Lines() {
  for (const auto& line : made_) suspects_.forget(*line);
}

Timeline* Lines::add(Stream stream, unsigned line) {
  Timeline* const made = made_.emplace_back(std::make_unique<Timeline>(gpu_, stream, line)).get();
  suspects_.watch(*made);
  lines_[line].store(made);
  return made;
}

/// What can't have a stream of its own is done in the order of line 0, which is one of those that
/// are allowed.
void Lines::use(unsigned line) {
  line = std::min(line, max_lines - 1);
  if (Timeline* const known = lines_[line].load()) {
    current_ = known;
    return;
  }
  Stream stream = nullptr;
  const bool is_made = gpu_.make_current() == success &&
                       gpu_.driver.cuStreamCreate(&stream, stream_non_blocking) == success;
  current_ = is_made ? add(stream, line) : lines_[0].load();
}

}  // namespace gridspan::devices::cuda
