// How the bytes of a buffer are seen as an array of up to four dimensions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/regions/box.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace gridspan::runtime::regions {

/// An array of a kernel inside a buffer, in the words of abi/model.h.
struct ArrayShape {
  std::int64_t offset = 0;         // bytes from the buffer's start to element zero; may be negative
  std::int64_t element_bytes = 1;  // > 0
  std::span<const std::int64_t> inner{};  // extents e_1 .. e_{rank-1}, in elements
};

/// The bytes of a buffer as an array. Byte b has the *position* b + phase; position p has the
/// indices p / pitch[0], (p % pitch[0]) / pitch[1], ... The innermost dimension counts bytes.
///
///     position  0 . . . . . . . |   rank 2, rows of 8 bytes, phase 3, 19 bytes in the buffer:
///     row 0     - - - B B B B B |   an array starts at byte 5, the buffer at position 3, and
///     row 1     B B B B B B B B |   rows of the array are rows of the view.
///     row 2     B B B B B B - - |   -: positions that are no bytes of the buffer (*padding*)
///
/// Plain data: equal if all of it is. Make it with `linear_view` or `array_view`.
struct View {
  int rank = 1;
  std::int64_t bytes = 0;                        // size of the buffer
  std::int64_t phase = 0;                        // 0 <= phase < pitch[0]; 0 for rank 1
  std::array<std::int64_t, max_rank> extents{};  // the outermost covers the buffer
  std::array<std::int64_t, max_rank> pitches{};  // bytes from one index to the next; innermost 1

  std::int64_t extent(int dimension) const { return extents[static_cast<std::size_t>(dimension)]; }
  std::int64_t pitch(int dimension) const { return pitches[static_cast<std::size_t>(dimension)]; }
  /// Positions, those of padding included.
  std::int64_t positions() const { return extent(0) * pitch(0); }
  bool has_padding() const { return positions() != bytes; }
  /// All indices, those of padding included.
  Box whole() const;
  friend bool operator==(const View&, const View&) = default;
};

/// Plain byte intervals: rank 1. `bytes` >= 0.
View linear_view(std::int64_t bytes);

/// The view whose rows, planes, ... are those of the array. Of more than four dimensions, the
/// outermost are folded into one. If an extent is not positive, or sizes do not fit 62 bits, it is
/// the linear view.
View array_view(std::int64_t bytes, const ArrayShape& array);

/// Appends boxes that together are the positions [begin, end), in their order: at most
/// 2 * rank - 1. What lies outside of the view is cut off.
void append_positions(const View& view, std::int64_t begin, std::int64_t end,
                      std::vector<Box>& boxes);

/// Appends boxes that together are the bytes [begin, end) of the buffer, in their order: at most
/// 2 * rank - 1. What lies outside of the buffer is cut off.
void append_bytes(const View& view, std::int64_t begin, std::int64_t end, std::vector<Box>& boxes);

/// Appends boxes of `view` = array_view(.., array) that hold a box of the array: `subscripts` are
/// the ranges of its dimensions, in elements. What lies outside of the buffer is cut off; padding
/// may be included. False, and nothing is appended, if an inner subscript leaves its row (such a
/// box is none in memory) or the view is another one. One box up to max_rank dimensions; beyond,
/// up to the product of the lengths of what is folded.
bool append_subscripts(const View& view, const ArrayShape& array, std::span<const Range> subscripts,
                       std::vector<Box>& boxes);

/// False if `box` has no padding for certain.
inline bool may_meet_padding(const View& view, const Box& box) {
  return (view.phase > 0 && box[0].begin == 0) ||
         (view.phase + view.bytes < view.positions() && box[0].end >= view.extent(0));
}

/// Appends `box` without padding and what lies outside of the view, in order of first corners.
void append_clipped(const View& view, const Box& box, std::vector<Box>& boxes);

/// The same with the padding before the buffer if the box holds the first byte, and with that
/// behind it if it holds the last: so padding never differs from the byte nearest to it.
void append_with_padding(const View& view, const Box& box, std::vector<Box>& boxes);

}  // namespace gridspan::runtime::regions
