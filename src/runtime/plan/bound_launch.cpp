// Values, assumptions and arrays of a launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/bound_launch.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <numeric>

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
    : shape_(command.shape) {
  if (command.members.empty()) add(command);
  for (const MemberLaunch& member : command.members) add(command, member);
  for (BoundArray& bound : arrays_)
    bind(bound, command.members.empty() ? command : *command.members[bound.member].launch, buffers);
}

BoundLaunch::Member BoundLaunch::member_of(const KernelCommand& command) {
  const abi::KernelModel& model = *command.kernel->model;
  const abi::Dim& grid = command.shape.grid;
  const abi::Dim& block = command.shape.block;
  Member member{&model, {grid.x, grid.y, grid.z, block.x, block.y, block.z}, {}, model.obstacles};
  // As where volatile says so: what a part reads must not be written by another one.
  if ((command.kernel->flags & abi::kernel_hands_on) != 0)
    member.obstacles |= abi::obstacle_volatile;
  const std::byte* arguments = command.arguments.bytes();
  for (std::uint32_t i = 0; i < model.scalar_count; ++i) {
    const abi::ModelScalar& scalar = model.scalars[i];
    const abi::Parameter& parameter = command.kernel->parameters[scalar.argument];
    member.values.push_back(scalar_at(arguments + parameter.offset + scalar.offset, scalar.bytes));
  }
  for (std::uint32_t i = 0; i < model.assumption_count; ++i)
    member.holds.push_back(model.assumptions[i].holds(member.values.data()));
  return member;
}

static double instructions_of_block(const KernelCommand& command) {
  const abi::Dim& block = command.shape.block;
  return 1.0 * command.kernel->thread_instructions * block.x * block.y * block.z;
}

void BoundLaunch::add(const KernelCommand& command) {
  instructions_ = runtime::instructions_of_block(command);
  const Member& member = members_.emplace_back(member_of(command));
  for (std::uint32_t i = 0; i < member.model->array_count; ++i) {
    const abi::ModelArray& array = member.model->arrays[i];
    std::int64_t at = -1;
    if (array.symbol < 0 && array.argument >= 0)
      at = std::int64_t{command.kernel->parameters[array.argument].offset} + array.offset;
    arrays_.push_back({&array, 0, at, nullptr, 0, 0, {}, {}});
  }
}

void BoundLaunch::add(const KernelCommand& whole, const MemberLaunch& launch) {
  const double instructions = runtime::instructions_of_block(*launch.launch);
  if (members_.empty() || (instructions_ > 0 && instructions > 0))
    instructions_ += instructions;
  else
    instructions_ = 0;
  const auto number = static_cast<std::uint32_t>(members_.size());
  const Member& member = members_.emplace_back(member_of(*launch.launch));
  for (std::uint32_t i = 0; i < member.model->array_count; ++i) {
    const abi::ModelArray* array = &member.model->arrays[i];
    std::int64_t at = -1;
    if (array->symbol < 0 && array->argument >= 0) {
      const unsigned parameter = launch.parameters[static_cast<std::size_t>(array->argument)];
      at = std::int64_t{whole.kernel->parameters[parameter].offset} + array->offset;
      if (std::ranges::count(launch.unwritten, parameter) != 0) array = &without_writes(*array);
    }
    arrays_.push_back({array, number, at, nullptr, 0, 0, {}, {}});
  }
}

const abi::ModelArray& BoundLaunch::without_writes(const abi::ModelArray& array) {
  std::vector<abi::ModelSet>& sets = own_sets_.emplace_back();
  std::copy_if(array.sets, array.sets + array.set_count, std::back_inserter(sets),
               [](const abi::ModelSet& set) { return set.kind == abi::SetKind::read; });
  abi::ModelArray& own = own_arrays_.emplace_back(array);
  own.sets = sets.data();
  own.set_count = static_cast<std::uint32_t>(sets.size());
  return own;
}

std::uint32_t BoundLaunch::obstacles() const {
  std::uint32_t all = 0;
  for (const Member& member : members_) all |= member.obstacles;
  return all;
}

std::uint32_t BoundLaunch::granularity(unsigned axis) const {
  std::uint32_t all = 1;
  for (const Member& member : members_)
    all = std::lcm(all, std::max(1u, member.model->axes[axis].granularity));
  return all;
}

bool BoundLaunch::is_injective(unsigned axis) const {
  return std::ranges::all_of(members_, [axis](const Member& member) {
    const abi::ModelAxis& described = member.model->axes[axis];
    return described.legal && described.legal(member.values.data());
  });
}

bool BoundLaunch::holds_all() const {
  return std::ranges::all_of(members_, [](const Member& member) {
    return std::ranges::all_of(member.holds, [](bool holds) { return holds; });
  });
}

void BoundLaunch::bind(BoundArray& bound, const KernelCommand& command,
                       BufferTable& buffers) const {
  const abi::ModelArray& array = *bound.array;
  if (array.symbol >= 0) {
    bound.address = reinterpret_cast<std::uintptr_t>(command.symbols.addresses[array.symbol]);
  } else if (array.argument >= 0) {
    const abi::Parameter& parameter = command.kernel->parameters[array.argument];
    std::memcpy(&bound.address, command.arguments.bytes() + parameter.offset + array.offset,
                sizeof bound.address);
  }
  bound.inner.resize(array.rank - 1);
  if (array.extents && array.rank > 1) array.extents(values(bound), bound.inner.data());
  if (bound.address == 0) return;
  if (VirtualBuffer* const buffer = buffers.find(bound.address)) place(bound, buffer);
  if (array.symbol >= 0) return;
  // A pointer may lie beside its array: behind its end, where another one may begin. Nearly all lie
  // in it, and the first block shows that.
  if (bound.buffer &&
      (touches(bound, *bound.buffer, {1, 1, 1}) || touches(bound, *bound.buffer, grid())))
    return;
  const auto touched = touched_bytes(bound, grid());
  if (!touched) return;
  VirtualBuffer* const other =
      buffers.find(bound.address + static_cast<std::uintptr_t>(touched->begin));
  const std::uintptr_t last = bound.address + static_cast<std::uintptr_t>(touched->end) - 1;
  if (other && last < other->allocation.end()) place(bound, other);
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
    if (is_unbounded(bound, set)) return std::nullopt;
    touch(bound, set, part, &hull);
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

bool BoundLaunch::is_unbounded(const BoundArray& bound, const abi::ModelSet& set) const {
  if (!set.footprint) return true;
  const std::vector<bool>& holds = members_[bound.member].holds;
  return std::any_of(set.assumptions, set.assumptions + set.assumption_count,
                     [&](std::uint32_t assumption) { return !holds[assumption]; });
}

bool BoundLaunch::knows_all_memory() const {
  return std::ranges::all_of(
      arrays_, [](const BoundArray& bound) { return bound.buffer || bound.address == 0; });
}

}  // namespace gridspan::runtime
