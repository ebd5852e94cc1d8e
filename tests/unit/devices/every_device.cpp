// Kinds times decorators, none of which ever has reason to do anything.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "every_device.h"

#include "devices/failing_device.h"
#include "devices/kernel_times.h"
#include "devices/limited_device.h"
#include "devices/make_devices.h"
#include "devices/noting_device.h"
#include "devices/written_bytes.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <utility>

namespace gridspan::test {
namespace {

using devices::Device;
using One = std::unique_ptr<Device>;

One timed(One device) {
  static auto& times = *new devices::KernelTimes;
  return devices::make_timed(std::move(device), times);
}
One limited(One device) { return devices::make_limited(std::move(device), 1 << 30); }
One failing(One device) {
  return devices::make_failing(std::move(device),
                               {support::InjectedFailure::Kind::copy, 0, 1u << 30});
}
One noting(One device) {
  static auto& written = *new devices::WrittenBytes;
  devices::written_bytes.store(&written);
  return devices::make_noting(std::move(device));
}
One all(One device) { return noting(failing(limited(timed(std::move(device))))); }

constexpr EveryDevice table[] = {
    {"cpu", "cpu:2x2"},
    {"interpreter", "cpu:2x1", true},
    {"timed_cpu", "cpu:2x1", false, timed},
    {"limited_cpu", "cpu:2x1", false, limited},
    {"failing_cpu", "cpu:2x1", false, failing},
    {"noting_cpu", "cpu:2x1", false, noting},
    {"cpu_with_all", "cpu:2x1", false, all},
#ifdef GRIDSPAN_FAKE_CUDA
    {"cuda", "cuda:0x2"},
    {"timed_cuda", "cuda:0x2", false, timed},
    {"limited_cuda", "cuda:0x2", false, limited},
    {"failing_cuda", "cuda:0x2", false, failing},
    {"noting_cuda", "cuda:0x2", false, noting},
    {"cuda_with_all", "cuda:0x2", false, all},
#endif
};

}  // namespace

std::span<const EveryDevice> every_device() { return table; }

Devices make(const EveryDevice& one) {
#ifdef GRIDSPAN_FAKE_CUDA
  // Found by its name from now on.
  static void* const driver = dlopen(GRIDSPAN_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(driver, nullptr) << dlerror();
#endif
  support::Options options;
  options.devices = *support::parse_devices(one.setting);
  if (one.interprets) options.cpu = support::CpuMode::interpret;
  auto made = devices::make_devices(options);
  EXPECT_TRUE(made) << made.error().message;
  for (auto& device : *made)
    if (one.decorate) device = one.decorate(std::move(device));
  return std::move(*made);
}

}  // namespace gridspan::test
