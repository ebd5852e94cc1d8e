// What a GPU's driver says of it and of its kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace gridspan::devices {

struct GpuFacts {
  /// By the driver's number, which is that of cudaDeviceAttr, too; those that the driver knows.
  std::map<int, int> attributes = {};
  std::array<unsigned char, 16> uuid = {};
  std::string bus_id = {};  // as in 0000:0A:00.0

  std::optional<int> attribute(int number) const {
    const auto found = attributes.find(number);
    if (found == attributes.end()) return std::nullopt;
    return found->second;
  }
};

/// Of a kernel that runs whole grids.
struct KernelNeeds {
  int most_threads = 0;  // of a block
  int static_shared = 0, constant_bytes = 0, local_bytes = 0;
  int registers = 0;
  int ptx_version = 0, binary_version = 0;  // 90 is sm_90
};

}  // namespace gridspan::devices
