// From the module to each kernel's regions and forms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/code_hash.h"
#include "codegen/device_compilation.h"
#include "codegen/kernel_cutter.h"
#include "codegen/launch_shapes.h"
#include "codegen/passes.h"
#include "codegen/tuned_kernels.h"
#include "transforms/agreeing_phis.h"
#include "transforms/inline_sync.h"
#include "transforms/math_calls.h"
#include "transforms/reciprocal_roots.h"
#include "transforms/register_ranges.h"
#include "transforms/retarget.h"
#include "transforms/shared_addresses.h"
#include "transforms/specialise.h"
#include "transforms/thread_entry.h"
#include "transforms/thread_functions.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Demangle/Demangle.h"

namespace gridspan::codegen {

using namespace llvm;
using transforms::KernelDeclaration;

/// Bytes of static shared memory CUDA lets one block have on every GPU so far.
constexpr std::uint64_t max_static_shared = 48 * 1024;

FormOptions DeviceCompilation::form_options(const KernelCode& kernel) const {
  const KernelSettings settings = settings_of(kernel);
  const bool is_fast = is_for_speed();
  return {.regions = {.whole_blocks = is_fast && does("blocks", settings),
                      .whole_warps = does("warps", settings),
                      .prefetches = does("prefetches", settings),
                      .joins = is_fast && does("joins", settings),
                      .joined = {settings.joined_width, settings.joined_height}},
          .distinct = is_fast && does("distinct", settings),
          .staging = is_fast && does("staging", settings),
          .rows = is_fast && does("row-lengths", settings),
          .linear = is_fast && does("linear-threads", settings),
          .launched = is_fast && does("launch-shapes", settings)
                          ? launch_shapes(request_.launch_shapes_path, kernel.name)
                          : std::vector<transforms::BlockShape>{}};
}

KernelCode DeviceCompilation::compile_kernel(const KernelDeclaration& declaration,
                                             const std::string& code_hash) {
  KernelCode code;
  code.name = declaration.function->getName();
  code.code_hash = code_hash;
  if (auto found = steps_.find(code.name); found != steps_.end()) code.steps = found->second;
  if (is_for_speed()) find_tuning(code, request_.tuned, source_name());
  cut_kernel(declaration, *target_, form_options(code), code);
  if (code.static_shared > max_static_shared)
    diagnostics_.push_back({Diagnostic::Kind::error, code.where.file, code.where.line, 0,
                            "kernel '" + demangle(code.name) + "' uses too much shared data (" +
                                std::to_string(code.static_shared) + " bytes, " +
                                std::to_string(max_static_shared) + " max)"});
  return code;
}

/// Leaves the one kernel that is asked for, with what is known of its launches. Up to here all is
/// done as in the ordinary build; from here on numbers may be known, but no math function of them.
bool DeviceCompilation::specialise() {
  for (KernelDeclaration& kernel : declarations_)
    if (kernel.function->getName() != request_.special->kernel) kernel.function->deleteBody();
  erase_if(declarations_, [](auto& kernel) { return kernel.function->isDeclaration(); });
  if (declarations_.size() != 1) return refuse("there is no such kernel");
  Function& kernel = *declarations_.front().function;
  for (Function& function : *module_)
    if (&function != &kernel && !function.isDeclaration())
      function.setLinkage(GlobalValue::InternalLinkage);
  if (const auto reason = transforms::why_not_specialised(kernel)) return refuse(*reason);
  // LLVM would compute a*b+c of numbers it knows as one operation.
  if (request_.special->set == abi::InstructionSet::baseline &&
      Triple(target_->getTargetTriple()).isX86() &&
      !target_->getSubtargetImpl(kernel)->checkFeatures("+fma"))
    return refuse("the CPU it is compiled for has no fused multiply-add");
  transforms::keep_math_calls(*module_);
  transforms::specialise(kernel, request_.special->condition);
  simplify(*module_, *target_);
  transforms::show_positions(*module_);
  return true;
}

bool DeviceCompilation::compile_kernels() {
  transforms::force_inlining_of_sync(*module_);
  transforms::set_target_attributes(*module_, *target_);
  transforms::note_register_ranges(*module_);
  simplify(*module_, *target_, /*keeps_lines=*/request_.opt_level == 0);
  for (const KernelDeclaration& kernel : declarations_) {
    if (kernel.max_threads == 0) continue;
    transforms::note_launch_bounds(*kernel.function, kernel.max_threads);
    use_ranges(*kernel.function, *target_);
  }
  transforms::wrap_shared_subscripts(*module_);
  transforms::name_math_calls(*module_);
  transforms::name_reciprocal_roots(*module_);
  if (request_.special && !specialise()) return false;
  for (const KernelDeclaration& kernel : declarations_)
    transforms::replace_agreeing_phis(*kernel.function);
  passed("simplifying");
  SmallPtrSet<Function*, 16> kernel_functions;
  for (const KernelDeclaration& kernel : declarations_) kernel_functions.insert(kernel.function);
  std::vector<std::string> hashes;
  for (const KernelDeclaration& kernel : declarations_)
    hashes.push_back(
        code_hash(transforms::reachable_functions(*kernel.function).getArrayRef(), {}));
  std::vector<Function*> functions =
      transforms::pass_thread_to_functions(*module_, kernel_functions);
  for (auto [kernel, hash] : zip(declarations_, hashes))
    kernels_.push_back(compile_kernel(kernel, hash));
  if (request_.special && (kernels_.front().fiber_reason || kernels_.front().launches))
    return refuse("it runs on fibers, or launches kernels");
  for (Function* function : functions) transforms::lower_thread_function(*function);
  for (const KernelDeclaration& kernel : declarations_)
    if (kernel.function->use_empty()) kernel.function->eraseFromParent();
  return diagnostics_.empty();
}

}  // namespace gridspan::codegen
