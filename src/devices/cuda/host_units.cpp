// Threads that take the next piece until all are made.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/host_units.h"

#include "devices/cuda/crew.h"

#include <atomic>

namespace gridspan::devices::cuda {

std::vector<Physical> make_host_units(const GpuContext& gpu, std::size_t count,
                                      const std::function<std::size_t(std::size_t)>& length) {
  std::vector<Physical> made(count);
  std::atomic<std::size_t> next{0};
  std::atomic<bool> is_full{false};
  const auto work = [&](unsigned) {
    if (gpu.make_current() != success) is_full = true;
    const PhysicalProperties properties = gpu.host_properties();
    for (std::size_t at = next++; at < count && !is_full; at = next++)
      if (gpu.driver.cuMemCreate(&made[at], length(at), &properties, 0) != success) is_full = true;
  };
  crew().run(work);
  if (!is_full) return made;
  for (const Physical one : made)
    if (one != 0) gpu.driver.cuMemRelease(one);
  return {};
}

}  // namespace gridspan::devices::cuda
