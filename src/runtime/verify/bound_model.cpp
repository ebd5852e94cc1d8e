// Addresses, values and footprints of a model at one launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/verify/bound_model.h"

#include "runtime/verify/box_bytes.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>

namespace gridspan::runtime::verify {

namespace {

/// The argument's `bytes` at `offset`, sign-extended.
std::int64_t scalar_value(const void* argument, std::uint32_t offset, std::uint32_t bytes) {
  std::int64_t value = 0;
  std::memcpy(&value, static_cast<const char*>(argument) + offset, bytes);  // little endian
  const unsigned unused = 64 - 8 * bytes;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << unused) >> unused;
}

/// Collects a footprint's boxes as bytes.
struct ByteSink : abi::BoxSink {
  explicit ByteSink(const ArrayLayout& layout_) : layout(layout_) {
    take = [](abi::BoxSink* sink, const std::int64_t* box) {
      static_cast<ByteSink*>(sink)->add(box);
    };
  }
  void add(const std::int64_t* box) {
    IntervalSet one;
    std::string wrong = add_box(layout, box, one);
    if (!wrong.empty() && problem.empty()) problem = std::move(wrong);
    one.normalise();
    bytes_in_boxes += one.bytes();
    all.add(one);
    if (boxes.size() < most_boxes)
      boxes.push_back({{box, box + std::size_t{3} * layout.rank}, std::move(one)});
  }

  /// Names two of the first boxes that overlap.
  std::string overlap_text() const {
    for (std::size_t i = 0; i < boxes.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        if (!boxes[i].bytes.intersection(boxes[k].bytes).empty())
          return "boxes of one footprint overlap: " + box_text(boxes[k].ranges) + " and " +
                 box_text(boxes[i].ranges);
    return "boxes of one footprint overlap";
  }
  static std::string box_text(const std::vector<std::int64_t>& ranges) {
    std::string text;
    for (std::size_t i = 0; i < ranges.size(); i += 3)
      text += "[" + std::to_string(ranges[i]) + ".." + std::to_string(ranges[i + 1]) + " step " +
              std::to_string(ranges[i + 2]) + "]";
    return text;
  }

  struct Box {
    std::vector<std::int64_t> ranges;
    IntervalSet bytes;
  };
  static constexpr std::size_t most_boxes = 64;  // kept for messages

  const ArrayLayout& layout;
  IntervalSet all;
  std::vector<Box> boxes;
  std::uint64_t bytes_in_boxes = 0;
  std::string problem;
};

std::string dim_text(const abi::Dim& dim) {
  return "(" + std::to_string(dim.x) + "," + std::to_string(dim.y) + "," + std::to_string(dim.z) +
         ")";
}

std::string argument_text(const abi::Parameter& parameter, const void* value) {
  char text[32];
  if (parameter.is_pointer != 0) {
    std::uint64_t pointer = 0;
    std::memcpy(&pointer, value, std::min<std::size_t>(parameter.size, sizeof pointer));
    std::snprintf(text, sizeof text, "0x%" PRIx64, pointer);
    return text;
  }
  const std::uint32_t bytes = parameter.size;
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) return "{...}";
  return std::to_string(scalar_value(value, 0, bytes));
}

}  // namespace

const Allocation* Launch::allocation_of(std::uintptr_t address) const {
  const auto after = std::upper_bound(
      allocations.begin(), allocations.end(), address,
      [](std::uintptr_t value, const Allocation& one) { return value < one.base; });
  if (after == allocations.begin()) return nullptr;
  const Allocation& candidate = *std::prev(after);
  return address < candidate.end() ? &candidate : nullptr;
}

std::uint64_t Box::blocks() const {
  return (std::uint64_t{last.x} - first.x + 1) * (std::uint64_t{last.y} - first.y + 1) *
         (std::uint64_t{last.z} - first.z + 1);
}

bool Box::contains(const abi::Dim& block) const {
  return first.x <= block.x && block.x <= last.x && first.y <= block.y && block.y <= last.y &&
         first.z <= block.z && block.z <= last.z;
}

BoundModel::BoundModel(const Launch& launch) : launch_(launch) {
  const abi::KernelModel& described = model();
  for (const abi::Dim& dim : {launch.grid, launch.block})
    values_.insert(values_.end(), {dim.x, dim.y, dim.z});
  for (std::uint32_t i = 0; i < described.scalar_count; ++i) {
    const abi::ModelScalar& scalar = described.scalars[i];
    values_.push_back(scalar_value(launch.arguments[scalar.argument], scalar.offset, scalar.bytes));
  }
  for (std::uint32_t i = 0; i < described.assumption_count; ++i)
    holds_.push_back(described.assumptions[i].holds(values()));
  for (std::uint32_t i = 0; i < described.array_count; ++i)
    arrays_.push_back(bind(described.arrays[i]));
}

