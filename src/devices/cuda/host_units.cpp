// Threads that take the next piece until all are made.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/host_units.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace gridspan::devices::cuda {

std::vector<Physical> make_host_units(const GpuContext& gpu, std::size_t count,
                                      const std::function<std::size_t(std::size_t)>& length) {
  constexpr std::size_t most_threads = 8;
  std::vector<Physical> made(count);
  std::atomic<std::size_t> next{0};
  std::atomic<bool> is_full{false};
  const auto work = [&] {
    if (gpu.make_current() != success) is_full = true;
    const PhysicalProperties properties = gpu.host_properties();
    for (std::size_t at = next++; at < count && !is_full; at = next++)
      if (gpu.driver.cuMemCreate(&made[at], length(at), &properties, 0) != success) is_full = true;
  };
  {
    const std::size_t wanted = std::min<std::size_t>(
        {count, most_threads, std::max(std::thread::hardware_concurrency(), 1u)});
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < wanted; ++i) threads.emplace_back(work);
    work();
  }
  if (!is_full) return made;
  for (const Physical one : made)
    if (one != 0) gpu.driver.cuMemRelease(one);
  return {};
}

}  // namespace gridspan::devices::cuda
