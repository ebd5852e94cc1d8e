// One worker running blocks on fibers: resumes threads, admits blocks, leaves after a fault.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cpu/cpu_device.h"
#include "devices/cpu/fiber_block.h"
#include "devices/cpu/fiber_stacks.h"
#include "devices/cpu/kernel_guard.h"
#include "devices/cpu/misuse_log.h"
#include "devices/cpu/part.h"
#include "devices/cpu/residency.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace gridspan::devices::cpu {

/// One part on fibers, shared by its workers. A worker begins another block also when none of its
/// blocks ends for long.
struct FiberLaunch {
  FiberLaunch(Part& whole, unsigned workers, std::function<void()> children)
      : part(whole), residency(whole, workers), run_children(std::move(children)) {}

  Part& part;
  Residency residency;
  /// Runs what the part's kernels launched. A kernel that waits for that runs on one worker.
  std::function<void()> run_children;
};

class FiberWorker {
 public:
  explicit FiberWorker(MisuseLog* checks) : checks_(checks), pool_(*this) {}
  FiberWorker(const FiberWorker&) = delete;
  FiberWorker& operator=(const FiberWorker&) = delete;

  /// Runs blocks until the launch has none left for this worker.
  void run(FiberLaunch& launch, std::size_t stack_bytes);

  /// Continues a fiber until it yields, waits or leaves. False: it ran into a fault.
  bool resume(Fiber& fiber) {
    current_ = &fiber;
    *running_place_ = &frame_;
    switch_context(scheduler_, fiber.context);
    *running_place_ = nullptr;
    return frame_.record.fault == Fault::none;
  }
  /// Called on the fiber.
  void suspend(Fiber& fiber) { switch_context(fiber.context, scheduler_); }
  static void fiber_main(void* fiber);
  /// Some thread that this worker runs, or ran, has local memory there.
  bool has_stack_at(std::uintptr_t address) const { return pool_.has_stack_at(address); }

 private:
  static void leave_fiber(KernelFrame& frame);
  bool admit(FiberLaunch& launch);
  bool pass_over_blocks(FiberLaunch& launch, bool& progress);
  bool settle(FiberLaunch& launch, FiberBlock& block, FiberBlock::Pass pass);
  void report_fault(Part& part, FiberBlock& block);
  void drop_all(FiberLaunch& launch);

  MisuseLog* checks_;
  SwitchContext scheduler_;
  KernelFrame frame_;
  KernelFrame** running_place_ = nullptr;  // the running thread's `running_kernel`
  Fiber* current_ = nullptr;
  FiberPool pool_;
  std::vector<std::unique_ptr<FiberBlock>> resident_;  // in the order they started
  std::vector<std::unique_ptr<FiberBlock>> spare_;
};

}  // namespace gridspan::devices::cpu
