// Compares bytes of arguments, and bytes that arrays touch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/common_values.h"

#include "runtime/fuse/group_key.h"
#include "runtime/fuse/refusal.h"
#include "runtime/plan/bound_launch.h"
#include "support/readable_name.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <tuple>

namespace gridspan::runtime::fuse {

namespace {

struct Value {
  std::uint32_t size;
  bool is_pointer;
  std::uint64_t bits;
  friend bool operator==(const Value&, const Value&) = default;
};

/// All of the parameter is in the key of a group: plans are used again for launches that are equal
/// in their keys only (group_key.h).
bool is_in_key(const abi::KernelModel& model, const abi::Parameter& parameter,
               std::uint32_t index) {
  const auto is_pointer_of = [&](const abi::ModelArray& one) {
    return one.symbol < 0 && one.argument == static_cast<std::int32_t>(index) && one.offset == 0;
  };
  const auto is_number_of = [&](const abi::ModelScalar& one) {
    return one.argument == index && one.offset == 0 && one.bytes == parameter.size &&
           !moves_reads(model, one);
  };
  return parameter.is_pointer != 0
             ? std::any_of(model.arrays, model.arrays + model.array_count, is_pointer_of)
             : std::any_of(model.scalars, model.scalars + model.scalar_count, is_number_of);
}

/// Nothing: it is a number of its own, whatever it is.
std::optional<Value> value_of(const KernelCommand& command, std::uint32_t index) {
  const abi::Parameter& parameter = command.kernel->parameters[index];
  if (parameter.size > sizeof(Value::bits) || !is_in_key(*command.kernel->model, parameter, index))
    return std::nullopt;
  Value value{parameter.size, parameter.is_pointer != 0, 0};
  std::memcpy(&value.bits, command.arguments.bytes() + parameter.offset, parameter.size);
  return value;
}

/// An array of one of the launches: arrays of equal names are the same memory in the proof.
struct Place {
  const abi::Kernel* kernel;
  std::tuple<long, std::int32_t, std::uint32_t> name;  // number or -1, symbol, offset
  std::uintptr_t begin = 0, end = 0;                   // bytes that it may touch
};

Place place_of(const KernelCommand& command, const BoundLaunch& launch, const BoundArray& bound,
               const std::vector<unsigned>& numbers) {
  const abi::ModelArray& array = *bound.array;
  const bool is_argument = array.symbol < 0 && array.argument >= 0;
  Place place{command.kernel,
              {is_argument ? long{numbers[static_cast<std::size_t>(array.argument)]} : -1,
               is_argument ? -1 : array.symbol, array.offset}};
  if (!bound.buffer) return place;
  place.begin = bound.buffer->allocation.base;
  place.end = bound.buffer->allocation.end();
  if (const auto touched = launch.touched_bytes(bound, command.shape.grid)) {
    place.begin = bound.address + static_cast<std::uintptr_t>(touched->begin);
    place.end = bound.address + static_cast<std::uintptr_t>(touched->end);
  }
  return place;
}

std::string overlap_text(const abi::Kernel& one, const abi::Kernel& other) {
  return "'" + support::readable_name(one.name) + "' and '" + support::readable_name(other.name) +
         "': arrays by other names may overlap" + at_lines(one, other);
}

bool may_meet(const Place& one, const Place& other) {
  return one.name != other.name && one.begin < other.end && other.begin < one.end;
}

}  // namespace

std::vector<CommonValues::Source> sources_of(const support::FusedLaunches& launches) {
  std::vector<CommonValues::Source> sources;
  for (std::uint32_t i = 0; i < launches.launches.size(); ++i)
    for (std::uint32_t p = 0; p < launches.launches[i].values.size(); ++p)
      if (launches.launches[i].values[p] == sources.size()) sources.push_back({i, p});
  return sources;
}

CommonValues common_values(std::span<KernelCommand* const> launches) {
  CommonValues made;
  std::vector<std::optional<Value>> known;  // by number
  for (std::uint32_t i = 0; i < launches.size(); ++i) {
    const KernelCommand& command = *launches[i];
    support::FusedLaunches::Launch& launch = made.launches.launches.emplace_back();
    launch.kernel = command.kernel->name;
    for (std::uint32_t p = 0; p < command.kernel->parameter_count; ++p) {
      const std::optional<Value> value = value_of(command, p);
      const auto same = value ? std::ranges::find(known, value) : known.end();
      launch.values.push_back(static_cast<unsigned>(same - known.begin()));
      if (same == known.end()) known.push_back(value);
    }
  }
  const auto& [grid, block, shared] = launches.front()->shape;
  made.launches.one_block = {grid.x == 1, grid.y == 1, grid.z == 1};
  made.launches.one_thread = {block.x == 1, block.y == 1, block.z == 1};
  return made;
}

TouchedMemory touched_memory(std::span<KernelCommand* const> launches, const CommonValues& values,
                             const AllocationTable& allocations) {
  TouchedMemory touched;
  touched.buffers.resize(values.launches.value_count());
  BufferTable buffers(allocations, 1);
  std::deque<BoundLaunch> bound;
  std::vector<Place> places;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const KernelCommand& command = *launches[i];
    const BoundLaunch& launch = bound.emplace_back(command, buffers);
    if (!launch.holds_all()) {
      touched.refusal = "an assumption of the model of '" +
                        support::readable_name(command.kernel->name) + "' does not hold" +
                        at_line(*command.kernel);
      return touched;
    }
    const std::vector<unsigned>& numbers = values.launches.launches[i].values;
    for (const BoundArray& array : launch.arrays()) {
      places.push_back(place_of(command, launch, array, numbers));
      if (array.array->symbol < 0 && array.array->argument >= 0)
        touched.buffers[numbers[static_cast<std::size_t>(array.array->argument)]].push_back(
            array.buffer ? array.buffer->allocation.base : 0);
    }
  }
  for (auto one = places.begin(); one != places.end(); ++one) {
    const auto other = std::find_if(one + 1, places.end(),
                                    [&](const Place& later) { return may_meet(*one, later); });
    if (other != places.end()) touched.refusal = overlap_text(*one->kernel, *other->kernel);
  }
  return touched;
}

}  // namespace gridspan::runtime::fuse
