// Bisection in region maps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/follow.h"

#include <algorithm>
#include <optional>
#include <span>

namespace gridspan::runtime {

using regions::Box;

namespace {

constexpr double new_owner = 0.25;   // of a byte that is read (plan_cost.cpp)
constexpr std::uint32_t slack = 16;  // a part may have one 16th more blocks

/// What each part touches of one buffer, as one box, and the dimension in which these follow one
/// another.
struct Trace {
  const VirtualBuffer* buffer;
  std::vector<Box> boxes;  // by part
  int dimension;
  double weight;
};

const Box* largest(const std::vector<Box>& boxes) {
  const auto found = std::ranges::max_element(boxes, {}, &Box::volume);
  return found == boxes.end() ? nullptr : &*found;
}

/// The first dimension in which boxes begin one behind the other; -1: they don't.
int order_of(std::span<const Box> boxes) {
  for (int i = 0; i < boxes.front().rank; ++i) {
    const auto is_behind = [i](const Box& a, const Box& b) { return b[i].begin <= a[i].begin; };
    if (std::ranges::adjacent_find(boxes, is_behind) == boxes.end()) return i;
  }
  return -1;
}

std::optional<Trace> trace_of(const LaunchPlan& way, std::size_t first_use,
                              std::vector<Box> BufferUse::* boxes, double weight) {
  Trace trace{way.parts.front().uses[first_use].buffer, {}, -1, 0};
  const regions::View& view = trace.buffer->view();
  for (const PartPlan& part : way.parts) {
    const auto use = std::ranges::find(part.uses, trace.buffer, &BufferUse::buffer);
    const Box* const box = use == part.uses.end() ? nullptr : largest((*use).*boxes);
    if (!box || use->view != view) return std::nullopt;
    trace.boxes.push_back(*box);
    trace.weight += weight * static_cast<double>(box->volume());
  }
  trace.dimension = order_of(trace.boxes);
  if (trace.dimension < 0) return std::nullopt;
  return trace;
}

/// That of the most bytes.
std::optional<Trace> best_trace(const LaunchPlan& way) {
  std::optional<Trace> best;
  const auto consider = [&best](std::optional<Trace> trace) {
    if (trace && (!best || trace->weight > best->weight)) best = std::move(trace);
  };
  for (std::size_t use = 0; use < way.parts.front().uses.size(); ++use) {
    consider(trace_of(way, use, &BufferUse::reads, 1));
    consider(trace_of(way, use, &BufferUse::writes, new_owner));
  }
  return best;
}

class Follower {
 public:
  Follower(const LaunchPlan& way, const Trace& trace, const abi::Dim& grid,
           std::uint32_t granularity)
      : way_(way), trace_(trace), axis_(axis_of(way, grid)), unit_(std::max(granularity, 1u)) {
    for (const PartPlan& part : way.parts) begins_.push_back(extent(part.first_block, axis_));
    begins_.push_back(extent(grid, axis_));
  }

  std::vector<CutPart> parts() const {
    std::vector<std::uint32_t> begins = begins_;
    for (std::size_t part = 1; part < way_.parts.size(); ++part) {
      const auto begin = begin_of(part);
      if (!begin) return {};
      begins[part] = *begin;
    }
    if (begins == begins_) return {};
    std::vector<CutPart> parts;
    for (std::size_t i = 0; i < way_.parts.size(); ++i) {
      const PartPlan& old = way_.parts[i];
      if (begins[i] >= begins[i + 1] || !is_about_as_large(begins, i)) return {};
      CutPart& part = parts.emplace_back(old.device, BlockBox{old.first_block, old.block_count});
      set(part.blocks.first, begins[i]);
      set(part.blocks.count, begins[i + 1] - begins[i]);
    }
    return parts;
  }

 private:
  bool is_about_as_large(const std::vector<std::uint32_t>& begins, std::size_t part) const {
    const std::uint32_t old = begins_[part + 1] - begins_[part];
    return begins[part + 1] - begins[part] <= old + old / slack;
  }

  void set(abi::Dim& dim, std::uint32_t value) const {
    (axis_ == 0 ? dim.x : axis_ == 1 ? dim.y : dim.z) = value;
  }

  /// From where on later parts' devices have the bytes; nothing if those of no part do.
  std::optional<std::uint32_t> begin_of(std::size_t part) const {
    std::uint32_t low = begins_.front() / unit_, high = (begins_.back() + unit_ - 1) / unit_;
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      const std::optional<std::size_t> owner = owner_of(middle);
      if (!owner) return std::nullopt;
      (*owner >= part ? high : low) = *owner >= part ? middle : middle + 1;
    }
    return low * unit_;
  }

  /// The first part whose device has what the middle of unit `unit` of blocks touches.
  std::optional<std::size_t> owner_of(std::uint32_t unit) const {
    const double block = (unit + 0.5) * unit_;
    std::size_t part = way_.parts.size() - 1;
    while (part > 0 && begins_[part] > block) --part;
    const std::size_t next = part + 1;
    const Box& box = trace_.boxes[part];
    const auto begin = static_cast<double>(box[trace_.dimension].begin);
    const auto end =
        static_cast<double>(next < trace_.boxes.size() ? trace_.boxes[next][trace_.dimension].begin
                                                       : box[trace_.dimension].end);
    const double share = (block - begins_[part]) / (begins_[next] - begins_[part]);
    const regions::View& view = trace_.buffer->view();
    std::int64_t byte = -view.phase;
    for (int i = 0; i < view.rank; ++i) {
      const std::int64_t at = i == trace_.dimension
                                  ? static_cast<std::int64_t>(begin + share * (end - begin))
                                  : box[i].begin + box[i].length() / 2;
      byte += at * view.pitch(i);
    }
    if (byte < 0 || byte >= view.bytes) return std::nullopt;
    const DeviceSet holders = trace_.buffer->holders.at(byte);
    for (std::size_t i = 0; i < way_.parts.size(); ++i)
      if (holders.contains(way_.parts[i].device)) return i;
    return std::nullopt;
  }

  const LaunchPlan& way_;
  const Trace& trace_;
  const unsigned axis_;
  const std::uint32_t unit_;
  std::vector<std::uint32_t> begins_;  // in blocks; the last is the end of all
};

}  // namespace

unsigned axis_of(const LaunchPlan& plan, const abi::Dim& grid) {
  const abi::Dim& count = plan.parts.front().block_count;
  for (const unsigned axis : {0u, 1u}) {
    if (extent(count, axis) != extent(grid, axis)) return axis;
  }
  return 2;
}

std::vector<CutPart> following_parts(const LaunchPlan& way, const abi::Dim& grid,
                                     std::uint32_t granularity) {
  const std::optional<Trace> trace = best_trace(way);
  if (!trace) return {};
  return Follower(way, *trace, grid, granularity).parts();
}

}  // namespace gridspan::runtime
