// The CPU as a CUDA device: region code and fibers on a pool of threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/cpu_device.h"

#include "devices/cpu/block_storage.h"
#include "devices/cpu/cost_history.h"
#include "devices/cpu/device_facts.h"
#include "devices/cpu/device_memory.h"
#include "devices/cpu/fiber_worker.h"
#include "devices/cpu/kernel_guard.h"
#include "devices/cpu/misuse_log.h"
#include "devices/cpu/part.h"
#include "devices/cpu/region_worker.h"
#include "devices/cpu/worker_pool.h"

#include <algorithm>
#include <new>
#include <vector>

namespace gridspan::devices::cpu {
namespace {

/// Calls `work`; what it throws becomes the part's result, so that nothing reaches TBB or C.
template <class Work>
void without_exceptions(Part& part, Work work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    part.report({Fault::trap, "error: out of memory for the stacks or shared memory of blocks"});
  }
}

class CpuDevice final : public Device {
 public:
  explicit CpuDevice(const CpuOptions& options)
      : interpret_(options.interpret),
        facts_(read_device_facts(options.threads != 0 ? options.threads : usable_threads())),
        memory_(facts_.memory_bytes),
        pool_(facts_.workers) {
    install_fault_handlers();
    for (unsigned i = 0; i < pool_.size(); ++i) {
      region_workers_.push_back(std::make_unique<RegionWorker>(costs_));
      fiber_workers_.push_back(std::make_unique<FiberWorker>(interpret_ ? &misuse_ : nullptr));
    }
  }

  const DeviceFacts& facts() const override { return facts_; }
  void* allocate(std::size_t size) override { return memory_.allocate(size); }
  void free(void* memory) override { memory_.free(memory); }
  void set_stack_bytes(std::size_t bytes) override {
    stack_bytes_ = std::max(bytes, least_stack_bytes);
  }

  RunResult run_part(const abi::Kernel& kernel, const abi::LaunchContext& launch) override {
    Part part(kernel, launch);
    const std::uint32_t threads = part.threads_per_block();
    if (part.left() == 0) return {};
    if (threads == 0 || threads > abi::max_block_threads) {
      return {Fault::trap, "error: a block of " + std::to_string(threads) + " threads"};
    }
    if (interpret_ || (kernel.flags & abi::kernel_needs_fibers) != 0 || kernel.region_count == 0) {
      run_on_fibers(part);
    } else {
      run_as_regions(part);
    }
    return part.take_result();
  }

 private:
  static constexpr std::size_t least_stack_bytes = 64 << 10;
  /// Services run on the fiber's stack, printf of a double with many digits the deepest.
  static constexpr std::size_t service_stack_bytes = 32 << 10;

  void run_as_regions(Part& part) {
    RegionWorker& own = *region_workers_.front();
    without_exceptions(part, [&] { own.run_alone(part, pool_.size()); });
    if (part.left() == 0 || part.stopped()) return;
    struct Job {
      CpuDevice& device;
      Part& part;
    } job{*this, part};
    pool_.run(
        [](void* self, unsigned slot) {
          auto& [device, all] = *static_cast<Job*>(self);
          RegionWorker& worker = *device.region_workers_[slot];
          without_exceptions(all, [&] { worker.run_shared(all, device.pool_.size()); });
        },
        &job);
  }

  void run_on_fibers(Part& part) {
    struct Job {
      CpuDevice& device;
      FiberLaunch launch;
      std::size_t stack_bytes;
    };
    Job job{*this,
            {part, pool_.size()},
            std::max<std::size_t>(stack_bytes_, part.kernel().private_bytes + service_stack_bytes)};
    const auto work = [](void* self, unsigned slot) {
      Job& shared = *static_cast<Job*>(self);
      FiberWorker& worker = *shared.device.fiber_workers_[slot];
      without_exceptions(shared.launch.part,
                         [&] { worker.run(shared.launch, shared.stack_bytes); });
    };
    if (part.left() == 1) return work(&job, 0);
    pool_.run(work, &job);
  }

  bool interpret_;
  DeviceFacts facts_;
  DeviceMemory memory_;
  CostHistory costs_;
  MisuseLog misuse_;
  std::size_t stack_bytes_ = least_stack_bytes;
  WorkerPool pool_;
  std::vector<std::unique_ptr<RegionWorker>> region_workers_;
  std::vector<std::unique_ptr<FiberWorker>> fiber_workers_;
};

}  // namespace

std::unique_ptr<Device> make_device(const CpuOptions& options) {
  return std::make_unique<CpuDevice>(options);
}

}  // namespace gridspan::devices::cpu
