// Which arrays a part would have as packed boxes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part that touches some columns of a matrix touches every unit of memory that the matrix lies
// in (memory_units.h). Where that is more than a device has, a kernel that can
// (DeviceCode::runs_packed) works on packed boxes instead: memory of their own, which is filled
// before the part and copied home after it.
#pragma once

#include "devices/device.h"
#include "runtime/plan/bound_launch.h"
#include "runtime/plan/coherence.h"
#include "runtime/plan/packed_box.h"

#include <cstdint>
#include <optional>
#include <span>

namespace gridspan::runtime {

/// Of one launch, which outlives it.
class Packer {
 public:
  Packer(const BoundLaunch& launch, const KernelCommand& command, const Coherence& coherence)
      : launch_(launch), command_(command), coherence_(coherence) {}

  /// A box for what the device's part touches of the buffer, as `view` sees it; nothing if that
  /// can't be, or takes more than half of the memory that the boxes' units do.
  std::optional<PackedBox> box_for(VirtualBuffer& buffer, unsigned device,
                                   const regions::View& view,
                                   std::span<const regions::Box> touched) const;
  /// Bytes of memory that it takes there.
  std::uint64_t memory_for(const PackedBox& box, unsigned device) const;

  const BoundLaunch& launch() const { return launch_; }

 private:
  bool can_pack(unsigned device) const;
  std::optional<std::int64_t> alignment_of(const VirtualBuffer& buffer) const;

  const BoundLaunch& launch_;
  const KernelCommand& command_;
  const Coherence& coherence_;
};

/// What a device gives out for a box of so many bytes: whole units, in a range of its own.
std::uint64_t size_of_range(const devices::DeviceMemory& memory, std::uint64_t bytes);

}  // namespace gridspan::runtime
