// Asks the target what its vectors can do.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/vector_code.h"

#include "codegen/device_compilation.h"
#include "codegen/run_stages.h"
#include "codegen/tuned_kernels.h"
#include "transforms/appends.h"
#include "transforms/block_function/prefetch.h"
#include "transforms/known_shape.h"
#include "transforms/math_calls.h"
#include "transforms/own_tiles.h"
#include "transforms/vectorise/vectorise.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

namespace gridspan::codegen {

using namespace llvm;

bool has_vector_math(const TargetMachine& target, const Function& function) {
  return Triple(target.getTargetTriple()).getArch() == Triple::x86_64 &&
         target.getSubtargetImpl(function)->checkFeatures("+avx2,+fma");
}

bool has_root_estimates(const TargetMachine& target, const Function& function) {
  return Triple(target.getTargetTriple()).getArch() == Triple::x86_64 &&
         target.getSubtargetImpl(function)->checkFeatures("+avx512f,+avx512vl");
}

bool has_half_conversions(const TargetMachine& target, const Function& function) {
  const Triple triple(target.getTargetTriple());
  return triple.isAArch64() ||
         (triple.isX86() && target.getSubtargetImpl(function)->checkFeatures("+f16c"));
}

bool lacks_fused_multiply_add(const TargetMachine& target, const Function& function) {
  return Triple(target.getTargetTriple()).isX86() &&
         !target.getSubtargetImpl(function)->checkFeatures("+fma");
}

std::optional<transforms::Vectors> vectors_for(const Function& loop, const TargetMachine& target,
                                               const VectorChoice& choice) {
  const TargetTransformInfo costs = target.getTargetTransformInfo(loop);
  const TypeSize width = costs.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector);
  const auto bits = static_cast<unsigned>(width.getFixedValue());
  if (bits == 0) return std::nullopt;
  auto* floats = FixedVectorType::get(Type::getFloatTy(loop.getContext()), bits / 32);
  // Nobody needs baseline x86-64 for speed, but NEON is all that many AArch64 processors have: LLVM
  // takes masked accesses apart there.
  if (!target.getTargetTriple().isAArch64() && !costs.isLegalMaskedStore(floats, Align(4)))
    return std::nullopt;
  const unsigned vector_class = costs.getRegisterClassForType(/*Vector=*/true, floats);
  return transforms::Vectors{choice.bits != 0 ? std::min(bits, choice.bits) : bits,
                             costs.isLegalMaskedGather(floats, Align(4)),
                             costs.isLegalMaskedScatter(floats, Align(4)),
                             costs.getNumberOfRegisters(vector_class),
                             choice.rows,
                             choice.wide};
}

/// Then its regions are for blocks of unusual shape.
static bool has_form_for_warps(const transforms::RegionKernel& regions) {
  return any_of(regions.forms, [](const transforms::FormCode& form) {
    return (form.needs & (abi::needs_whole_warps | abi::needs_linear_warps)) != 0;
  });
}

/// Blocks are joined along y, and tiles read through, so that vectors of many rows share what they
/// load. Thread by thread that would go down columns, and tiles are the better way through memory.
static void keep_blocks_apart(transforms::RegionKernel& regions,
                              const SmallPtrSetImpl<Function*>& scalar) {
  constexpr std::array<std::uint32_t, 3> any_shape{};
  erase_if(regions.forms, [&](const transforms::FormCode& form) {
    return scalar.contains(form.function) && form.block != any_shape &&
           (form.needs & abi::needs_distinct_arguments) != 0;
  });
  for (transforms::FormCode& form : regions.forms)
    if (scalar.contains(form.function) && form.joined.rows != 0) form.joined = {};
}

/// LLVM's vectoriser takes over where ours refuses, but not if it knows that loops are short.
static void drop_short_forms(transforms::RegionKernel& regions,
                             const SmallPtrSetImpl<Function*>& scalar_loops) {
  constexpr unsigned short_row = 64;
  erase_if(regions.forms, [&](const transforms::FormCode& form) {
    const bool is_short =
        transforms::is_launched_shape(form.block) && form.block[0] <= short_row && !form.linear;
    return is_short && any_of(scalar_loops, [&](const Function* loop) {
             return loop == form.function || any_of(loop->users(), [&](const User* user) {
                      auto* call = dyn_cast<CallBase>(user);
                      return call && call->getFunction() == form.function;
                    });
           });
  });
}

/// Longer rows are vectors, under a mask.
static void drop_narrow_forms(transforms::RegionKernel& regions, const TargetMachine& target,
                              const VectorChoice& choice,
                              const SmallPtrSetImpl<Function*>& scalar_loops) {
  erase_if(regions.forms, [&](const transforms::FormCode& form) {
    if (!form.linear || (form.needs & abi::needs_linear_warps) != 0) return false;
    const auto vectors = vectors_for(*form.function, target, choice);
    return !vectors || form.block[0] * 2 > vectors->bits / 32 ||
           scalar_loops.contains(form.function);
  });
}

VectorWork::VectorWork(const DeviceCompilation& whole, const VariantCode& variant, KernelCode& code)
    : compilation(whole),
      kernel(code),
      target(*whole.target),
      settings(vector_settings_of(code, variant)) {
  choice.bits = settings.vector_bits;
  choice.rows = {compilation.does("rows", settings) ? settings.rows : 1,
                 compilation.does("panels", settings)};
  choice.wide = compilation.does("wide", settings);
  choice.math = !compilation.request.special || compilation.has_ordinary_math(kernel);
}

bool VectorWork::does(const Stage& stage) const {
  return compilation.does(stage) && !is_contained(settings.without, stage.without);
}

StageTimes* VectorWork::times() const { return compilation.times(); }

void VectorWork::vectorise_loops(Stages inner) {
  for (Function* loop : kernel.regions.loops) {
    LoopWork work(*this, *loop);
    run_stages(inner, work);
  }
}

void VectorWork::drop_scalar_forms() {
  keep_blocks_apart(kernel.regions, scalar);
  drop_short_forms(kernel.regions, scalar);
  drop_narrow_forms(kernel.regions, target, choice, scalar);
}

LoopWork::LoopWork(VectorWork& whole, Function& code)
    : kernel(whole), loop(code), vectors(vectors_for(code, whole.target, whole.choice)) {}

void LoopWork::choose_math() {
  if (!vectors) return;
  if (vectors->bits < 256 || !kernel.choice.math || !has_vector_math(kernel.target, loop))
    transforms::call_math_of_numbers(loop);
}

void LoopWork::vectorise() {
  if (loop.hasFnAttribute(transforms::seldom_runs)) return transforms::drop_prefetches(loop);
  if (!vectors) {
    kernel.scalar.insert(&loop);
    return;
  }
  if (transforms::uses_own_tiles(loop)) {
    kernel.scalar.insert(&loop);
    return;
  }
  const auto reason = transforms::vectorise(loop, *vectors);
  if (!reason) return;
  kernel.scalar.insert(&loop);
  const transforms::RegionKernel& regions = kernel.kernel.regions;
  const bool is_spare = has_form_for_warps(regions) && any_of(regions.regions, [&](auto& region) {
                          return region.function == &loop;
                        });
  if (!is_spare) kernel.reasons.push_back(to_string(reason->where) + ": " + reason->text);
}

void LoopWork::finish_scalar_loop() {
  if (!kernel.scalar.contains(&loop)) return;
  transforms::drop_prefetches(loop);
  transforms::gather_appends(loop);
  transforms::unroll_own_tiles(loop);
}

}  // namespace gridspan::codegen
