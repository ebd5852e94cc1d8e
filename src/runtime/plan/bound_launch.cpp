// Values, assumptions and arrays of a launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/bound_launch.h"

#include <algorithm>
#include <cstring>

namespace gridspan::runtime {

namespace {

/// `bytes` at `from`, sign-extended. Little endian, as every target of ours.
std::int64_t scalar_at(const std::byte* from, std::uint32_t bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, from, bytes);
  const unsigned unused = 64 - 8 * bytes;
  return static_cast<std::int64_t>(value << unused) >> unused;
}

}  // namespace

BoundLaunch::BoundLaunch(const KernelCommand& command, BufferTable& buffers)
    : model_(*command.kernel->model) {
  const abi::Dim& grid = command.shape.grid;
  const abi::Dim& block = command.shape.block;
  instructions_ = 1.0 * command.kernel->thread_instructions * block.x * block.y * block.z;
  values_ = {grid.x, grid.y, grid.z, block.x, block.y, block.z};
  const std::byte* arguments = command.arguments.bytes();
  for (std::uint32_t i = 0; i < model_.scalar_count; ++i) {
    const abi::ModelScalar& scalar = model_.scalars[i];
    const abi::Parameter& parameter = command.kernel->parameters[scalar.argument];
    values_.push_back(scalar_at(arguments + parameter.offset + scalar.offset, scalar.bytes));
  }
  for (std::uint32_t i = 0; i < model_.assumption_count; ++i) {
    holds_.push_back(model_.assumptions[i].holds(values()));
  }
  for (std::uint32_t i = 0; i < model_.array_count; ++i) {
    arrays_.push_back(bind(model_.arrays[i], command, buffers));
  }
}

BoundArray BoundLaunch::bind(const abi::ModelArray& array, const KernelCommand& command,
                             BufferTable& buffers) const {
  BoundArray bound{&array, nullptr, 0, 0, {}, {}};
  if (array.symbol >= 0) {
    bound.address = reinterpret_cast<std::uintptr_t>(command.symbols.addresses[array.symbol]);
  } else if (array.argument >= 0) {
    const abi::Parameter& parameter = command.kernel->parameters[array.argument];
    std::memcpy(&bound.address, command.arguments.bytes() + parameter.offset + array.offset,
                sizeof bound.address);
  }
  bound.inner.resize(array.rank - 1);
  if (array.extents && array.rank > 1) array.extents(values(), bound.inner.data());
  if (bound.address == 0) return bound;
  if (VirtualBuffer* const buffer = buffers.find(bound.address)) place(bound, buffer);
  if (array.symbol >= 0) return bound;
  // A pointer may lie beside its array: behind its end, where another one may begin. Nearly all lie
  // in it, and the first block shows that.
  const abi::Dim& grid = command.shape.grid;
  if (bound.buffer &&
      (touches(bound, *bound.buffer, {1, 1, 1}) || touches(bound, *bound.buffer, grid)))
    return bound;
  const auto touched = touched_bytes(bound, grid);
  if (!touched) return bound;
  VirtualBuffer* const other =
      buffers.find(bound.address + static_cast<std::uintptr_t>(touched->begin));
  const std::uintptr_t last = bound.address + static_cast<std::uintptr_t>(touched->end) - 1;
  if (other && last < other->allocation.end()) place(bound, other);
  return bound;
}

/// What the first `blocks` touch of the array meets the buffer, as far as is known.
bool BoundLaunch::touches(const BoundArray& bound, const VirtualBuffer& buffer,
                          const abi::Dim& blocks) const {
  const auto touched = touched_bytes(bound, blocks);
  if (!touched) return false;
  const std::uintptr_t first = bound.address + static_cast<std::uintptr_t>(touched->begin);
  const std::uintptr_t end = bound.address + static_cast<std::uintptr_t>(touched->end);
  return first < buffer.allocation.end() && buffer.allocation.base < end;
}

void BoundLaunch::place(BoundArray& bound, VirtualBuffer* buffer) const {
  bound.buffer = buffer;
  bound.offset = static_cast<std::int64_t>(bound.address - buffer->allocation.base);
  bound.view = array_view(buffer->view().bytes, bound.shape());
}

std::optional<regions::Range> BoundLaunch::touched_bytes(const BoundArray& bound,
                                                         const abi::Dim& blocks) const {
  struct Hull : abi::BoxSink {
    explicit Hull(const BoundArray& of_) : of(of_) {
      take = [](abi::BoxSink* sink, const std::int64_t* box) {
        static_cast<Hull*>(sink)->add(box);
      };
    }
    void add(const std::int64_t* box) {
      if (box[1] < box[0]) return;
      const auto bytes = of.bytes_of(box);
      is_known &= bytes.has_value();
      if (bytes) all = regions::hull_of(all, *bytes);
    }
    const BoundArray& of;
    regions::Range all;
    bool is_known = true;
  } hull(bound);
  const std::int64_t part[] = {
      0, 0, 0, std::int64_t{blocks.x} - 1, std::int64_t{blocks.y} - 1, std::int64_t{blocks.z} - 1};
  for (std::uint32_t i = 0; i < bound.array->set_count; ++i) {
    const abi::ModelSet& set = bound.array->sets[i];
    if (is_unbounded(set)) return std::nullopt;
    set.footprint(values(), part, &hull);
  }
  if (!hull.is_known || hull.all.is_empty()) return std::nullopt;
  return hull.all;
}

std::optional<regions::Range> BoundArray::bytes_of(const std::int64_t* box) const {
  constexpr __int128 most = __int128{1} << 62;
  __int128 first = 0, last = 0;
  for (std::size_t i = 0; i < array->rank; ++i) {
    if (box[3 * i + 1] < box[3 * i]) return std::nullopt;
    const std::int64_t extent = i == 0 ? 1 : inner[i - 1];
    first = first * extent + box[3 * i];
    last = last * extent + box[3 * i + 1];
    if (first < -most || first > most || last < -most || last > most) return std::nullopt;
  }
  const __int128 begin = std::min(first, last) * array->element_bytes;
  const __int128 end = (std::max(first, last) + 1) * array->element_bytes;
  if (begin < -most || end > most) return std::nullopt;
  return regions::Range{static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end)};
}

bool BoundLaunch::is_unbounded(const abi::ModelSet& set) const {
  if (!set.footprint) return true;
  return std::any_of(set.assumptions, set.assumptions + set.assumption_count,
                     [&](std::uint32_t assumption) { return !holds_[assumption]; });
}

bool BoundLaunch::knows_all_memory() const {
  return std::ranges::all_of(
      arrays_, [](const BoundArray& bound) { return bound.buffer || bound.address == 0; });
}

}  // namespace gridspan::runtime
