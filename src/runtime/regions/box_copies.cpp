// Boxes of a view as bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/regions/box_copies.h"

#include <limits>

namespace gridspan::runtime::regions {

namespace {

/// A box in memory: `count` lengths and how far apart their steps are, outermost first. The last is
/// bytes back to back. Dimensions are left out that say nothing: an inner one that the box spans
/// (the one before goes on where it ends), and outer ones of length one.
struct Strides {
  std::int64_t first = 0;  // position
  std::size_t count = 0;
  std::array<std::int64_t, max_rank> lengths{};
  std::array<std::int64_t, max_rank> pitches{};

  std::int64_t run_length() const { return lengths[count - 1]; }

  void add(std::int64_t length, std::int64_t pitch, bool spans) {
    if (spans) {
      lengths[count - 1] *= length;
      pitches[count - 1] = pitch;
      return;
    }
    if (count > 0 && lengths[count - 1] == 1) --count;
    lengths[count] = length;
    pitches[count] = pitch;
    ++count;
  }
};

Strides strides_of(const View& view, const Box& box) {
  Strides strides;
  for (int i = 0; i < view.rank; ++i) {
    strides.first += box[i].begin * view.pitch(i);
    strides.add(box[i].length(), view.pitch(i), i > 0 && box[i] == Range{0, view.extent(i)});
  }
  return strides;
}

void append_runs_from(const View& view, const Strides& strides, std::size_t dimension,
                      std::int64_t position, std::vector<ByteRange>& runs) {
  if (dimension + 1 < strides.count) {
    for (std::int64_t i = 0; i < strides.lengths[dimension]; ++i) {
      append_runs_from(view, strides, dimension + 1, position + i * strides.pitches[dimension],
                       runs);
    }
    return;
  }
  const std::int64_t begin = position - view.phase;
  const ByteRange run = Range{begin, begin + strides.run_length()}.intersection({0, view.bytes});
  if (!run.is_empty()) runs.push_back(run);
}

/// The innermost three dimensions as one copy.
BoxCopy copy_of(const View& view, const Strides& strides, std::int64_t position) {
  const auto from_inside = [&](std::size_t i, const auto& numbers, std::int64_t otherwise) {
    return static_cast<std::size_t>(i < strides.count ? numbers[strides.count - 1 - i] : otherwise);
  };
  BoxCopy copy;
  copy.offset = position - view.phase;
  copy.extent = {from_inside(0, strides.lengths, 1), from_inside(1, strides.lengths, 1),
                 from_inside(2, strides.lengths, 1)};
  copy.pitch = from_inside(1, strides.pitches, 0);
  copy.slice_pitch = from_inside(2, strides.pitches, 0);
  return copy;
}

}  // namespace

void append_runs(const View& view, const Box& box, std::vector<ByteRange>& runs) {
  const Box inside = box.intersection(view.whole());
  if (inside.is_empty()) return;
  const Strides strides = strides_of(view, inside);
  append_runs_from(view, strides, 0, strides.first, runs);
}

std::int64_t run_count(const View& view, const Box& box) {
  const Box inside = box.intersection(view.whole());
  if (inside.is_empty()) return 0;
  const Strides strides = strides_of(view, inside);
  std::int64_t count = 1;
  for (std::size_t i = 0; i + 1 < strides.count; ++i)
    if (__builtin_mul_overflow(count, strides.lengths[i], &count))
      return std::numeric_limits<std::int64_t>::max();
  return count;
}

void append_copies(const View& view, const Box& box, std::vector<BoxCopy>& copies) {
  std::vector<Box> pieces;
  append_clipped(view, box, pieces);
  for (const Box& piece : pieces) {
    const Strides strides = strides_of(view, piece);
    const bool has_fourth = strides.count == max_rank;
    const std::int64_t steps = has_fourth ? strides.lengths[0] : 1;
    const std::int64_t step = has_fourth ? strides.pitches[0] : 0;
    for (std::int64_t i = 0; i < steps; ++i)
      copies.push_back(copy_of(view, strides, strides.first + i * step));
  }
}

}  // namespace gridspan::runtime::regions
