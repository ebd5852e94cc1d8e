// The region map of a virtual buffer: which value each of its bytes has, as few boxes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mekong's segment tracker (§8.1: a sorted list of byte intervals) in up to four dimensions. What
// holds for a box of a matrix is one entry here, not one for each row.
//
//       columns 0  2     6  8        slabs of rows           slabs of columns
//     row 0     +-----------+        [0, 2)  A
//               |     A     |        [2, 5)  divided ------> [0, 2) A  [2, 6) B  [6, 8) A
//     row 2     +--+-----+--+        [5, 9)  C
//               |A |  B  |A |
//     row 5     +--+-----+--+        5 boxes
//               |     C     |
//     row 9     +-----------+
//
// The outermost dimension is cut into slabs; a slab has one value or is cut in the next dimension.
// Neighbouring slabs of equal content are one, so that equal partitions have equal boxes, however
// they came about. Parts that copies of a map, or slabs of it, have in common are shared.
#pragma once

#include "runtime/regions/slab_edit.h"
#include "runtime/regions/slab_rebuild.h"
#include "runtime/regions/slabs.h"
#include "runtime/regions/view.h"

#include <limits>
#include <type_traits>

namespace gridspan::runtime::regions {

/// How far a map may fall into pieces before its user should gather the buffer to one owner.
struct MapLimits {
  std::size_t boxes = std::numeric_limits<std::size_t>::max();
  /// Runs of bytes that a change of view may go through.
  std::size_t runs = std::size_t{1} << 20;
};

/// A value for each byte of a buffer, over a view of it. All boxes are of the map's view; parts of
/// them outside of the buffer are ignored, and no piece handed out has such parts.
///
/// Value: cheap to copy, equality comparable, default constructible, with std::hash. Copying a map
/// takes O(1) and shares everything; a map and its copies belong to one thread at a time. Costs: n
/// boxes in the map, p pieces met by the box. Nothing throws but std::bad_alloc, after which the
/// map may only be assigned to or destroyed (a copy made before is the way back).
template <class Value>
class RegionMap {
 public:
  RegionMap(const View& view, const Value& value, const MapLimits& limits = {})
      : view_(view), limits_(limits), content_{value, {}} {}

  const View& view() const { return view_; }
  /// O(1). Those of padding count.
  std::size_t box_count() const { return content_.boxes(); }
  bool is_within_limits() const { return box_count() <= limits_.boxes; }
  /// Of the view and all values; equal maps have equal hashes. O(1).
  std::uint64_t hash() const;
  friend bool operator==(const RegionMap& a, const RegionMap& b) {
    return a.view_ == b.view_ && a.content_ == b.content_;
  }

  /// Gives the bytes of `box` one value. False if the map now has more boxes than its limit.
  /// O(log n + p).
  bool assign(const Box& box, const Value& value) {
    return edit<true>(box, [&](const Value&) { return value; });
  }

  /// Replaces the value v of each byte of `box` by change(v), a pure function: it is called for
  /// each piece, perhaps more than once. False as for `assign`. O(log n + p).
  template <class Change>
  bool update(const Box& box, Change&& change) {
    return edit<false>(box, change);
  }

  /// Calls take(const Box& piece, const Value&) for the pieces of `box`, in order of their first
  /// corners. If take returns bool, false ends the query, and is what the query returns.
  /// O(log n + p).
  template <class Take>
  bool query(const Box& box, Take&& take) const;

  /// The value of a byte of the buffer. O(log n).
  const Value& at(std::int64_t byte) const;

  /// Sees the buffer as another array. False, and nothing has changed, if that takes more than the
  /// limits allow. O(runs of bytes).
  bool reshape(const View& view);

  /// Null, or what is wrong with the map. O(n).
  const char* check() const;

 private:
  static constexpr std::size_t most_checked =
      200;  // boxes; check() after each change in debug builds

  template <bool one_value, class Change>
  bool edit(const Box& box, Change&& change);
  void append_editable(const Box& box, std::vector<Box>& boxes) const;
  template <class Take>
  bool visit(const Content<Value>& content, int dimension, const Box& box, Box& piece,
             Take& take) const;
  const char* check(const Content<Value>& content, int dimension) const;

  View view_;
  MapLimits limits_;
  Content<Value> content_;
};

}  // namespace gridspan::runtime::regions

#include "runtime/regions/region_map_impl.h"  // IWYU pragma: export
