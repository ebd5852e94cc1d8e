// From one simplified kernel to all its code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/kernel_cutter.h"

#include "codegen/passes.h"
#include "transforms/rolled_loops.h"
#include "transforms/shared_atomics.h"
#include "transforms/shared_scope.h"
#include "transforms/sync_points.h"
#include "transforms/thread_entry.h"
#include "transforms/thread_functions.h"
#include "transforms/thread_work.h"
#include "transforms/threads_apart.h"
#include "transforms/warp_steps/step_order.h"

#include "llvm/IR/InstIterator.h"

namespace gridspan::codegen {

using namespace llvm;

static std::vector<KernelParameter> parameters_of(const Function& kernel) {
  const DataLayout& layout = kernel.getParent()->getDataLayout();
  std::vector<KernelParameter> parameters;
  std::uint32_t offset = 0;
  for (const Argument& argument : kernel.args()) {
    Type* type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
    Align align = argument.hasByValAttr() ? argument.getParamAlign().valueOrOne()
                                          : layout.getABITypeAlign(type);
    auto size = static_cast<std::uint32_t>(argument.hasByValAttr() ? layout.getTypeAllocSize(type)
                                                                   : layout.getTypeStoreSize(type));
    offset = static_cast<std::uint32_t>(alignTo(offset, align));
    parameters.push_back(
        {size, static_cast<std::uint32_t>(align.value()), offset, type->isPointerTy()});
    offset += size;
  }
  return parameters;
}

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

void cut_kernel(const transforms::KernelDeclaration& declaration, TargetMachine& target,
                const FormOptions& options, KernelCode& code) {
  Function& kernel = *declaration.function;
  transforms::ReadThrough through;
  if (options.staging) through = transforms::copy_reading_through(kernel);
  if (transforms::allow_unrolling(kernel)) simplify_again(kernel, target);
  transforms::number_steps(kernel);
  code.where = transforms::source_line(kernel);
  code.parameters = parameters_of(kernel);
  code.max_threads = declaration.max_threads;
  code.min_blocks = declaration.min_blocks;
  code.static_shared = transforms::static_shared_bytes(kernel);
  code.prints_or_traps = calls_service(
      kernel, {"gridspan_device_vprintf", "gridspan_device_trap", "gridspan_device_assertfail"});
  code.thread_instructions = transforms::most_instructions(kernel);
  code.threads_are_apart = transforms::threads_are_apart(kernel);
  code.launches = calls_service(
      kernel, {"gridspan_device_launch", "gridspan_device_copy", "gridspan_device_fill"});
  count_sync_points(kernel, code);
  code.fiber_reason = transforms::choose_fibers(kernel);
  if (!code.fiber_reason && code.block_barriers + code.warp_operations > transforms::max_regions)
    code.fiber_reason = {{}, "too many barriers and warp operations"};
  transforms::copy_written_parameters(kernel);
  Function* checked = transforms::make_thread_entry(kernel, /*is_checked=*/true);
  Function* plain = transforms::make_thread_entry(kernel, /*is_checked=*/false);
  skip_optimisation(*checked);
  code.thread = plain;
  if (code.fiber_reason) {
    transforms::choose_checked(*plain, *checked);
    kernel.deleteBody();
    if (through.kernel) through.kernel->eraseFromParent();
    return;
  }
  transforms::mark_shared_atomics(kernel);
  transforms::tell_shared_apart(kernel);
  FormOptions possible = options;
  possible.regions.whole_warps &= code.max_threads == 0 || code.max_threads >= abi::warp_size;
  code.regions = make_block_forms(target, kernel, through, possible);
  if (code.regions.regions.empty()) return transforms::choose_checked(*plain, *checked);
  plain->eraseFromParent();  // nothing but interpret mode runs it
  code.thread = checked;
}

}  // namespace gridspan::codegen
