// How the bytes of a buffer are seen as an array.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/regions/view.h"

namespace gridspan::runtime::regions {

namespace {

/// Sizes and sums of sizes stay far from the end of 64 bits.
constexpr std::int64_t most_bytes = std::int64_t{1} << 61;

/// Inner extents of a view in its own units, as far as an array's fit.
struct InnerExtents {
  int count = 0;
  std::array<std::int64_t, max_rank - 1> extents{};
  bool fit = true;
};

InnerExtents inner_extents(const ArrayShape& array) {
  InnerExtents inner;
  const std::size_t kept = std::min<std::size_t>(array.inner.size(), max_rank - 1);
  inner.count = static_cast<int>(kept);
  std::int64_t bytes = array.element_bytes;
  for (const std::int64_t extent : array.inner) {
    inner.fit = inner.fit && extent > 0 && array.element_bytes > 0 &&
                !__builtin_mul_overflow(bytes, extent, &bytes) && bytes <= most_bytes;
  }
  if (!inner.fit) return inner;
  const auto innermost = array.inner.last(kept);
  std::ranges::copy(innermost, inner.extents.begin());
  if (kept > 0) inner.extents[kept - 1] *= array.element_bytes;
  return inner;
}

/// Appends the positions [begin, end), counted from the first corner of `box` in `dimension`.
void append_within(const View& view, Box box, int dimension, std::int64_t begin, std::int64_t end,
                   std::vector<Box>& boxes) {
  if (dimension == view.rank - 1) {
    box[dimension] = {begin, end};
    boxes.push_back(box);
    return;
  }
  const std::int64_t pitch = view.pitch(dimension);
  std::int64_t first = begin / pitch;
  const std::int64_t last = end / pitch;
  const auto part_of_index = [&](std::int64_t index, std::int64_t from, std::int64_t to) {
    box[dimension] = {index, index + 1};
    append_within(view, box, dimension + 1, from, to, boxes);
  };
  if (first == last) {
    if (begin < end) part_of_index(first, begin % pitch, end % pitch);
    return;
  }
  if (begin % pitch != 0) part_of_index(first++, begin % pitch, pitch);
  if (first < last) {
    box[dimension] = {first, last};
    for (int i = dimension + 1; i < view.rank; ++i) box[i] = {0, view.extent(i)};
    boxes.push_back(box);
  }
  if (end % pitch != 0) part_of_index(last, 0, end % pitch);
}

/// Appends the boxes of an array, `box` with the ranges of its outermost dimension filled in: one
/// for each combination of the folded subscripts but the last of them. `index`: of the subscripts
/// before, in units of the first of `folded`; `extents` are those of the dimensions behind it.
void append_folded(std::span<const Range> folded, std::span<const std::int64_t> extents,
                   std::int64_t index, Box& box, std::vector<Box>& boxes) {
  if (folded.size() == 1) {
    box[0] = {index + folded[0].begin, index + folded[0].end};
    boxes.push_back(box);
    return;
  }
  for (std::int64_t i = folded[0].begin; i < folded[0].end; ++i)
    append_folded(folded.subspan(1), extents.subspan(1), (index + i) * extents[0], box, boxes);
}

/// From the array's indices to those of the view, for the boxes from `first` on.
void place(const View& view, const ArrayShape& array, std::vector<Box>& boxes, std::size_t first) {
  const std::int64_t shift = (array.offset + view.phase) / view.pitch(0);
  for (std::size_t i = first; i < boxes.size(); ++i) {
    Range& innermost = boxes[i][view.rank - 1];
    innermost = {innermost.begin * array.element_bytes, innermost.end * array.element_bytes};
    boxes[i][0].begin += shift;
    boxes[i][0].end += shift;
    boxes[i] = boxes[i].intersection(view.whole());
  }
  const auto begin = boxes.begin() + static_cast<std::ptrdiff_t>(first);
  boxes.erase(std::remove_if(begin, boxes.end(), [](const Box& box) { return box.is_empty(); }),
              boxes.end());
}

bool contains_position(const View& view, const Box& box, std::int64_t position) {
  for (int i = 0; i < view.rank; ++i) {
    const std::int64_t index = position / view.pitch(i);
    if (index < box[i].begin || index >= box[i].end) return false;
    position %= view.pitch(i);
  }
  return true;
}

enum class PaddingRule {
  cut,     // none of it
  follow,  // each end of it with the byte nearest to it
};

void append_cut(const View& view, const Box& whole, PaddingRule rule, std::vector<Box>& boxes) {
  const Box box = whole.intersection(view.whole());
  if (box.is_empty() || view.bytes == 0) return;
  const struct {
    std::int64_t begin, end, nearest;  // positions
  } ends[] = {
      {0, view.phase, view.phase},
      {view.phase + view.bytes, view.positions(), view.phase + view.bytes - 1},
  };
  std::vector<Box> left{box}, rest, padding, followers;
  for (const auto& [begin, end, nearest] : ends) {
    padding.clear();
    append_positions(view, begin, end, padding);
    const auto is_inside = [&](const Box& hole) { return box.contains(hole); };
    const bool follows = rule == PaddingRule::follow && contains_position(view, box, nearest);
    if (follows && std::ranges::all_of(padding, is_inside)) continue;
    for (const Box& hole : padding) {
      rest.clear();
      for (const Box& piece : left) subtract(piece, hole, rest);
      left.swap(rest);
    }
    if (follows) followers.insert(followers.end(), padding.begin(), padding.end());
  }
  boxes.insert(boxes.end(), left.begin(), left.end());
  boxes.insert(boxes.end(), followers.begin(), followers.end());
}

}  // namespace

Box View::whole() const {
  Box box;
  box.rank = rank;
  for (int i = 0; i < rank; ++i) box[i] = {0, extent(i)};
  return box;
}

View linear_view(std::int64_t bytes) {
  View view;
  view.bytes = bytes;
  view.extents[0] = bytes;
  view.pitches[0] = 1;
  return view;
}

View array_view(std::int64_t bytes, const ArrayShape& array) {
  const InnerExtents inner = inner_extents(array);
  if (!inner.fit || inner.count == 0 || bytes <= 0 || bytes > most_bytes) return linear_view(bytes);
  View view;
  view.rank = inner.count + 1;
  view.bytes = bytes;
  const auto innermost = static_cast<std::size_t>(inner.count);
  view.pitches[innermost] = 1;
  for (std::size_t i = innermost; i > 0; --i) {
    view.extents[i] = inner.extents[i - 1];
    view.pitches[i - 1] = view.pitches[i] * view.extents[i];
  }
  const std::int64_t pitch = view.pitch(0);
  view.phase = (pitch - array.offset % pitch) % pitch;
  view.extents[0] = (view.phase + bytes + pitch - 1) / pitch;
  return view;
}

void append_positions(const View& view, std::int64_t begin, std::int64_t end,
                      std::vector<Box>& boxes) {
  begin = std::max<std::int64_t>(begin, 0);
  end = std::min(end, view.positions());
  if (begin >= end) return;
  Box box;
  box.rank = view.rank;
  append_within(view, box, 0, begin, end, boxes);
}

void append_bytes(const View& view, std::int64_t begin, std::int64_t end, std::vector<Box>& boxes) {
  begin = std::max<std::int64_t>(begin, 0);
  end = std::min(end, view.bytes);
  append_positions(view, begin + view.phase, end + view.phase, boxes);
}

bool append_subscripts(const View& view, const ArrayShape& array, std::span<const Range> subscripts,
                       std::vector<Box>& boxes) {
  const std::size_t rank = subscripts.size();
  const std::size_t folded = rank - std::min<std::size_t>(rank, max_rank);
  if (rank != array.inner.size() + 1 || array_view(view.bytes, array) != view) return false;
  if (static_cast<std::size_t>(view.rank) != rank - folded) return false;  // no shape, so linear
  for (std::size_t i = 1; i < rank; ++i)
    if (!Range{0, array.inner[i - 1]}.contains(subscripts[i])) return false;
  if (std::ranges::any_of(subscripts, &Range::is_empty)) return true;
  Box box;
  box.rank = view.rank;
  for (std::size_t i = folded; i < rank; ++i) box.ranges[i - folded] = subscripts[i];
  const std::size_t old = boxes.size();
  append_folded(subscripts.first(folded + 1), array.inner, 0, box, boxes);
  place(view, array, boxes, old);
  return true;
}

void append_clipped(const View& view, const Box& box, std::vector<Box>& boxes) {
  append_cut(view, box, PaddingRule::cut, boxes);
}

void append_with_padding(const View& view, const Box& box, std::vector<Box>& boxes) {
  append_cut(view, box, PaddingRule::follow, boxes);
}

}  // namespace gridspan::runtime::regions
