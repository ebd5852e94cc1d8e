// Kernels written by hand in the shape generated code has, and launches of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"
#include "abi/services.h"
#include "devices/cpu/cpu_device.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace gridspan::test {

using abi::BlockContext;
using abi::Dim;
using abi::Region;
using abi::SourcePoint;
using abi::SyncKind;
using abi::ThreadContext;
using devices::Fault;
using devices::RunResult;
using devices::cpu::CpuOptions;

inline constexpr std::uint16_t many = abi::many_successors;

/// The value of kernel parameter i.
template <class T>
T argument(const BlockContext* block, int i) {
  T value;
  std::memcpy(&value, block->launch->arguments[i], sizeof value);
  return value;
}

/// Linear index of the running block in the whole grid.
inline std::uint64_t block_number(const BlockContext* block) {
  const Dim grid = block->launch->grid;
  const Dim index = block->block_index;
  return index.x + std::uint64_t{grid.x} * (index.y + std::uint64_t{grid.y} * index.z);
}

/// Slot of thread t that lives across sync points; slots lie `offset` bytes per thread apart.
template <class T>
T& slot(BlockContext* block, std::uint32_t offset, std::uint32_t t) {
  return reinterpret_cast<T*>(block->frames + std::size_t{offset} * block->padded_threads)[t];
}

struct KernelParts {
  const char* name = "test_kernel";
  std::vector<Region> regions = {};
  abi::ThreadFunction thread = nullptr;
  std::uint32_t flags = 0;
  std::uint32_t static_shared = 0;
  std::uint64_t frame_bytes = 0;
};

/// A kernel that owns its region table.
class TestKernel {
 public:
  explicit TestKernel(KernelParts parts) : parts_(std::move(parts)) {
    kernel_.name = parts_.name;
    kernel_.where = {"test.cu", 1, 1};
    kernel_.thread = parts_.thread;
    kernel_.regions = parts_.regions.data();
    kernel_.region_count = static_cast<std::uint32_t>(parts_.regions.size());
    kernel_.flags = parts_.flags | (parts_.regions.empty() ? abi::kernel_needs_fibers : 0u);
    kernel_.static_shared = parts_.static_shared;
    kernel_.frame_bytes = parts_.frame_bytes;
  }
  TestKernel(const TestKernel&) = delete;
  TestKernel& operator=(const TestKernel&) = delete;
  const abi::Kernel& operator*() const { return kernel_; }

 private:
  KernelParts parts_;
  abi::Kernel kernel_{};
};

/// A whole grid; `arguments` are addresses of values.
struct TestLaunch {
  Dim grid{1, 1, 1};
  Dim block{1, 1, 1};
  std::vector<const void*> arguments = {};
  std::uint32_t dynamic_shared = 0;
  abi::LaunchContext context() const {
    abi::LaunchContext launch{};
    launch.version = abi::version;
    launch.dynamic_shared = dynamic_shared;
    launch.grid = grid;
    launch.block = block;
    launch.block_count = grid;
    launch.arguments = arguments.data();
    return launch;
  }
};

inline RunResult run(devices::Device& device, const TestKernel& kernel, const TestLaunch& launch) {
  return device.queue().run_part(*kernel, launch.context());
}

inline void expect_clean(const RunResult& result) {
  EXPECT_EQ(result.fault, Fault::none) << result.message;
}

/// Block sizes with full, missing and partial warps.
inline const std::vector<std::uint32_t> block_sizes = {1, 31, 32, 33, 63, 1000, 1023, 1024};

}  // namespace gridspan::test
