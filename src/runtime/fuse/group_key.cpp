// Kernels, shapes, addresses and scalars of launches as bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/group_key.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <type_traits>

namespace gridspan::runtime::fuse {

namespace {

template <class T>
void append_value(std::string& bytes, const T& value) {
  static_assert(std::has_unique_object_representations_v<T>);
  const auto own = std::as_bytes(std::span(&value, 1));
  bytes.append(reinterpret_cast<const char*>(own.data()), own.size());
}

void append_argument(std::string& bytes, const KernelCommand& command, std::int32_t argument,
                     std::uint32_t offset, std::size_t size) {
  const abi::Parameter& parameter = command.kernel->parameters[argument];
  const auto* from = reinterpret_cast<const char*>(command.arguments.bytes());
  bytes.append(from + parameter.offset + offset, size);
}

enum class Kind : std::uint8_t { moved, written };

bool is_of(const abi::ModelArray& array, Kind kind) {
  return std::any_of(array.sets, array.sets + array.set_count, [&](const abi::ModelSet& set) {
    return kind == Kind::written ? set.kind != abi::SetKind::read
                                 : (set.flags & abi::set_moved) != 0;
  });
}

/// Bases of the allocations that such arrays are in; nothing: not all are known.
std::optional<std::set<std::uintptr_t>> bases(std::span<KernelCommand* const> launches,
                                              const AllocationTable& allocations, Kind kind) {
  std::set<std::uintptr_t> found;
  std::set<const void*> known;
  for (const KernelCommand* launch : launches) {
    const abi::KernelModel& model = *launch->kernel->model;
    for (std::uint32_t i = 0; i < model.array_count; ++i) {
      const abi::ModelArray& array = model.arrays[i];
      if (!is_of(array, kind)) continue;
      if (array.symbol >= 0 || array.argument < 0) return std::nullopt;
      const abi::Parameter& parameter = launch->kernel->parameters[array.argument];
      const void* address = nullptr;
      std::memcpy(&address, launch->arguments.bytes() + parameter.offset + array.offset,
                  sizeof address);
      if (!known.insert(address).second) continue;
      const Lookup lookup = allocations.find(address);
      if (!lookup.is_held() || !has_one_address(lookup.allocation.kind)) return std::nullopt;
      found.insert(lookup.allocation.base);
    }
  }
  return found;
}

/// No launch writes what such scalars move reads of; false where there are none.
bool may_leave_out_movers(std::span<KernelCommand* const> launches,
                          const AllocationTable& allocations) {
  if (std::ranges::none_of(launches, [](const KernelCommand* launch) {
        return launch->kernel->model->read_movers != 0;
      }))
    return false;
  const auto moved = bases(launches, allocations, Kind::moved);
  const auto written = moved ? bases(launches, allocations, Kind::written) : std::nullopt;
  return written &&
         std::ranges::none_of(*moved, [&](std::uintptr_t base) { return written->contains(base); });
}

}  // namespace

bool moves_reads(const abi::KernelModel& model, const abi::ModelScalar& scalar) {
  const auto index = static_cast<std::size_t>(&scalar - model.scalars);
  return index < 32 && (model.read_movers >> index & 1) != 0;
}

GroupKey::GroupKey(std::span<KernelCommand* const> launches, const AllocationTable& allocations)
    : GroupKey(launches, may_leave_out_movers(launches, allocations)) {}

GroupKey::GroupKey(std::span<KernelCommand* const> launches, bool leaves_out_movers) {
  bytes_.reserve(launches.size() * 128);
  ends_.reserve(launches.size());
  for (const KernelCommand* launch : launches) {
    append(*launch, leaves_out_movers);
    ends_.push_back(bytes_.size());
  }
}

void GroupKey::append(const KernelCommand& command, bool leaves_out_movers) {
  append_value(bytes_, command.kernel);
  append_value(bytes_, std::uint32_t{leaves_out_movers});
  append_value(bytes_, command.symbols.addresses);
  append_value(bytes_, command.shape);
  const abi::KernelModel& model = *command.kernel->model;
  for (std::uint32_t i = 0; i < model.scalar_count; ++i) {
    const abi::ModelScalar& scalar = model.scalars[i];
    if (leaves_out_movers && moves_reads(model, scalar)) continue;
    append_argument(bytes_, command, static_cast<std::int32_t>(scalar.argument), scalar.offset,
                    scalar.bytes);
  }
  for (std::uint32_t i = 0; i < model.array_count; ++i) {
    const abi::ModelArray& array = model.arrays[i];
    if (array.symbol < 0 && array.argument >= 0)
      append_argument(bytes_, command, array.argument, array.offset, sizeof(void*));
  }
}

std::string_view GroupKey::launch(std::size_t index) const {
  const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
  return std::string_view(bytes_).substr(begin, ends_[index] - begin);
}

std::size_t GroupKey::period() const {
  for (std::size_t period = 1; period < ends_.size(); ++period) {
    bool repeats = true;
    for (std::size_t i = 0; repeats && i + period < ends_.size(); ++i)
      repeats = launch(i) == launch(i + period);
    if (repeats) return period;
  }
  return 0;
}

}  // namespace gridspan::runtime::fuse
