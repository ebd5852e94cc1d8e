// The CPU device's memory: host memory, aligned and counted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace gridspan::devices::cpu {

class DeviceMemory {
 public:
  /// Never holds more than `capacity` bytes at a time.
  explicit DeviceMemory(std::uint64_t capacity) : capacity_(capacity) {}
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// Aligned to 256, large blocks to 2 MiB; null when there is no room.
  void* allocate(std::size_t size);
  void free(void* memory);

 private:
  std::uint64_t capacity_;
  std::uint64_t used_ = 0;
  std::unordered_map<void*, std::size_t> blocks_;
};

}  // namespace gridspan::devices::cpu
