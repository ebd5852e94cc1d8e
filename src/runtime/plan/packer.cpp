// What can be packed, and what is worth it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/packer.h"

#include "runtime/plan/demand.h"

#include <algorithm>
#include <bit>

namespace gridspan::runtime {

namespace {

/// Accesses are as wide as that, at most.
constexpr std::uint32_t widest_access = 16;

/// Accesses are naturally aligned and no wider than an element: an element's size is a multiple.
std::int64_t access_alignment(std::uint32_t element_bytes) {
  return std::min(widest_access, element_bytes & (~element_bytes + 1));
}

}  // namespace

std::uint64_t size_of_range(const devices::DeviceMemory& memory, std::uint64_t bytes) {
  std::uint64_t size = bytes;
  // Smaller ranges share memory.
  while (memory.memory_unit(size) == 0) size = std::bit_ceil(size + 1);
  const std::uint64_t unit = memory.memory_unit(size);
  return (size + unit - 1) / unit * unit;
}

/// The clone is found by the model alone: it can tell nothing of other accesses.
bool Packer::can_pack(unsigned device) const {
  const abi::Dim& block = command_.shape.block;
  return device != 0 && launch_.obstacles() == 0 && !launch_.is_made_of_several() &&
         coherence_.lane(device).device->code().runs_packed(*command_.kernel,
                                                            block.x * block.y * block.z);
}

/// At which rows must begin; nothing if the buffer is also touched in ways that the clone does not
/// know (DeviceCode::runs_packed).
std::optional<std::int64_t> Packer::alignment_of(const VirtualBuffer& buffer) const {
  std::int64_t alignment = 1;
  for (const BoundArray& bound : launch_.arrays()) {
    if (bound.buffer != &buffer) continue;
    const abi::ModelArray& array = *bound.array;
    if (array.argument < 0 || array.offset != 0 || array.rank < 2 ||
        command_.kernel->parameters[array.argument].is_pointer == 0)
      return std::nullopt;
    alignment = std::max(alignment, access_alignment(array.element_bytes));
  }
  return alignment;
}

std::optional<PackedBox> Packer::box_for(VirtualBuffer& buffer, unsigned device,
                                         const regions::View& view,
                                         std::span<const regions::Box> touched) const {
  const bool has_units = !buffer.is_shared && buffer.units[device].unit != 0;
  if (touched.empty() || !has_units || !can_pack(device)) return std::nullopt;
  const auto alignment = alignment_of(buffer);
  const auto box = alignment ? packed_box(view, touched, *alignment) : std::nullopt;
  if (!box) return std::nullopt;
  Demand demand;
  demand.add(buffer, device, view, touched);
  demand.tidy();
  const std::uint64_t usual = demand.bytes(device);
  const bool pays = 2 * box->bytes() <= usual && 2 * memory_for(*box, device) <= usual;
  return pays ? box : std::nullopt;
}

std::uint64_t Packer::memory_for(const PackedBox& box, unsigned device) const {
  return size_of_range(coherence_.lane(device).device->memory(), box.bytes());
}

}  // namespace gridspan::runtime
