// Blocks of one thread, each with its stretch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/measure/copy_kernel.h"

#include <algorithm>
#include <cstring>

namespace gridspan::devices {
namespace {

constexpr std::size_t stretch = std::size_t{256} << 10;

template <class T>
T argument(const abi::BlockContext* block, int i) {
  T value;
  std::memcpy(&value, block->launch->arguments[i], sizeof value);
  return value;
}

void copy_stretch(abi::BlockContext* block, std::uint32_t, std::uint32_t) {
  const std::size_t begin = block->block_index.x * stretch;
  const auto bytes = argument<std::size_t>(block, 2);
  std::memcpy(argument<char*>(block, 0) + begin, argument<const char*>(block, 1) + begin,
              std::min(stretch, bytes - begin));
}

/// Where every kernel runs on fibers (GRIDSPAN_CPU=interpret).
void copy_on_fiber(abi::ThreadContext* thread) { copy_stretch(thread->block, 0, 1); }

}  // namespace

RunResult run_copy(Device& device, char* to, const char* from, std::size_t bytes) {
  static constexpr abi::Region region{copy_stretch, abi::exited, {}, {}};
  abi::Kernel kernel{};
  kernel.name = "copy";
  kernel.where = {"copy_kernel.cpp", 0, 0};
  kernel.thread = copy_on_fiber;
  kernel.regions = &region;
  kernel.region_count = 1;
  const void* const arguments[] = {&to, &from, &bytes};
  abi::LaunchContext launch{};
  launch.version = abi::version;
  launch.grid = {static_cast<std::uint32_t>((bytes + stretch - 1) / stretch), 1, 1};
  launch.block = {1, 1, 1};
  launch.block_count = launch.grid;
  launch.arguments = arguments;
  return device.queue().run_part(kernel, launch);
}

}  // namespace gridspan::devices
