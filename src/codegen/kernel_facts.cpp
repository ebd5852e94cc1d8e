// What is found out about a kernel, and its thread entries.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/device_compilation.h"
#include "codegen/kernel_work.h"
#include "codegen/parameters.h"
#include "codegen/passes.h"
#include "codegen/tuned_kernels.h"
#include "transforms/handed_on.h"
#include "transforms/own_tiles.h"
#include "transforms/rolled_loops.h"
#include "transforms/shared_scope.h"
#include "transforms/sync_points.h"
#include "transforms/thread_entry.h"
#include "transforms/thread_work.h"
#include "transforms/threads_apart.h"
#include "transforms/waiting_loops.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"

namespace gridspan::codegen {

using namespace llvm;

/// Does the kernel, or what it calls, call one of these services?
static bool calls_service(Function& kernel, std::initializer_list<StringRef> services) {
  for (Function* function : transforms::reachable_functions(kernel))
    for (Instruction& instruction : instructions(*function))
      if (auto* call = dyn_cast<CallInst>(&instruction); call && call->getCalledFunction())
        if (is_contained(services, call->getCalledFunction()->getName())) return true;
  return false;
}

static void count_sync_points(Function& kernel, KernelCode& code) {
  for (Instruction& instruction : instructions(kernel))
    if (auto point = transforms::as_sync_point(instruction)) {
      if (point->kind == abi::SyncKind::waiting_round) {
        ++code.waiting_rounds;
        continue;
      }
      ++(abi::is_block_wide(point->kind) ? code.block_barriers : code.warp_operations);
      if (point->kind == abi::SyncKind::grid_barrier) ++code.grid_barriers;
      if (point->kind == abi::SyncKind::children) ++code.child_waits;
    }
}

/// Chains of carries, as inline PTX makes them.
static bool has_wide_integers(const Function& function) {
  return any_of(instructions(function), [](const Instruction& instruction) {
    return instruction.getType()->isIntegerTy() && instruction.getType()->getIntegerBitWidth() > 64;
  });
}

/// Interpret mode only: worth compiling fast, not running fast. LLVM 19 crashes on some wide
/// integers where it is told not to optimise (inline_ptx_warps under GRIDSPAN_VERIFY).
static void skip_optimisation(Function& function) {
  if (has_wide_integers(function)) return;
  function.addFnAttr(Attribute::NoInline);
  function.addFnAttr(Attribute::OptimizeNone);
}

/// Bytes of static shared memory CUDA lets one block have on every GPU so far.
static constexpr std::uint64_t max_static_shared = 48 * 1024;

KernelWork::KernelWork(DeviceCompilation& whole, const transforms::KernelDeclaration& declared,
                       const std::string& hash)
    : compilation(whole), declaration(declared), kernel(*declared.function), target(*whole.target) {
  code.name = kernel.getName();
  code.code_hash = hash;
  if (!whole.steps) return;  // gridspan-lower runs some stages only
  if (auto found = whole.steps->of_kernel.find(code.name); found != whole.steps->of_kernel.end())
    code.steps = found->second;
}

bool KernelWork::does(const Stage& stage) const {
  return compilation.does(stage) && !is_contained(settings.without, stage.without);
}

bool KernelWork::does_for_speed(std::string_view optimisation) const {
  return compilation.is_for_speed() && compilation.does(optimisation, settings);
}

StageTimes* KernelWork::times() const { return compilation.times(); }

void KernelWork::find_settings() {
  find_tuning(code, compilation.request.tuned, compilation.source_name());
  settings = settings_of(code);
}

/// Of several kernels all are launched alike.
void KernelWork::find_launched_shapes() {
  launched =
      compilation.shapes_of(code.fused ? code.fused->launches.launches.front().kernel : code.name);
}

void KernelWork::let_others_run() {
  code.waiting_loop = transforms::find_waiting_loop(kernel);
  transforms::let_others_run(kernel);
}

void KernelWork::unroll_loops() {
  if (transforms::allow_unrolling(kernel)) simplify_again(kernel, target);
}

void KernelWork::find_own_tiles() {
  code.own_tiles = transforms::mark_own_tiles(kernel);
  if (through.kernel) transforms::mark_own_tiles(*through.kernel);
}

void KernelWork::note_facts() {
  code.where = transforms::source_line(kernel);
  code.parameters = parameters_of(kernel);
  code.max_threads = declaration.max_threads;
  code.min_blocks = declaration.min_blocks;
  code.static_shared = transforms::static_shared_bytes(kernel);
  code.prints_or_traps = calls_service(
      kernel, {"gridspan_device_vprintf", "gridspan_device_trap", "gridspan_device_assertfail"});
  code.thread_instructions = transforms::most_instructions(kernel);
  code.threads_are_apart = transforms::threads_are_apart(kernel);
  code.hands_on = transforms::blocks_hand_on(kernel);
  code.takes_any_order = !code.hands_on && !transforms::blocks_may_wait(kernel);
  code.launches = calls_service(
      kernel, {"gridspan_device_launch", "gridspan_device_copy", "gridspan_device_fill"});
  count_sync_points(kernel, code);
  if (code.static_shared > max_static_shared)
    compilation.diagnostics.push_back({Diagnostic::Kind::error, code.where.file, code.where.line, 0,
                                       "kernel '" + demangle(code.name) +
                                           "' uses too much shared data (" +
                                           std::to_string(code.static_shared) + " bytes, " +
                                           std::to_string(max_static_shared) + " max)"});
}

void KernelWork::choose_executor() {
  code.fiber_reason = transforms::choose_fibers(kernel);
  // Blocks that stop for the grid or for children do so together.
  if (!code.fiber_reason && code.waiting_rounds != 0 &&
      (code.grid_barriers != 0 || code.child_waits != 0 || code.launches))
    code.fiber_reason = code.waiting_loop;
  // Regions are fast wherever they are right, but thousands take minutes to compile.
  constexpr unsigned most_with_volatile = 1000;
  const bool has_many = sync_points() > most_with_volatile;
  const auto settled = code.fiber_reason ? std::nullopt : transforms::find_volatile_load(kernel);
  code.has_settled_volatile = settled.has_value();
  if (settled && has_many) code.fiber_reason = settled;
  if (!code.fiber_reason && sync_points() > transforms::max_regions)
    code.fiber_reason = {{}, "too many barriers and warp operations"};
}

/// Those are all of a kernel that runs on fibers.
void KernelWork::make_thread_entries() {
  checked_ = transforms::make_thread_entry(kernel, /*is_checked=*/true);
  plain_ = transforms::make_thread_entry(kernel, /*is_checked=*/false);
  skip_optimisation(*checked_);
  code.thread = plain_;
  if (!code.fiber_reason) return;
  transforms::choose_checked(*plain_, *checked_);
  kernel.deleteBody();
  if (through.kernel) through.kernel->eraseFromParent();
  is_done_ = true;
}

/// Where there are regions, nothing but interpret mode runs entries of threads.
void KernelWork::keep_for_interpreter() {
  if (code.regions.regions.empty()) return transforms::choose_checked(*plain_, *checked_);
  plain_->eraseFromParent();
  code.thread = checked_;
}

}  // namespace gridspan::codegen
