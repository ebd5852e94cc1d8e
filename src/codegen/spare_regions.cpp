// Which regions are spare, and who does without.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/spare_regions.h"

#include "transforms/kernels.h"
#include "transforms/math_calls.h"
#include "transforms/reciprocal_roots.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

namespace gridspan::codegen {

using namespace llvm;
using transforms::RegionCode;
using transforms::RegionKernel;

/// More are not worth compiling for CPUs without AVX2.
static constexpr std::size_t most_of_baseline = 32;

/// No longer among the functions whose threads become lanes.
static void forget_loops_of(RegionKernel& kernel) {
  erase_if(kernel.loops, [&](const Function* loop) {
    return any_of(kernel.regions, [&](const RegionCode& one) { return one.function == loop; });
  });
}

/// It was compiled fast, for interpret mode only.
static void optimise_thread(KernelCode& kernel) {
  kernel.thread->removeFnAttr(Attribute::OptimizeNone);
  kernel.thread->removeFnAttr(Attribute::NoInline);
}

static void leave_to_fibers(KernelCode& kernel, bool with_forms) {
  forget_loops_of(kernel.regions);
  kernel.regions.regions.clear();
  if (with_forms) kernel.regions = {};
  optimise_thread(kernel);
}

/// Results of both sets are the same but for functions that each computes in its own way.
static bool is_same_everywhere(Function& code) {
  for (Function* function : transforms::reachable_functions(code))
    for (Instruction& one : instructions(*function))
      if (transforms::is_math_call(one) || transforms::is_reciprocal_root(one)) return false;
  return true;
}

static void share_regions(KernelCode& kernel, const KernelCode& other) {
  if (!all_of(kernel.regions.regions,
              [](const RegionCode& region) { return is_same_everywhere(*region.function); }))
    return;
  forget_loops_of(kernel.regions);
  kernel.regions.regions = other.regions.regions;
}

/// Where threads of a kernel that always runs on fibers go on if they are checked
/// (transforms::choose_checked).
static CallInst* checked_call(Function& thread) {
  for (Instruction& one : instructions(thread))
    if (auto* call = dyn_cast<CallInst>(&one); call && call->getCalledFunction())
      if (call->getCalledFunction()->hasFnAttribute(Attribute::OptimizeNone)) return call;
  return nullptr;
}

/// The baseline rounds a product before it is added to.
static bool rounds_alike(Function& code) {
  for (Function* function : transforms::reachable_functions(code))
    for (const Instruction& one : instructions(*function)) {
      const auto* call = dyn_cast<IntrinsicInst>(&one);
      if (call && call->getIntrinsicID() == Intrinsic::fmuladd) return false;
      if (isa<FPMathOperator>(one) && one.hasAllowContract()) return false;
    }
  return true;
}

static void share_checked(KernelCode& kernel, const KernelCode& other) {
  CallInst* call = checked_call(*kernel.thread);
  const CallInst* known = checked_call(*other.thread);
  if (call && known && is_same_everywhere(*call->getCalledFunction()))
    call->setCalledFunction(known->getCalledFunction());
}

/// Code for interpret mode of a large module is there once.
static void share_threads(std::vector<VariantCode>& variants, std::size_t kernel) {
  KernelCode& baseline = variants.front().kernels[kernel];
  for (VariantCode& variant : drop_begin(variants)) {
    if (!rounds_alike(*baseline.thread)) continue;
    if (baseline.fiber_reason)
      share_checked(variant.kernels[kernel], baseline);
    else if (is_same_everywhere(*baseline.thread))
      variant.kernels[kernel].thread = baseline.thread;
  }
}

void leave_out_spare_regions(std::vector<VariantCode>& variants, bool is_large) {
  if (variants.size() < 2) return;  // who names a CPU gets all for that
  for (std::size_t i = 0; i < variants.front().kernels.size(); ++i) {
    KernelCode& baseline = variants.front().kernels[i];
    if (is_large) share_threads(variants, i);
    if (baseline.fiber_reason) {
      for (VariantCode& variant : drop_begin(variants, 2))
        share_checked(variant.kernels[i], variants[1].kernels[i]);
      continue;
    }
    const bool has_spare = baseline.regions.has_spare_regions;
    const bool has_many = (has_spare || baseline.has_settled_volatile) &&
                          baseline.regions.regions.size() > most_of_baseline;
    for (VariantCode& variant : drop_begin(variants, 2)) {
      KernelCode& kernel = variant.kernels[i];
      if (is_same_everywhere(*kernel.thread)) kernel.thread = variants[1].kernels[i].thread;
      if (has_spare || has_many) share_regions(kernel, variants[1].kernels[i]);
    }
    if (is_large || has_many) leave_to_fibers(baseline, is_large);
  }
}

}  // namespace gridspan::codegen
