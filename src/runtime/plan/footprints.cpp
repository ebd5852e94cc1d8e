// Strided boxes of arrays become boxes of a view.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/footprints.h"

#include "runtime/regions/box_copies.h"

#include <algorithm>
#include <optional>

namespace gridspan::runtime {

namespace {

using regions::Box;
using regions::Range;
using regions::View;

struct Collector : abi::BoxSink {
  Collector(const BoundArray& bound_, const View& view_, std::size_t most_)
      : bound(bound_),
        view(view_),
        most(most_),
        is_own_view(view_ == bound_.view),
        ranges(bound_.array->rank) {
    take = [](abi::BoxSink* sink, const std::int64_t* box) {
      static_cast<Collector*>(sink)->add(box);
    };
  }

  void add(const std::int64_t* box) {
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const std::int64_t first = box[3 * i], last = box[3 * i + 1], stride = box[3 * i + 2];
      if (last < first) return;
      widened |= stride > 1 && last > first;
      ranges[i] = {first, last + 1};
    }
    const std::optional<Range> bytes = bound.bytes_of(box);
    is_known &= bytes.has_value();
    if (bytes) all = regions::hull_of(all, *bytes);
    if (too_many) return;
    if (is_own_view) {
      if (!append_subscripts(view, bound.shape(), ranges, boxes)) add_hull(bytes);
    } else {
      add_through_bytes(bytes);
    }
    too_many |= boxes.size() > most;
  }

  /// The array's rows are not the view's.
  void add_through_bytes(const std::optional<Range>& bytes) {
    std::vector<Box> own;
    if (!append_subscripts(bound.view, bound.shape(), ranges, own)) return add_hull(bytes);
    std::vector<regions::ByteRange> runs;
    for (const Box& box : own) {
      if (run_count(bound.view, box) > static_cast<std::int64_t>(most)) too_many = true;
      if (too_many) return;
      append_runs(bound.view, box, runs);
    }
    for (const regions::ByteRange& run : runs) append_bytes(view, run.begin, run.end, boxes);
  }

  /// Subscripts that leave their rows: everything from the first element to the last.
  void add_hull(const std::optional<Range>& bytes) {
    widened = true;
    if (bytes)
      append(*bytes);
    else
      boxes.push_back(view.whole());
  }
  void append(const Range& bytes) {
    append_bytes(view, bound.offset + bytes.begin, bound.offset + bytes.end, boxes);
  }

  const BoundArray& bound;
  const View& view;
  const std::size_t most;
  const bool is_own_view;  // rows of the array are rows of the view
  std::vector<Range> ranges;
  std::vector<Box> boxes;
  bool widened = false;
  bool too_many = false;
  Range all;             // bytes from element zero on, from the first to the last
  bool is_known = true;  // `all` holds all
};

void touch(const BoundLaunch& launch, const BoundArray& bound, const abi::ModelSet& set,
           const BlockBox& part, abi::BoxSink& sink) {
  const std::int64_t blocks[] = {
      part.first.x,
      part.first.y,
      part.first.z,
      std::int64_t{part.first.x} + part.count.x - 1,
      std::int64_t{part.first.y} + part.count.y - 1,
      std::int64_t{part.first.z} + part.count.z - 1,
  };
  launch.touch(bound, set, blocks, &sink);
}

/// Counts boxes.
std::size_t box_count(const BoundLaunch& launch, const BoundArray& bound, const abi::ModelSet& set,
                      const BlockBox& part) {
  struct Counter : abi::BoxSink {
    std::size_t count = 0;
  } counter;
  counter.take = [](abi::BoxSink* sink, const std::int64_t*) {
    ++static_cast<Counter*>(sink)->count;
  };
  touch(launch, bound, set, part, counter);
  return counter.count;
}

/// Far more boxes than `most`, by what some blocks touch, where each further block adds as many: a
/// million blocks with their own pieces of an array would take seconds to tell.
bool has_far_more_boxes(const BoundLaunch& launch, const BoundArray& bound,
                        const abi::ModelSet& set, const BlockBox& part, std::size_t most) {
  constexpr std::uint32_t few = 64;
  constexpr double far = 4;
  if (std::uint64_t{part.count.x} * part.count.y * part.count.z <= most) return false;
  double boxes = 1;
  for (unsigned axis = 0; axis < axis_count; ++axis) {
    if (along(part.count, axis) < 4 * few) continue;
    BlockBox some{part.first, {1, 1, 1}};
    along(some.count, axis) = few;
    const std::size_t once = box_count(launch, bound, set, some);
    along(some.count, axis) = 2 * few;
    const std::size_t twice = box_count(launch, bound, set, some);
    if (once >= few / 2 && twice >= 2 * once - once / 8)
      boxes *= static_cast<double>(twice) / (2 * few) * along(part.count, axis);
  }
  return boxes > far * static_cast<double>(most);
}

}  // namespace

SetFootprint footprint(const BoundLaunch& launch, const BoundArray& bound, const abi::ModelSet& set,
                       const BlockBox& part, const View& view) {
  if (launch.is_unbounded(bound, set) || has_far_more_boxes(launch, bound, set, part, most_boxes))
    return {{view.whole()}, true};
  Collector collector(bound, view, most_boxes);
  touch(launch, bound, set, part, collector);
  if (collector.too_many) return {{view.whole()}, true};
  regions::join_all(collector.boxes);
  return {std::move(collector.boxes), collector.widened};
}

SetFootprint outlined_footprint(const BoundLaunch& launch, const BoundArray& bound,
                                const abi::ModelSet& set, const BlockBox& part, const View& view,
                                std::size_t few) {
  if (launch.is_unbounded(bound, set) || has_far_more_boxes(launch, bound, set, part, most_boxes))
    return {{view.whole()}, true};
  Collector collector(bound, view, few);
  touch(launch, bound, set, part, collector);
  if (collector.too_many) {
    if (!collector.is_known) return {{view.whole()}, true};
    collector.boxes.clear();
    collector.append(collector.all);
    return {std::move(collector.boxes), true};
  }
  regions::join_all(collector.boxes);
  return {std::move(collector.boxes), collector.widened};
}

View launch_view(const BoundLaunch& launch, const VirtualBuffer& buffer) {
  for (const BoundArray& bound : launch.arrays()) {
    if (bound.buffer != &buffer || bound.array->rank < 2) continue;
    if (bound.view.rank > 1) return bound.view;
  }
  return buffer.view();
}

}  // namespace gridspan::runtime
