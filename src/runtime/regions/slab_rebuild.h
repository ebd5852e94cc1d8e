// Nested slabs as runs of bytes, and back: how a map changes its view.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/regions/slab_edit.h"

namespace gridspan::runtime::regions {

/// Positions from `begin` up to the next run's.
template <class Value>
struct Run {
  std::int64_t begin;
  Value value;
};

/// Reads off the runs of a buffer in byte order, neighbours joined.
template <class Value>
class RunReader {
 public:
  /// Gives up when it has seen `most_runs`.
  RunReader(const View& view, std::size_t most_runs) : view_(view), most_(most_runs) {}

  /// False if there are too many. Runs begin at bytes of the buffer; the first at 0.
  bool read(const Content<Value>& content) { return read(content, 0, -view_.phase); }
  std::vector<Run<Value>>& runs() { return runs_; }

 private:
  /// `byte`: where the content begins, counted from the buffer's start.
  bool read(const Content<Value>& content, int dimension, std::int64_t byte) {
    if (!content.is_divided()) return append(byte, content.value);
    const Slabs<Value>& slabs = *content.slabs;
    const std::int64_t pitch = view_.pitch(dimension);
    for (auto place = slabs.begin(); !slabs.is_end(place); place = slabs.next(place)) {
      const Slab<Value>& slab = slabs[place];
      // One value needs no look at each of its indices.
      const std::int64_t end =
          slab.content.is_divided() ? slabs.end_of(place, view_.extent(dimension)) : slab.begin + 1;
      for (std::int64_t i = slab.begin; i < end; ++i)
        if (!read(slab.content, dimension + 1, byte + i * pitch)) return false;
    }
    return true;
  }

  bool append(std::int64_t byte, const Value& value) {
    if (byte >= view_.bytes) return true;  // padding
    if (++seen_ > most_) return false;
    // Padding before the buffer is one with the first byte.
    if (runs_.empty() || runs_.back().value != value)
      runs_.push_back({std::max<std::int64_t>(byte, 0), value});
    return true;
  }

  const View& view_;
  std::size_t most_;
  std::size_t seen_ = 0;
  std::vector<Run<Value>> runs_;
};

/// Builds canonical nested slabs from the runs of a buffer. Padding has the value of the byte
/// nearest to it. O(runs * rank).
template <class Value>
class SlabBuilder {
 public:
  /// The runs are those RunReader gives; they are moved to the view's positions.
  SlabBuilder(const View& view, std::vector<Run<Value>>& runs) : view_(view), runs_(runs) {
    for (Run<Value>& run : runs) run.begin += view.phase;
    runs.front().begin = 0;
  }

  Content<Value> build() { return build(0, 0, view_.positions()); }

 private:
  std::int64_t end_of_run() const {
    return at_ + 1 < runs_.size() ? runs_[at_ + 1].begin : view_.positions();
  }

  /// Positions [begin, end): all indices of the dimension. The current run is that of `begin`, or
  /// one before it.
  Content<Value> build(int dimension, std::int64_t begin, std::int64_t end) {
    while (end_of_run() <= begin) ++at_;
    if (end_of_run() >= end) return {runs_[at_].value, {}};
    const std::int64_t pitch = view_.pitch(dimension);
    Slabs<Value> slabs;
    for (std::int64_t position = begin; position < end;) {
      while (end_of_run() <= position) ++at_;
      const std::int64_t indices = (std::min(end_of_run(), end) - position) / pitch;
      const std::int64_t next = position + std::max<std::int64_t>(indices, 1) * pitch;
      append_joined(slabs, Slab<Value>{(position - begin) / pitch,
                                       indices > 0 ? Content<Value>{runs_[at_].value, {}}
                                                   : build(dimension + 1, position, next)});
      position = next;
    }
    return {Value{}, Shared(std::move(slabs))};
  }

  const View& view_;
  const std::vector<Run<Value>>& runs_;
  std::size_t at_ = 0;
};

}  // namespace gridspan::runtime::regions
