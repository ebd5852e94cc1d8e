// How the fake driver of our tests gets at kernels (tests/devices/fake_cuda).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake driver has no GPU to run PTX on: it asks for the code that a CPU runs of the same
// kernel. A real driver lacks the function that takes these hooks, and they do nothing.
#pragma once

#include "abi/child_list.h"
#include "abi/module.h"
#include "devices/cuda/driver.h"
#include "devices/packed_array.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace gridspan::devices::cuda {

inline constexpr std::uint32_t fake_hooks_version = 3;

struct FakeHooks {
  std::uint32_t version;
  /// The module whose code this thread is loading; null if it loads something else.
  const abi::Module* (*loading)();
  /// The boxes of what this thread is launching.
  std::span<const PackedArray> (*packed)();
  /// Runs blocks [first_block, +block_count) of a kernel on the CPU, which notes what it launches
  /// on the list. A fault, as its number; `message` receives why.
  std::uint32_t (*run)(const abi::Kernel* kernel, const abi::LaunchContext* launch,
                       abi::ChildList* children, char* message, std::size_t message_bytes);
};

/// Gives a fake driver the hooks; does nothing with a real one.
void connect_fake(const Driver& driver);

/// Says what this thread loads.
class Loading {
 public:
  explicit Loading(const abi::Module& module);
  Loading(const Loading&) = delete;
  Loading& operator=(const Loading&) = delete;
  ~Loading();
};

/// Says which boxes this thread is launching a kernel with.
class Packing {
 public:
  explicit Packing(std::span<const PackedArray> arrays);
  Packing(const Packing&) = delete;
  Packing& operator=(const Packing&) = delete;
  ~Packing();
};

}  // namespace gridspan::devices::cuda
