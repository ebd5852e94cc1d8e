// One worker running blocks on fibers: resumes threads, admits blocks, leaves after a fault.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/fiber_worker.h"

#include "devices/cpu/messages.h"

#include <sched.h>

#include <algorithm>
#include <utility>

namespace gridspan::devices::cpu {
namespace {

/// Passes over all blocks without progress before the next block is admitted. A pass is up to 64
/// yields of each running thread, so this is spinning, not a short wait.
constexpr int patience = 4;

/// Passes without a block that finished before the next block is admitted although there was
/// progress: blocks may spin with a barrier inside the loop, which looks like progress.
constexpr int long_patience = 1000;

}  // namespace

void FiberWorker::run(FiberLaunch& launch, std::size_t stack_bytes) {
  const ChildScope scope(launch.part.children(), launch.part.kernel());
  prepare_thread();
  running_place_ = &running_kernel;
  frame_.leave = leave_fiber;
  frame_.owner = this;
  frame_.record = {};
  scheduler_ = {};  // this worker may run on another thread than last time
  pool_.set_stack_bytes(stack_bytes);
  int idle_passes = 0;
  int passes = 0;
  while (!launch.part.stopped()) {
    if (resident_.empty() && !admit(launch)) break;
    bool progress = false;
    const std::size_t started = resident_.size();
    if (!pass_over_blocks(launch, progress)) break;
    idle_passes = progress ? 0 : idle_passes + 1;
    passes = resident_.size() < started ? 0 : passes + 1;
    if (idle_passes < patience && passes < long_patience) continue;
    // Whom these threads wait for may have left at an access that was refused.
    if (launch.part.accesses().any() && idle_passes >= patience) break;
    idle_passes = passes = 0;
    // Whom these blocks wait for is a block that has not started, or one on another core.
    if (!admit(launch)) sched_yield();
  }
  drop_all(launch);
}

bool FiberWorker::admit(FiberLaunch& launch) {
  if (resident_.empty()) {
    launch.residency.admit();
  } else if (launch.part.left() == 0 || !launch.residency.reserve()) {
    return false;
  }
  const TileChunk next = launch.part.supply().claim_in_order(~std::uint64_t{0});
  if (next.size() == 0) {
    launch.residency.release();
    return false;
  }
  if (spare_.empty()) spare_.push_back(std::make_unique<FiberBlock>(*this, pool_, checks_));
  resident_.push_back(std::move(spare_.back()));
  spare_.pop_back();
  resident_.back()->start(launch.part, launch.part.tiles().at(next.begin));
  return true;
}

/// One pass over each resident block. False: the part is over for this worker.
bool FiberWorker::pass_over_blocks(FiberLaunch& launch, bool& progress) {
  for (std::size_t i = 0; i < resident_.size();) {
    const FiberBlock::Pass pass = resident_[i]->pass();
    progress |= pass != FiberBlock::Pass::spinning;
    if (pass == FiberBlock::Pass::finished) {
      resident_[i]->end();
      spare_.push_back(std::move(resident_[i]));
      resident_.erase(resident_.begin() + static_cast<std::ptrdiff_t>(i));
      launch.residency.release();
      launch.part.grid_barrier().leave();
      continue;
    }
    if (!settle(launch, *resident_[i], pass)) return false;
    ++i;
  }
  return true;
}

/// Deals with a block that can't go on. False: the part must end.
bool FiberWorker::settle(FiberLaunch& launch, FiberBlock& block, FiberBlock::Pass pass) {
  if (pass == FiberBlock::Pass::failed) {
    report_fault(launch.part, block);
    return false;
  }
  if (pass == FiberBlock::Pass::at_children) {
    launch.run_children();
    block.release_from_children();
    return !launch.part.stopped();
  }
  if (pass != FiberBlock::Pass::deadlock) return true;
  if (launch.part.accesses().any()) return false;  // they wait for who has left there
  if (block.report_mask_misuse()) {
    launch.part.report({Fault::misuse, {}});  // said already; this only ends the part
  } else {
    launch.part.report({Fault::barrier_deadlock, block.deadlock_text()});
  }
  return false;
}

void FiberWorker::report_fault(Part& part, FiberBlock& block) {
  FaultRecord& record = frame_.record;
  const Fiber& fiber = *current_;
  const auto low = reinterpret_cast<std::uintptr_t>(fiber.stack_low);
  recognise_overflow(record, {low - fiber_guard_bytes, low});
  record.has_thread = true;
  record.thread = fiber.thread.thread;
  const bool announced = record.has_address && fiber.access_where != nullptr &&
                         record.address - fiber.access_begin < fiber.access_size;
  if (announced) record.where = *fiber.access_where;
  part.report({record.fault, fault_message(part.kernel(), block.context(), record, fiber.where)});
}

void FiberWorker::drop_all(FiberLaunch& launch) {
  for (auto& block : resident_) {
    block->end();
    launch.residency.release();
    spare_.push_back(std::move(block));
  }
  resident_.clear();
}

void FiberWorker::fiber_main(void* argument) {
  Fiber& fiber = *static_cast<Fiber*>(argument);
  for (;;) {
    fiber.kernel->thread(&fiber.thread);
    fiber.state = FiberState::left;
    fiber.worker->suspend(fiber);
  }
}

/// After a fault, possibly on the signal stack: the fiber will not be resumed.
void FiberWorker::leave_fiber(KernelFrame& frame) {
  auto& worker = *static_cast<FiberWorker*>(frame.owner);
  switch_context(worker.current_->context, worker.scheduler_);
}

}  // namespace gridspan::devices::cpu
