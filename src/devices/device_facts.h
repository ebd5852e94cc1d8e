// What a device is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/gpu_facts.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gridspan::devices {

/// A program has at most so many devices, and so many threads on all of them together.
inline constexpr unsigned max_devices = 64;
inline constexpr unsigned max_threads = 4096;

/// What a device is. `summarise` (summary.h) makes one of several; cudaDeviceProp is filled from
/// that.
struct DeviceFacts {
  std::string name;       // e.g. "Gridspan CPU (Intel Xeon ..., 2 threads)"
  std::string processor;  // e.g. "Intel Xeon ..."
  /// The device's own: devices in one physical memory have a share of it each.
  std::uint64_t memory_bytes = 0;
  std::uint32_t workers = 0;  // threads that run blocks = multiProcessorCount
  std::uint32_t clock_khz = 0;
  std::uint32_t memory_clock_khz = 0;
  std::uint32_t l2_bytes = 0;
  std::uint32_t core_cache_bytes = 0;  // that one of the workers has for itself; 0: not known
  std::uint32_t max_shared_per_block = 0;
  std::vector<unsigned> cpus = {};  // hardware threads of the host it runs on, ascending
  int numa_node = -1;               // where all of them and the memory are; -1: no single node
  bool has_own_cpus = false;        // one for each worker, and no other device runs there
  bool is_pinned = false;           // its threads never leave these CPUs
  std::string_view kind = "cpu";    // support::DeviceWord::kind
  /// The host, and devices whose memory it reaches, read and write this device's memory as their
  /// own. Else only the device itself does (DeviceMemory::copy, DeviceMemory::fill).
  bool host_reaches_memory = true;
  /// What its queue is told with the `begin_` functions it does later (CommandQueue).
  bool only_begins = false;
  std::uint32_t capability = 0;  // of a GPU: 90 is sm_90
  /// What it computes in a second, in some unit that all devices share; 0: as much as its workers
  /// would on a CPU.
  std::uint32_t speed = 0;
  /// The hardware it is on, which later processes know again by this line; and how many devices of
  /// the program share it.
  std::string place = {};
  std::uint32_t shares = 1;
  std::shared_ptr<const GpuFacts> gpu = {};  // null: it is none
};

}  // namespace gridspan::devices
