// The plain way to keep disjoint boxes: a list. What region maps are measured against.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/regions/view.h"

#include <utility>
#include <vector>

namespace gridspan::bench {

/// Disjoint boxes in a list, as BBMM keeps them (Algorithm 2): a new box is held against every old
/// one, and what overlaps is subtracted. So that the list stays as short as the problem, boxes of
/// one value that share a side are joined. O(n) for everything.
template <class Value>
class BoxList {
 public:
  using Box = runtime::regions::Box;

  BoxList(const runtime::regions::View& view, const Value& value)
      : entries_{{view.whole(), value}} {}

  std::size_t box_count() const { return entries_.size(); }

  void assign(const Box& box, const Value& value) {
    cut_out(box, [](const Box&, const Value&) {});
    add(box, value);
  }

  template <class Change>
  void update(const Box& box, Change change) {
    std::vector<Entry> changed;
    cut_out(box, [&](const Box& piece, const Value& value) {
      changed.push_back({piece, change(value)});
    });
    for (const Entry& entry : changed) add(entry.box, entry.value);
  }

  template <class Take>
  void query(const Box& box, Take take) const {
    for (const Entry& entry : entries_) {
      const Box piece = entry.box.intersection(box);
      if (!piece.is_empty()) take(piece, entry.value);
    }
  }

 private:
  struct Entry {
    Box box;
    Value value;
  };

  template <class Take>
  void cut_out(const Box& box, Take take) {
    std::vector<Entry> rest;
    std::vector<Box> outside;
    for (std::size_t i = 0; i < entries_.size();) {
      const Box piece = entries_[i].box.intersection(box);
      if (piece.is_empty()) {
        ++i;
        continue;
      }
      take(piece, entries_[i].value);
      outside.clear();
      subtract(entries_[i].box, box, outside);
      for (const Box& part : outside) rest.push_back({part, entries_[i].value});
      entries_[i] = std::move(entries_.back());
      entries_.pop_back();
    }
    entries_.insert(entries_.end(), rest.begin(), rest.end());
  }

  void add(Box box, const Value& value) {
    for (std::size_t i = 0; i < entries_.size();) {
      if (entries_[i].value == value && join(box, entries_[i].box)) {
        entries_[i] = std::move(entries_.back());
        entries_.pop_back();
        i = 0;
      } else {
        ++i;
      }
    }
    entries_.push_back({box, value});
  }

  /// Grows `box` by `other` if the two together are a box.
  static bool join(Box& box, const Box& other) {
    int differing = -1;
    for (int i = 0; i < box.rank; ++i) {
      if (box[i] == other[i]) continue;
      if (differing >= 0) return false;
      differing = i;
    }
    if (differing < 0) return false;
    auto& [begin, end] = box[differing];
    if (other[differing].end != begin && other[differing].begin != end) return false;
    begin = std::min(begin, other[differing].begin);
    end = std::max(end, other[differing].end);
    return true;
  }

  std::vector<Entry> entries_;
};

}  // namespace gridspan::bench
