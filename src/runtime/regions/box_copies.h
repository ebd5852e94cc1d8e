// Boxes of a view as bytes: contiguous runs, and copies between buffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/memory/copy.h"
#include "runtime/regions/view.h"

#include <vector>

namespace gridspan::runtime::regions {

/// Bytes [begin, end) of a buffer.
using ByteRange = Range;

/// Appends the bytes of `box` as runs, ascending and as long as the box alone allows. Padding and
/// what lies outside of the view is left out. O(runs): the product of the outer lengths, up to the
/// innermost dimension that the box does not span.
void append_runs(const View& view, const Box& box, std::vector<ByteRange>& runs);

/// Runs that append_runs would give, or a few more; saturates.
std::int64_t run_count(const View& view, const Box& box);

/// One pitched copy (runtime/memory/copy.h): the same bytes of two buffers that lie in memory as
/// the home buffer does.
struct BoxCopy {
  std::int64_t offset = 0;  // of the first byte, from the buffer's start
  Extent extent;
  std::size_t pitch = 0;
  std::size_t slice_pitch = 0;

  /// `buffer`: where byte 0 of the buffer is, or would be.
  Pitched at(char* buffer) const { return {buffer + offset, pitch, slice_pitch}; }
};

/// Appends the copies that together are the bytes of `box`, without padding: one for a box of up to
/// three dimensions, or of four of which the box spans an inner one, that meets no padding; else
/// one for each index of the outermost.
void append_copies(const View& view, const Box& box, std::vector<BoxCopy>& copies);

}  // namespace gridspan::runtime::regions
