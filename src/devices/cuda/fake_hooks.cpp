// Kernels of the fake driver run on a CPU device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/fake_hooks.h"

#include "devices/cpu/cpu_device.h"
#include "support/per_thread.h"

#include <dlfcn.h>

#include <cstdio>
#include <memory>

namespace gridspan::devices::cuda {
namespace {

constinit thread_local const abi::Module* loaded_now = nullptr;
constinit thread_local std::span<const PackedArray> packed_now;

/// Each thread that launches has its own device: several fake GPUs run at once.
std::uint32_t run_on_cpu(const abi::Kernel* kernel, const abi::LaunchContext* launch, char* message,
                         std::size_t message_bytes) {
  static auto& devices = *new support::PerThread<Device>;
  Device& device = devices.get([] { return cpu::make_device({.threads = 1}).release(); });
  const RunResult result = device.queue().run_part(*kernel, *launch);
  std::snprintf(message, message_bytes, "%s", result.message.c_str());
  return static_cast<std::uint32_t>(result.fault);
}

}  // namespace

void connect_fake(const Driver& driver) {
  using Take = void (*)(const FakeHooks*);
  const auto take = reinterpret_cast<Take>(dlsym(driver.library, "gridspan_fake_cuda_take_hooks"));
  if (!take) return;
  static constexpr FakeHooks hooks{fake_hooks_version, [] { return loaded_now; },
                                   [] { return packed_now; }, run_on_cpu};
  take(&hooks);
}

Loading::Loading(const abi::Module& module) { loaded_now = &module; }
Loading::~Loading() { loaded_now = nullptr; }

Packing::Packing(std::span<const PackedArray> arrays) { packed_now = arrays; }
Packing::~Packing() { packed_now = {}; }

}  // namespace gridspan::devices::cuda
