// Kernels of the fake driver run on a CPU device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/fake_hooks.h"

#include "devices/cpu/children.h"
#include "devices/cpu/cpu_device.h"
#include "support/per_thread.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <memory>

namespace gridspan::devices::cuda {
namespace {

constinit thread_local const abi::Module* loaded_now = nullptr;
constinit thread_local std::span<const PackedArray> packed_now;

constinit thread_local abi::ChildList* list_now = nullptr;

/// What a kernel asks for goes to the list of the kernel that the thread runs, as a GPU's code does
/// it.
class ListedChildren final : public cpu::ChildTaker {
 public:
  unsigned depth() const override { return list_now ? list_now->depth : 0; }
  std::uint32_t take(const cpu::ChildWork& work, bool at_the_end) override {
    if (!list_now) return abi::child_not_supported;
    const auto bytes = static_cast<unsigned>(work.arguments.size());
    abi::ChildRecord* const record = abi::take_record(*list_now, abi::record_bytes(bytes));
    if (!record) return abi::child_count_exceeded;
    *record = as_record(work, bytes);
    record->is_tail = at_the_end;
    if (bytes != 0) std::memcpy(record + 1, work.arguments.data(), bytes);
    return 0;
  }

 private:
  static abi::ChildRecord as_record(const cpu::ChildWork& work, unsigned argument_bytes) {
    using Kind = cpu::ChildWork::Kind;
    const auto number = [](const void* address) {
      return reinterpret_cast<unsigned long long>(address);
    };
    abi::ChildRecord record{.bytes = abi::record_bytes(argument_bytes),
                            .kind = abi::ChildKind::launch,
                            .is_tail = false,
                            .reserved = 0,
                            .shared_bytes = work.shared_bytes,
                            .argument_bytes = argument_bytes,
                            .operands = {number(work.to), number(work.from), work.bytes},
                            .grid = {work.grid.x, work.grid.y, work.grid.z},
                            .block = {work.block.x, work.block.y, work.block.z}};
    if (work.kind == Kind::launch) {
      record.operands[0] = abi::identity_of(work.kernel->name, std::strlen(work.kernel->name));
    } else if (work.kind == Kind::fill) {
      record.kind = abi::ChildKind::fill;
      record.operands[1] = work.value;
    } else {
      record.kind = abi::ChildKind::copy;
    }
    return record;
  }
};

/// Each thread that launches has its own device: several fake GPUs run at once.
std::uint32_t run_on_cpu(const abi::Kernel* kernel, const abi::LaunchContext* launch,
                         abi::ChildList* children, char* message, std::size_t message_bytes) {
  static auto& devices = *new support::PerThread<Device>;
  static auto& taker = *new ListedChildren;
  Device& device =
      devices.get([] { return cpu::make_device({.threads = 1, .children = &taker}).release(); });
  list_now = children;
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
