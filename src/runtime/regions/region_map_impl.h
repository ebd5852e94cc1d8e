// Region maps; included by region_map.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/regions/region_map.h"

#include <cassert>

namespace gridspan::runtime::regions {

template <class Value>
std::uint64_t RegionMap<Value>::hash() const {
  std::uint64_t hash = content_.hash();
  const auto add = [&](std::int64_t number) {
    hash = scramble(hash + static_cast<std::uint64_t>(number));
  };
  add(view_.bytes);
  add(view_.phase);
  for (const std::int64_t extent : view_.extents) add(extent);
  return hash;
}

template <class Value>
template <bool one_value, class Change>
bool RegionMap<Value>::edit(const Box& box, Change&& change) {
  const auto apply = [&](const Box& part) {
    SlabEdit<one_value, Value, std::remove_reference_t<Change>>(view_, part, change)
        .apply(content_);
  };
  assert(box.rank == view_.rank);
  const Box inside = box.intersection(view_.whole());
  if (!may_meet_padding(view_, inside)) {
    if (!inside.is_empty()) apply(inside);
  } else {
    std::vector<Box> parts;
    append_with_padding(view_, inside, parts);
    for (const Box& part : parts) apply(part);
  }
  assert(box_count() > most_checked || !check());
  return is_within_limits();
}

template <class Value>
template <class Take>
bool RegionMap<Value>::query(const Box& box, Take&& take) const {
  assert(box.rank == view_.rank);
  Box piece;
  piece.rank = view_.rank;
  const Box inside = box.intersection(view_.whole());
  if (inside.is_empty()) return true;
  if (!may_meet_padding(view_, inside)) return visit(content_, 0, inside, piece, take);
  std::vector<Box> parts;
  append_clipped(view_, inside, parts);
  for (const Box& part : parts)
    if (!visit(content_, 0, part, piece, take)) return false;
  return true;
}

template <class Value>
template <class Take>
bool RegionMap<Value>::visit(const Content<Value>& content, int dimension, const Box& box,
                             Box& piece, Take& take) const {
  if (!content.is_divided()) {
    for (int i = dimension; i < view_.rank; ++i) piece[i] = box[i];
    if constexpr (std::is_same_v<decltype(take(std::as_const(piece), content.value)), bool>)
      return take(std::as_const(piece), content.value);
    take(std::as_const(piece), content.value);
    return true;
  }
  const Slabs<Value>& slabs = *content.slabs;
  const Range range = box[dimension];
  std::int64_t begin = range.begin;
  for (auto place = slabs.find(begin); begin < range.end; place = slabs.next(place)) {
    const std::int64_t end = std::min(slabs.end_of(place, view_.extent(dimension)), range.end);
    piece[dimension] = {begin, end};
    if (!visit(slabs[place].content, dimension + 1, box, piece, take)) return false;
    begin = end;
  }
  return true;
}

template <class Value>
const Value& RegionMap<Value>::at(std::int64_t byte) const {
  const Content<Value>* content = &content_;
  std::int64_t position = byte + view_.phase;
  for (int i = 0; content->is_divided(); ++i) {
    const Slabs<Value>& slabs = *content->slabs;
    content = &slabs[slabs.find(position / view_.pitch(i))].content;
    position %= view_.pitch(i);
  }
  return content->value;
}

template <class Value>
bool RegionMap<Value>::reshape(const View& view) {
  if (view == view_) return true;
  RegionMap changed(view, content_.value, limits_);
  if (content_.is_divided()) {
    RunReader<Value> reader(view_, limits_.runs);
    if (!reader.read(content_)) return false;
    changed.content_ = SlabBuilder<Value>(view, reader.runs()).build();
  }
  if (!changed.is_within_limits()) return false;
  *this = std::move(changed);
  return true;
}

template <class Value>
const char* RegionMap<Value>::check() const {
  const auto is_like = [&](std::int64_t begin, std::int64_t end, std::int64_t byte) {
    std::vector<Box> padding;
    append_positions(view_, begin, end, padding);
    bool equal = true;
    const auto compare = [&](const Box&, const Value& value) { equal &= value == at(byte); };
    for (const Box& box : padding) {
      Box piece = box;
      visit(content_, 0, box, piece, compare);
    }
    return equal;
  };
  if (!is_like(0, view_.phase, 0) ||
      !is_like(view_.phase + view_.bytes, view_.positions(), view_.bytes - 1))
    return "padding differs from the byte nearest to it";
  return check(content_, 0);
}

template <class Value>
const char* RegionMap<Value>::check(const Content<Value>& content, int dimension) const {
  if (!content.is_divided()) return nullptr;
  if (dimension == view_.rank) return "slabs are divided in more dimensions than there are";
  const Slabs<Value>& slabs = *content.slabs;
  if (const char* wrong = slabs.check()) return wrong;
  if (slabs.is_single() && !slabs.back().content.is_divided()) return "slabs of one value are kept";
  if (slabs.back().begin >= view_.extent(dimension)) return "a slab lies outside of the view";
  const Content<Value>* before = nullptr;
  for (auto place = slabs.begin(); !slabs.is_end(place); place = slabs.next(place)) {
    const Content<Value>& inside = slabs[place].content;
    if (before && *before == inside) return "equal neighbours are not one";
    if (const char* wrong = check(inside, dimension + 1)) return wrong;
    before = &inside;
  }
  return nullptr;
}

}  // namespace gridspan::runtime::regions
