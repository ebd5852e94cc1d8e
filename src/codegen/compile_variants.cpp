// From regions to the code for each instruction set.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/code_hash.h"
#include "codegen/device_compilation.h"
#include "codegen/gathers.h"
#include "codegen/passes.h"
#include "codegen/run_stages.h"
#include "codegen/spare_regions.h"
#include "codegen/tuned_kernels.h"
#include "codegen/vector_code.h"
#include "transforms/divided_rows.h"
#include "transforms/half_conversions.h"
#include "transforms/known_threads.h"
#include "transforms/launch_invariants.h"
#include "transforms/math_calls.h"
#include "transforms/reciprocal_roots.h"
#include "transforms/shared_atomics.h"
#include "transforms/specialise.h"
#include "transforms/thread_guard.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/GlobalVariable.h"

namespace gridspan::codegen {

using namespace llvm;

void DeviceCompilation::tidy_regions() {
  std::vector<Function*> regions;
  for (const KernelCode& kernel : kernel_codes) append_range(regions, kernel.regions.loops);
  codegen::tidy_regions(*module, *target, regions);
}

void DeviceCompilation::bound_by_guards() {
  for (const KernelCode& kernel : kernel_codes) {
    if (!does("guards", settings_of(kernel))) continue;
    for (Function* region : kernel.regions.loops) {
      transforms::bound_threads_by_guard(*region);
      transforms::tell_known_threads(*region);
    }
  }
}

void DeviceCompilation::divide_into_rows() {
  for (const KernelCode& kernel : kernel_codes) {
    if (!does("divided-rows", settings_of(kernel))) continue;
    for (Function* region : kernel.regions.loops) transforms::divide_into_rows(*region);
  }
}

void DeviceCompilation::vectorise(Stages inner) {
  for (VariantCode& variant : variants)
    for (auto [i, kernel] : enumerate(variant.kernels)) {
      VectorWork work(*this, variant, kernel);
      run_stages(inner, work);
      for (std::string& reason : work.reasons) {
        auto& known = kernel_codes[i].scalar_reasons;
        if (!is_contained(known, reason)) known.push_back(std::move(reason));
      }
    }
  if (!request.special || !request.special->keeps_vectors) return;
  if (const auto& reasons = kernel_codes.front().scalar_reasons; !reasons.empty())
    refuse("threads of the one kernel would run one by one: " + reasons.front());
}

/// For a search, which may need no object.
void DeviceCompilation::tell_of_kernels() {
  is_done_ = request.forms_only;
  if (!request.kernel_done) return;
  for (auto [i, kernel] : enumerate(kernel_codes)) {
    SmallVector<Function*> functions;
    for (const VariantCode& variant : variants) {
      append_range(functions, variant.kernels[i].regions.loops);
      for (const transforms::FormCode& form : variant.kernels[i].regions.forms)
        if (form.prologue) functions.push_back(form.prologue);
    }
    SmallVector<unsigned> sizes;
    for (const transforms::FormCode& form : kernel.regions.forms)
      sizes.append({form.joined.threads, form.joined.rows});
    request.kernel_done({kernel.name, source_name(), request.id, kernel.code_hash,
                         code_hash(functions, sizes), join(kernel.vector_math, " ")});
  }
}

static bool calls_vectors(const KernelCode& kernel) {
  return any_of(kernel.regions.loops,
                [](const Function* loop) { return transforms::calls_math_of_vectors(*loop); });
}

/// Where both have the same bits as results: they call the same math functions, and have no
/// reciprocal roots. Warp operations are permutations of long vectors: these stay.
void DeviceCompilation::add_forms_without_gathers() {
  const auto variant_for = [this](abi::InstructionSet set) {
    return find_if(variants, [&](const VariantCode& variant) { return variant.set == set; });
  };
  const auto wide = variant_for(abi::InstructionSet::x86_64_v4),
             narrow = variant_for(abi::InstructionSet::x86_64_v3);
  if (wide == variants.end() || narrow == variants.end()) return;
  for (KernelCode& kernel : wide->kernels) {
    const auto other =
        find_if(narrow->kernels, [&](const KernelCode& one) { return one.name == kernel.name; });
    if (other == narrow->kernels.end() || kernel.regions.forms.empty() ||
        kernel.warp_operations != 0 || kernel.has_roots ||
        calls_vectors(kernel) != calls_vectors(*other) || !gathers_much(kernel))
      continue;
    for (transforms::FormCode& form : kernel.regions.forms) form.needs |= abi::needs_fast_gathers;
    append_range(kernel.regions.forms, other->regions.forms);
  }
}

void DeviceCompilation::make_shared_atomics_plain() {
  for (Function& function : *module) transforms::make_shared_atomics_plain(function);
}

/// Not earlier: remarks name lines.
void DeviceCompilation::strip_debug_info() {
  if (!request.debug_info) StripDebugInfo(*module);
}

/// That are this kernel's alone.
static SmallSetVector<Function*, 16> functions_of(const KernelCode& kernel) {
  SmallSetVector<Function*, 16> functions;
  if (kernel.thread) functions.insert(kernel.thread);
  for (const transforms::RegionCode& region : kernel.regions.regions)
    functions.insert(region.function);
  for (const transforms::FormCode& form : kernel.regions.forms) functions.insert(form.function);
  for (Function* loop : kernel.regions.loops) functions.insert(loop);
  return functions;
}

/// Of functions that kernels call it is not known which do.
static void note_roots(Module& module, std::vector<VariantCode>& variants) {
  SmallPtrSet<const Function*, 32> known;
  for (const VariantCode& variant : variants)
    for (const KernelCode& kernel : variant.kernels) {
      const auto functions = functions_of(kernel);
      known.insert(functions.begin(), functions.end());
    }
  const bool elsewhere = any_of(module, [&](const Function& function) {
    return !known.contains(&function) && transforms::has_reciprocal_roots(function);
  });
  for (VariantCode& variant : variants)
    for (KernelCode& kernel : variant.kernels)
      kernel.has_roots = elsewhere || any_of(functions_of(kernel), [](const Function* function) {
                           return transforms::has_reciprocal_roots(*function);
                         });
}

void DeviceCompilation::write_reciprocal_roots() {
  note_roots(*module, variants);
  for (Function& function : *module)
    transforms::write_reciprocal_roots(function, has_root_estimates(*target, function));
}

void DeviceCompilation::write_half_conversions() {
  for (Function& function : *module)
    transforms::write_half_conversions(function, has_half_conversions(*target, function));
}

static void discard(const KernelCode& kernel) {
  const auto functions = functions_of(kernel);
  for (Function* function : functions) function->deleteBody();
  for (Function* function : functions)
    if (function->use_empty()) function->eraseFromParent();
}

/// What the kernels that it is made of have in this variant; nothing if they, or its own vectors,
/// do not agree.
static std::optional<bool> math_of(const KernelCode& made, const VariantCode& variant) {
  bool with = false, without = false;
  for (const std::string& part : made.fused->with_math) {
    const auto kernel =
        find_if(variant.kernels, [&](const KernelCode& one) { return one.name == part; });
    (calls_vectors(*kernel) ? with : without) = true;
  }
  if ((with && without) || (!with && calls_vectors(made))) return std::nullopt;
  return with;
}

/// All modes of a kernel call the same functions: those for vectors and their forms for one number,
/// if any of its vectors does, else the C library's. Other builds follow the ordinary one, and so
/// do kernels made of several.
void DeviceCompilation::choose_math() {
  SmallPtrSet<Function*, 16> with_vectors;
  for (VariantCode& variant : variants) {
    erase_if(variant.kernels, [&](const KernelCode& kernel) {
      const bool is_left_out = kernel.fused && !math_of(kernel, variant);
      if (is_left_out) discard(kernel);
      return is_left_out;
    });
    for (auto [i, kernel] : enumerate(variant.kernels)) {
      if (kernel.fused    ? !*math_of(kernel, variant)
          : is_ordinary() ? !calls_vectors(kernel)
                          : !has_ordinary_math(kernel))
        continue;
      const char* cpu = abi::cpu_name(variant.set);
      kernel_codes[i].vector_math.push_back(cpu ? cpu : "");
      with_vectors.insert(kernel.thread);
      for (Function* loop : kernel.regions.loops) with_vectors.insert(loop);
      for (transforms::RegionCode& region : kernel.regions.regions)
        with_vectors.insert(region.function);
    }
  }
  for (Function& function : *module)
    if (!with_vectors.contains(&function)) transforms::call_math_of_numbers(function);
  if (request.special) transforms::keep_math_calls(*module);
  for (const VariantCode& variant : variants)
    for (const KernelCode& kernel : variant.kernels)
      if (kernel.fused)
        for (Function* function : functions_of(kernel)) transforms::keep_math_calls(*function);
}

/// Code that is some kernel's region, too, runs without a prologue where no form is for a launch.
static bool runs_as_form_only(const KernelCode& kernel, const transforms::FormCode& form) {
  constexpr std::array<std::uint32_t, 3> any_shape{};
  const bool is_for_all = form.needs == 0 && form.block == any_shape;
  return is_for_all || none_of(kernel.regions.regions, [&](const transforms::RegionCode& region) {
           return region.function == form.function;
         });
}

/// Kernels whose blocks wait for others, or for kernels that they launch, run as regions.
void DeviceCompilation::move_launch_invariants() {
  for (VariantCode& variant : variants)
    for (auto [i, kernel] : enumerate(variant.kernels)) {
      const bool has_phases = kernel.grid_barriers != 0 || kernel.child_waits != 0;
      if (has_phases || !does("launch-invariants", settings_of(kernel))) continue;
      SmallVector<std::uint32_t> sizes;
      for (const KernelParameter& parameter : kernel.parameters) sizes.push_back(parameter.size);
      for (transforms::FormCode& form : kernel.regions.forms) {
        if (!runs_as_form_only(kernel, form)) continue;
        const auto made = transforms::move_launch_invariants(*form.function, sizes, symbols);
        form.prologue = made.function;
        kernel_codes[i].launch_values = std::max(kernel_codes[i].launch_values, made.values);
      }
    }
}

/// Kernels made of several decide nothing for those that they are made of.
static std::size_t instructions_of_ordinary(const Module& module, ArrayRef<KernelCode> kernels) {
  std::size_t count = module.getInstructionCount();
  for (const KernelCode& kernel : kernels)
    if (kernel.fused)
      for (const Function* function : functions_of(kernel))
        count -= function->getInstructionCount();
  return count;
}

/// Their constants may be folded where an ordinary kernel's are not: without fused multiply-add
/// that gives other results, and nobody needs it fast.
static void leave_out_fused(VariantCode& variant, const TargetMachine& target) {
  erase_if(variant.kernels, [&](const KernelCode& kernel) {
    const bool is_left_out =
        kernel.fused && (kernel.fiber_reason || kernel.regions.loops.empty() ||
                         lacks_fused_multiply_add(target, *kernel.regions.loops.front()));
    if (is_left_out) discard(kernel);
    return is_left_out;
  });
}

/// Who names a CPU gets code for that CPU; so do builds that nobody runs for speed.
void DeviceCompilation::make_variants() {
  variants.push_back({abi::InstructionSet::baseline, kernel_codes, symbols});
  bool single = !request.target_cpu.empty() || request.opt_level == 0 || request.records_accesses ||
                kernel_codes.empty();
  if (single) return leave_out_fused(variants.front(), *target);
  const bool is_large =
      instructions_of_ordinary(*module, kernel_codes) > request.most_instructions_of_all_variants;
  const ArrayRef<Variant> further = further_variants(*module, is_large);
  append_range(variants, codegen::make_variants(*module, variants.front(), further));
  for (VariantCode& variant : variants) leave_out_fused(variant, *target);
  leave_out_spare_regions(variants, is_large);
  for (auto [kernel, baseline] : zip(kernel_codes, variants.front().kernels))
    kernel.baseline_on_fibers = kernel.regions.regions.size() != baseline.regions.regions.size();
}

/// The original has the variables.
void DeviceCompilation::make_special_variant() {
  const abi::InstructionSet set = request.special->set;
  variants.push_back({set, kernel_codes, {}});
  if (GlobalVariable* images = module->getGlobalVariable("llvm.compiler.used"))
    images->eraseFromParent();
  if (set == abi::InstructionSet::baseline) return;
  for (Function& function : *module)
    if (!function.isDeclaration()) set_target(function, variant_of(set));
}

}  // namespace gridspan::codegen
