// From the module to each kernel's regions and forms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/code_hash.h"
#include "codegen/device_compilation.h"
#include "codegen/kernel_work.h"
#include "codegen/passes.h"
#include "codegen/run_stages.h"
#include "codegen/vector_code.h"
#include "support/readable_name.h"
#include "transforms/agreeing_phis.h"
#include "transforms/diagnostics.h"
#include "transforms/glue.h"
#include "transforms/inline_limit.h"
#include "transforms/lower_globals.h"
#include "transforms/math_calls.h"
#include "transforms/register_ranges.h"
#include "transforms/specialise.h"
#include "transforms/sync_points.h"
#include "transforms/thread_entry.h"
#include "transforms/thread_functions.h"
#include "transforms/whole_indices.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"

namespace gridspan::codegen {

using namespace llvm;
using transforms::KernelDeclaration;

/// "f<3>" of "int f<3>(int)".
static std::string short_name(const Function& function) {
  const std::string readable = support::readable_name(function.getName().str());
  const std::string whole = readable.substr(0, readable.find('('));
  const std::size_t blank = whole.rfind(' ', whole.find('<'));
  return blank == std::string::npos ? whole : whole.substr(blank + 1);
}

/// "a.cu:12: calls of f, g stay"
static std::string kept_text(const transforms::KeptCalls& calls) {
  constexpr std::size_t most_named = 4;
  std::vector<std::string> names;
  for (const Function* function : calls.functions) names.push_back(short_name(*function));
  const std::size_t more = names.size() - std::min(names.size(), most_named);
  names.resize(names.size() - more);
  return to_string(transforms::source_line(*calls.kernel)) + ": calls of " +
         support::listed(names) + (more != 0 ? ", and " + std::to_string(more) + " more" : "") +
         " stay";
}

void DeviceCompilation::limit_inlining() {
  for (const transforms::KeptCalls& calls : transforms::limit_inlining(*module, declarations))
    findings[calls.kernel->getName().str()].set("kept_calls", kept_text(calls));
}

void DeviceCompilation::note_launch_bounds() {
  for (const KernelDeclaration& kernel : declarations) {
    if (kernel.max_threads == 0) continue;
    transforms::note_launch_bounds(*kernel.function, kernel.max_threads);
    use_ranges(*kernel.function, *target);
  }
}

static bool calls_math(Function& kernel) {
  return any_of(transforms::reachable_functions(kernel), [](Function* function) {
    return any_of(instructions(*function), transforms::is_math_call);
  });
}

/// A kernel calls math functions of vectors in all of its code or nowhere (choose_math): kernels
/// that do neither alike cannot be one.
static bool agree_on_math(ArrayRef<transforms::GluedKernel> kernels,
                          const std::vector<std::string>& with_vectors) {
  bool is_called = false, is_called_for_vectors = false;
  for (const transforms::GluedKernel& kernel : kernels) {
    const bool has_vectors = is_contained(with_vectors, kernel.function->getName());
    is_called_for_vectors |= has_vectors;
    is_called |= !has_vectors && calls_math(*kernel.function);
  }
  return !is_called || !is_called_for_vectors;
}

/// Of simplified kernels. Adds them to `kernels`.
std::optional<std::string> DeviceCompilation::why_not_glued(
    const support::FusedLaunches& launches, std::vector<transforms::GluedKernel>& kernels) const {
  for (const support::FusedLaunches::Launch& launch : launches.launches) {
    const auto found = find_if(declarations, [&](const KernelDeclaration& kernel) {
      return kernel.function->getName() == launch.kernel;
    });
    if (found == declarations.end()) return "there is no such kernel";
    if (transforms::static_shared_bytes(*found->function) != 0)
      return to_string(transforms::source_line(*found->function)) + ": uses shared memory";
    if (any_of(instructions(*found->function),
               [](Instruction& one) { return transforms::as_sync_point(one).has_value(); }))
      return to_string(transforms::source_line(*found->function)) +
             ": threads of a block wait for each other";
    kernels.push_back({found->function, launch.values});
  }
  return transforms::why_not_glued(kernels);
}

/// A kernel in the place of several: beside all others, or `specialise` then leaves no other.
void DeviceCompilation::glue() {
  if (is_ordinary()) return glue_ahead();
  if (!request.special->fused) return;
  std::vector<transforms::GluedKernel> kernels;
  if (const auto reason = why_not_glued(*request.special->fused, kernels)) return refuse(*reason);
  if (!agree_on_math(kernels, request.vector_math))
    return refuse("math functions are those of vectors in one kernel only");
  declarations.push_back(transforms::glue_kernels(declarations, kernels, request.special->kernel));
}

void DeviceCompilation::glue_ahead() {
  fused_begin = declarations.size();
  for (FusedAhead& one : fused)
    if (glue_ahead(one)) glued.push_back(&one);
}

/// False: code for CPUs is not possible. As `glue` and `specialise` do it, with no number known.
bool DeviceCompilation::glue_ahead(FusedAhead& wanted) {
  std::vector<transforms::GluedKernel> kernels;
  if (why_not_glued(wanted.launches, kernels)) return false;
  for (const transforms::GluedKernel& kernel : kernels) {
    if (transforms::why_not_specialised(*kernel.function)) return false;
    // Their code is that of the ordinary kernels, too.
    if (transforms::reachable_functions(*kernel.function).size() > 1) return false;
    if (calls_math(*kernel.function)) wanted.with_math.push_back(kernel.function->getName().str());
  }
  const KernelDeclaration made = transforms::glue_kernels(declarations, kernels, wanted.name);
  transforms::keep_math_calls(*made.function);
  simplify_glued(*made.function, *target);
  for (const unsigned number : wanted.launches.dead)
    if (transforms::drop_writes(*made.function, number))
      return made.function->eraseFromParent(), false;
  declarations.push_back(made);
  return true;
}

/// Leaves the one kernel that is asked for, with what is known of its launches. Up to here all is
/// done as in the ordinary build; from here on numbers may be known, but no math function of them.
void DeviceCompilation::specialise() {
  for (KernelDeclaration& kernel : declarations)
    if (kernel.function->getName() != request.special->kernel) kernel.function->deleteBody();
  erase_if(declarations, [](auto& kernel) { return kernel.function->isDeclaration(); });
  if (declarations.size() != 1) return refuse("there is no such kernel");
  Function& kernel = *declarations.front().function;
  for (Function& function : *module)
    if (&function != &kernel && !function.isDeclaration())
      function.setLinkage(GlobalValue::InternalLinkage);
  if (const auto reason = transforms::why_not_specialised(kernel)) return refuse(*reason);
  // LLVM would compute a*b+c of numbers it knows as one operation.
  if (request.special->set == abi::InstructionSet::baseline &&
      lacks_fused_multiply_add(*target, kernel))
    return refuse("the CPU it is compiled for has no fused multiply-add");
  transforms::keep_math_calls(*module);
  transforms::specialise(kernel, request.special->condition);
  simplify(*module, *target);
  transforms::show_positions(*module);
  if (!request.special->fused) return;
  for (const unsigned number : request.special->fused->dead)
    if (const auto reason = transforms::drop_writes(kernel, number)) return refuse(*reason);
}

void DeviceCompilation::put_indices_together() {
  for (const KernelDeclaration& kernel : declarations)
    transforms::put_indices_together(*kernel.function);
}

void DeviceCompilation::replace_agreeing_phis() {
  for (const KernelDeclaration& kernel : declarations)
    transforms::replace_agreeing_phis(*kernel.function);
}

void DeviceCompilation::hash_kernels() {
  for (const KernelDeclaration& kernel : declarations)
    hashes.push_back(
        code_hash(transforms::reachable_functions(*kernel.function).getArrayRef(), {}));
}

void DeviceCompilation::pass_thread() {
  SmallPtrSet<Function*, 16> kernels;
  for (const KernelDeclaration& kernel : declarations) kernels.insert(kernel.function);
  thread_functions = transforms::pass_thread_to_functions(*module, kernels);
}

/// Kernels made of several run neither on fibers nor in interpret mode.
static void drop_thread(KernelCode& code) {
  Function* const thread = std::exchange(code.thread, nullptr);
  if (thread && thread->use_empty()) thread->eraseFromParent();
}

void DeviceCompilation::compile_kernels(Stages inner) {
  for (auto [kernel, hash] : zip(declarations, hashes)) {
    KernelWork work(*this, kernel, hash);
    const std::size_t place = kernel_codes.size();
    if (place >= fused_begin) work.code.fused = glued[place - fused_begin];
    run_stages(inner, work);
    if (work.code.fused) drop_thread(work.code);
    kernel_codes.push_back(std::move(work.code));
  }
  if (any_of(diagnostics, [](auto& one) { return one.kind == Diagnostic::Kind::error; }))
    is_done_ = true;
}

void DeviceCompilation::refuse_fibers() {
  if (kernel_codes.front().fiber_reason || kernel_codes.front().launches)
    refuse("it runs on fibers, or launches kernels");
}

void DeviceCompilation::lower_thread_functions() {
  for (Function* function : thread_functions) transforms::lower_thread_function(*function);
}

void DeviceCompilation::drop_kernels() {
  for (const KernelDeclaration& kernel : declarations)
    if (kernel.function->use_empty()) kernel.function->eraseFromParent();
}

}  // namespace gridspan::codegen