BoundModel::BoundArray BoundModel::bind(const abi::ModelArray& array) const {
  BoundArray bound;
  if (array.symbol >= 0) {
    bound.base = reinterpret_cast<std::uintptr_t>(launch_.symbols[array.symbol]);
  } else if (array.argument >= 0) {
    const auto* bytes = static_cast<const char*>(launch_.arguments[array.argument]);
    std::memcpy(&bound.base, bytes + array.offset, sizeof bound.base);
  }
  bound.allocation = launch_.allocation_of(bound.base);
  bound.inner.resize(array.rank - 1);
  if (array.extents && array.rank > 1) array.extents(values(), bound.inner.data());
  return bound;
}

bool BoundModel::is_unbounded(const abi::ModelSet& set) const {
  if (!set.footprint) return true;
  for (std::uint32_t i = 0; i < set.assumption_count; ++i)
    if (!holds(set.assumptions[i])) return true;
  return false;
}

Footprint BoundModel::footprint(std::uint32_t array, const abi::ModelSet& set,
                                const Box& part) const {
  const BoundArray& bound = arrays_[array];
  Footprint result;
  if (is_unbounded(set)) {
    result.unbounded = true;
    result.everything = bound.allocation == nullptr;
    if (bound.allocation) result.bytes.add(bound.allocation->base, bound.allocation->end());
    return result;
  }
  const abi::ModelArray& described = model().arrays[array];
  const ArrayLayout layout{bound.base, described.element_bytes, described.rank, bound.inner};
  ByteSink sink(layout);
  const std::int64_t bounds[] = {part.first.x, part.first.y, part.first.z,
                                 part.last.x,  part.last.y,  part.last.z};
  set.footprint(values(), bounds, &sink);
  result.bytes = std::move(sink.all);
  result.bytes.normalise();
  result.problem = std::move(sink.problem);
  const bool may_overlap = (set.flags & abi::set_boxes_overlap) != 0;
  if (result.problem.empty() && !may_overlap && sink.bytes_in_boxes != result.bytes.bytes())
    result.problem = sink.overlap_text();
  return result;
}

std::string BoundModel::element_text(std::uint32_t array, std::uintptr_t address) const {
  const abi::ModelArray& described = model().arrays[array];
  const BoundArray& bound = arrays_[array];
  const auto offset = static_cast<std::int64_t>(address - bound.base);
  std::int64_t element = offset / described.element_bytes;
  std::int64_t byte = offset % described.element_bytes;
  if (byte < 0) {
    byte += described.element_bytes;
    --element;
  }
  std::string subscripts;
  for (std::size_t i = bound.inner.size(); i > 0 && element >= 0 && bound.inner[i - 1] > 0; --i) {
    subscripts = "[" + std::to_string(element % bound.inner[i - 1]) + "]" + subscripts;
    element /= bound.inner[i - 1];
  }
  std::string text = std::string(described.name ? described.name : "?") + "[" +
                     std::to_string(element) + "]" + subscripts;
  if (byte != 0) text += " + " + std::to_string(byte) + " bytes";
  return text;
}

std::optional<std::uint32_t> BoundModel::array_at(std::uintptr_t address) const {
  std::optional<std::uint32_t> best;
  for (std::uint32_t i = 0; i < arrays_.size(); ++i) {
    const Allocation* allocation = arrays_[i].allocation;
    if (!allocation || address < allocation->base || address >= allocation->end()) continue;
    const auto distance = [&](std::uint32_t array) {
      const std::uintptr_t base = arrays_[array].base;
      return base <= address ? address - base : ~std::uintptr_t{0} - (base - address);
    };
    if (!best || distance(i) < distance(*best)) best = i;
  }
  return best;
}

std::string BoundModel::launch_text() const {
  std::string text = "grid " + dim_text(launch_.grid) + " block " + dim_text(launch_.block);
  text += " arguments (";
  for (std::uint32_t i = 0; i < launch_.kernel->parameter_count; ++i)
    text +=
        (i > 0 ? ", " : "") + argument_text(launch_.kernel->parameters[i], launch_.arguments[i]);
  return text + ")";
}

}  // namespace gridspan::runtime::verify
