// Changing the values in a box of nested slabs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/regions/slabs.h"
#include "runtime/regions/view.h"

#include <boost/container/small_vector.hpp>

namespace gridspan::runtime::regions {

/// Slabs of one value, two at most beside one that is cut out: what one edit makes of one slab.
template <class Value>
using SlabList = boost::container::small_vector<Slab<Value>, 4>;

/// Appends, unless the last one simply goes on.
template <class Slabs, class Value>
void append_joined(Slabs& slabs, Slab<Value> slab) {
  if (slabs.empty() || slabs.back().content != slab.content) slabs.push_back(std::move(slab));
}

/// Replaces the value v of each piece in `box` by change(v), and keeps the nested slabs canonical:
/// neighbours differ, and slabs of one value in all are that value. `box` is not empty and lies
/// within the view. With `one_value`, change gives the same whatever v is.
template <bool one_value, class Value, class Change>
class SlabEdit {
 public:
  SlabEdit(const View& view, const Box& box, Change& change)
      : view_(view), box_(box), change_(change), spanned_(view.rank) {
    while (spanned_ > 0 && box[spanned_ - 1] == Range{0, view.extent(spanned_ - 1)}) --spanned_;
  }

  /// `content`: of one index of all dimensions before `dimension`.
  void apply(Content<Value>& content, int dimension = 0) {
    if (content.is_divided() && !(one_value && dimension >= spanned_)) {
      apply_to_slabs(content.slabs.own(), dimension);
      collapse(content);
      return;
    }
    Value value = change_(content.value);
    if (!content.is_divided() && value == content.value) return;
    if (dimension >= spanned_)
      content = {std::move(value), {}};
    else
      content = divided(content.value, value, dimension);
  }

 private:
  static void collapse(Content<Value>& content) {
    if (!content.slabs->is_single() || content.slabs->back().content.is_divided()) return;
    content = {content.slabs->back().content.value, {}};
  }

  /// `inside` in the box, `outside` around it; they differ.
  Content<Value> divided(const Value& outside, const Value& inside, int dimension) {
    if (dimension >= spanned_) return {inside, {}};
    const Range range = box_[dimension];
    SlabList<Value> list;
    if (range.begin > 0) list.push_back({0, {outside, {}}});
    list.push_back({range.begin, divided(outside, inside, dimension + 1)});
    if (range.end < view_.extent(dimension)) list.push_back({range.end, {outside, {}}});
    return {Value{}, Shared(Slabs<Value>(std::span(list.data(), list.size())))};
  }

  void apply_to_slabs(Slabs<Value>& slabs, int dimension) {
    const std::int64_t extent = view_.extent(dimension);
    const Range range = dimension >= spanned_ ? Range{0, extent} : box_[dimension];
    const auto first = slabs.find(range.begin);
    auto place = first;
    SlabList<Value> list;
    for (std::int64_t end = 0; end < range.end; place = slabs.next(place)) {
      end = slabs.end_of(place, extent);
      append_changed(list, slabs.take(place), end, range, dimension);
    }
    // What has become equal to a neighbour joins it: a slab goes on until the next one begins.
    if (!slabs.is_end(place) && slabs[place].content == list.back().content) {
      slabs.take(place);
      place = slabs.next(place);
    }
    std::span<Slab<Value>> changed(list.data(), list.size());
    if (first != slabs.begin() && slabs[slabs.previous(first)].content == list.front().content)
      changed = changed.subspan(1);
    slabs.replace(first, place, changed);
  }

  /// Cuts the slab, which ends at `end`, to the range.
  void append_changed(SlabList<Value>& list, Slab<Value> slab, std::int64_t end, const Range& range,
                      int dimension) {
    if (slab.begin < range.begin) {
      list.push_back(slab);
      slab.begin = range.begin;
    }
    Content<Value> behind;
    if (end > range.end) behind = slab.content;
    apply(slab.content, dimension + 1);
    append_joined(list, std::move(slab));
    if (end > range.end) append_joined(list, Slab<Value>{range.end, std::move(behind)});
  }

  const View& view_;
  const Box& box_;
  Change& change_;
  int spanned_;  // the box spans this dimension and all behind it
};

}  // namespace gridspan::runtime::regions
