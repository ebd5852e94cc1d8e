// From regions to the code for each instruction set.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/code_hash.h"
#include "codegen/device_compilation.h"
#include "codegen/passes.h"
#include "codegen/spare_regions.h"
#include "codegen/tuned_kernels.h"
#include "codegen/vector_code.h"
#include "transforms/known_threads.h"
#include "transforms/launch_invariants.h"
#include "transforms/math_calls.h"
#include "transforms/specialise.h"
#include "transforms/thread_guard.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/GlobalVariable.h"

namespace gridspan::codegen {

using namespace llvm;

void DeviceCompilation::tidy_regions() {
  std::vector<Function*> regions;
  for (const KernelCode& kernel : kernels_) append_range(regions, kernel.regions.loops);
  codegen::tidy_regions(*module_, *target_, regions);
  for (const KernelCode& kernel : kernels_) {
    if (!does("guards", settings_of(kernel))) continue;
    for (Function* region : kernel.regions.loops) {
      transforms::bound_threads_by_guard(*region);
      transforms::tell_known_threads(*region);
    }
  }
}

void DeviceCompilation::vectorise(VariantCode& variant) {
  if (!is_for_speed()) return;
  for (auto [i, kernel] : enumerate(variant.kernels)) {
    const KernelSettings settings = vector_settings_of(kernel, variant);
    if (!does("vectors", settings)) continue;
    const unsigned rows = does("rows", settings) ? settings.rows : 1;
    const VectorChoice choice{settings.vector_bits,
                              {rows, does("panels", settings)},
                              does("wide", settings),
                              !request_.special || has_ordinary_math(kernel)};
    for (std::string& reason : vectorise_kernel(kernel, *target_, choice)) {
      auto& known = kernels_[i].scalar_reasons;
      if (!is_contained(known, reason)) known.push_back(std::move(reason));
    }
  }
}

void DeviceCompilation::tell_of_kernels() const {
  for (auto [i, kernel] : enumerate(kernels_)) {
    SmallVector<Function*> functions;
    for (const VariantCode& variant : variants_) {
      append_range(functions, variant.kernels[i].regions.loops);
      for (const transforms::FormCode& form : variant.kernels[i].regions.forms)
        if (form.prologue) functions.push_back(form.prologue);
    }
    SmallVector<unsigned> sizes;
    for (const transforms::FormCode& form : kernel.regions.forms)
      sizes.append({form.joined.threads, form.joined.rows});
    request_.kernel_done({kernel.name, source_name(), request_.id, kernel.code_hash,
                          code_hash(functions, sizes), join(kernel.vector_math, " ")});
  }
}

/// All modes of a kernel call the same functions: those for vectors and their forms for one number,
/// if any of its vectors does, else the C library's. Other builds follow the ordinary one.
void DeviceCompilation::choose_math() {
  SmallPtrSet<Function*, 16> with_vectors;
  auto calls_it = [](const Function* loop) { return transforms::calls_math_of_vectors(*loop); };
  for (VariantCode& variant : variants_)
    for (auto [i, kernel] : enumerate(variant.kernels)) {
      if (is_ordinary() ? none_of(kernel.regions.loops, calls_it) : !has_ordinary_math(kernel))
        continue;
      const char* cpu = abi::cpu_name(variant.set);
      kernels_[i].vector_math.push_back(cpu ? cpu : "");
      with_vectors.insert(kernel.thread);
      for (Function* loop : kernel.regions.loops) with_vectors.insert(loop);
      for (transforms::RegionCode& region : kernel.regions.regions)
        with_vectors.insert(region.function);
    }
  for (Function& function : *module_)
    if (!with_vectors.contains(&function)) transforms::call_c_library(function);
  if (request_.special) transforms::keep_math_calls(*module_);
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
  if (!is_for_speed()) return;
  for (VariantCode& variant : variants_)
    for (auto [i, kernel] : enumerate(variant.kernels)) {
      const bool has_phases = kernel.grid_barriers != 0 || kernel.child_waits != 0;
      if (has_phases || !does("launch-invariants", settings_of(kernel))) continue;
      SmallVector<std::uint32_t> sizes;
      for (const KernelParameter& parameter : kernel.parameters) sizes.push_back(parameter.size);
      for (transforms::FormCode& form : kernel.regions.forms) {
        if (!runs_as_form_only(kernel, form)) continue;
        const auto made = transforms::move_launch_invariants(*form.function, sizes, symbols_);
        form.prologue = made.function;
        kernels_[i].launch_values = std::max(kernels_[i].launch_values, made.values);
      }
    }
}

/// Who names a CPU gets code for that CPU; so do builds that nobody runs for speed.
void DeviceCompilation::make_variants() {
  if (request_.special) return make_special();
  variants_.push_back({abi::InstructionSet::baseline, kernels_, symbols_});
  bool single = !request_.target_cpu.empty() || request_.opt_level == 0 ||
                request_.records_accesses || kernels_.empty();
  if (single) return;
  const bool is_large = codegen::is_large(*module_);
  const ArrayRef<Variant> further = further_variants(*module_);
  append_range(variants_, codegen::make_variants(*module_, variants_.front(), further));
  leave_out_spare_regions(variants_, is_large);
  for (auto [kernel, baseline] : zip(kernels_, variants_.front().kernels))
    kernel.baseline_on_fibers = kernel.regions.regions.size() != baseline.regions.regions.size();
}

/// The original has the variables.
void DeviceCompilation::make_special() {
  const abi::InstructionSet set = request_.special->set;
  variants_.push_back({set, kernels_, {}});
  if (GlobalVariable* images = module_->getGlobalVariable("llvm.compiler.used"))
    images->eraseFromParent();
  if (set == abi::InstructionSet::baseline) return;
  for (Function& function : *module_)
    if (!function.isDeclaration()) set_target(function, variant_of(set));
}

}  // namespace gridspan::codegen
