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
  if (bound.address != 0) bound.buffer = buffers.find(bound.address);
  if (bound.buffer) {
    bound.offset = static_cast<std::int64_t>(bound.address - bound.buffer->allocation.base);
  }
  bound.inner.resize(array.rank - 1);
  if (array.extents && array.rank > 1) array.extents(values(), bound.inner.data());
  if (bound.buffer) bound.view = array_view(bound.buffer->view().bytes, bound.shape());
  return bound;
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
