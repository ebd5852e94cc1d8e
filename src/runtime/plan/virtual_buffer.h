// An allocation of the program and its copies on the devices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/memory/allocation_table.h"
#include "runtime/plan/access_log.h"
#include "runtime/plan/device_set.h"
#include "runtime/plan/memory_units.h"
#include "runtime/plan/thin_out.h"
#include "runtime/regions/region_map.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace gridspan::runtime {

struct LaunchPlan;

/// Where each byte of an allocation is current. Device 0 is the *home*: its copy lies at the
/// address the program knows. Copies on other devices have the same layout at an address of their
/// own.
struct VirtualBuffer {
  VirtualBuffer(const Allocation& allocation_, std::size_t devices, DeviceSet holders_);

  const regions::View& view() const { return holders.view(); }
  regions::Box whole() const { return view().whole(); }
  char* home() const { return memory[0]; }

  /// Sees the buffer through another view from now on. False if its pieces are too many for that.
  bool reshape(const regions::View& view);

  Allocation allocation;
  /// The host may look at any time (managed, page-locked): all devices use the one copy.
  bool is_shared;
  /// Devices that have the current bytes. Nobody: the bytes were never written.
  regions::RegionMap<DeviceSet> holders;
  /// From so many boxes on it pays to thin them out (thin_out.h).
  std::size_t thin_out_at = 0;
  ForgottenBoxes forgotten;
  std::vector<char*> memory;       // by device; null: the device has no copy yet
  std::vector<MemoryUnits> units;  // by device
  std::uint64_t number = 0;        // of the order in which buffers were met
  /// Devices whose copy is the variable of their own code: it goes with the code.
  DeviceSet own_variables;
  std::vector<AccessLog> logs;  // by device
  /// Devices whose copy is read and written by more than one of the device's queues.
  DeviceSet streamed;
  /// Its pages at home were to be locked, with or without success.
  bool was_locked = false;

  /// The last launch whose parts read it (or only wrote it, if none did): where new data from the
  /// host is likely wanted.
  std::shared_ptr<const LaunchPlan> pattern;
  /// The number of the last launch that used it and is not little work; 0: none.
  std::uint64_t large_use = 0;
};

}  // namespace gridspan::runtime
