// One try to make PTX.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/attempt.h"

#include "codegen/device_bitcode.h"
#include "codegen/passes.h"
#include "codegen/ptx/device_launches.h"
#include "codegen/ptx/gpu_target.h"
#include "codegen/ptx/inline_needs.h"
#include "codegen/ptx/packed_kernels.h"
#include "codegen/ptx/part_kernels.h"
#include "codegen/ptx/prepare.h"
#include "codegen/ptx/small_floats.h"
#include "codegen/ptx/tile_barriers.h"
#include "codegen/run_stages.h"
#include "support/ptx_names.h"
#include "transforms/glue.h"
#include "transforms/kernels.h"

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace gridspan::codegen::ptx {

using namespace llvm;

Attempt::Attempt(StringRef bitcode, const PtxOptions& asked, const KernelKnowledge& known)
    : options(asked), knowledge(known) {
  context.setDiagnosticHandlerCallBack([](const DiagnosticInfo* info, void*) {
    if (info->getSeverity() != DS_Error) return;
    std::string text;
    raw_string_ostream stream(text);
    DiagnosticPrinterRawOStream printer(stream);
    info->print(printer);
    report_fatal_error(Twine(text));  // this attempt's
  });
  SMDiagnostic problem;
  module = read_device_bitcode(MemoryBufferRef(bitcode, "device code"), problem, context);
  if (!module) report_fatal_error(Twine(problem.getMessage()));
  transforms::UserErrors told;  // by the compiler for CPUs
  settle_language(*module, told);
  least_version_ = least_version(*module);
}

std::set<transforms::StepPlace> Attempt::find_steps() {
  return transforms::find_warp_steps(*module, transforms::find_kernels(*module), knowledge.shapes,
                                     /*volatile_is_ordered=*/true)
      .places;
}

std::vector<unsigned> Attempt::architectures() const {
  return ptx::architectures(options, *module);
}

bool Attempt::differs() const {
  return has_newer_floats(*module) || uses_barrier_objects(*module) ||
         !least_architectures(*module).empty();
}

/// Leaves kernels out and says which and why.
void Attempt::leave_out(Reasons reasons) {
  ptx::leave_out(*module, reasons);
  code.left_out.merge(reasons);
}

void Attempt::leave_out_source_obstacles() {
  ptx::leave_out(*module, others);
  leave_out(obstacles_in_source(*module, wanted.front()));
}

void Attempt::link_library() {
  if (auto problem = ptx::link_library(*module, options.libdevice))
    report_fatal_error(Twine(*problem));
  define_child_list(*module, options);
}

void Attempt::find_target() { gpu = make_gpu(wanted.front(), options.opt_level, least_version_); }

/// Kernels were optimised alone, so that each computes what it computes elsewhere. Variables are
/// the ordinary code's: this one would have its own.
std::optional<std::string> Attempt::glue(const support::FusedLaunches& launches,
                                         const std::string& name) {
  const std::vector<transforms::KernelDeclaration> declarations = transforms::find_kernels(*module);
  std::vector<transforms::GluedKernel> kernels;
  for (const support::FusedLaunches::Launch& launch : launches.launches) {
    const std::string in_ptx = support::name_in_ptx(launch.kernel);
    const auto found = find_if(declarations, [&](const transforms::KernelDeclaration& kernel) {
      return kernel.function->getName() == in_ptx;
    });
    if (found == declarations.end()) {
      const auto reason = code.left_out.find(in_ptx);
      return reason == code.left_out.end() ? "there is no such kernel" : reason->second;
    }
    kernels.push_back({found->function, launch.values});
  }
  if (auto reason = transforms::why_not_glued(kernels)) return reason;
  const auto made = transforms::glue_kernels(declarations, kernels, name);
  annotate_kernel(made, options);
  simplify_again(*made.function, *gpu);
  for (const unsigned number : launches.dead)
    if (auto reason = transforms::drop_writes(*made.function, number)) return reason;
  simplify_again(*made.function, *gpu);
  if (uses_variables(*made.function)) return "uses variables of the module";
  return std::nullopt;
}

/// Those that can be had.
void Attempt::glue_ahead() {
  for (const FusedAhead& one : knowledge.fused_ahead()) {
    const std::string name = support::name_in_ptx(one.name);
    if (glue(one.launches, name))
      ptx::leave_out(*module, {{name, ""}});
    else
      glued.insert(name);
  }
}

/// Leaves the one kernel, or none and the reason; or adds those that are to be there, too.
void Attempt::glue() {
  if (glues_ahead) return glue_ahead();
  if (!knowledge.fused) return;
  const std::string name = support::name_in_ptx(knowledge.fused->name());
  const std::optional<std::string> reason = glue(*knowledge.fused, name);
  Reasons spare;
  for (const transforms::KernelDeclaration& kernel : transforms::find_kernels(*module))
    if (reason || kernel.function->getName() != name) spare.emplace(kernel.function->getName(), "");
  ptx::leave_out(*module, spare);
  if (reason) code.left_out.emplace(knowledge.fused->name(), *reason);
}

/// Further kernels may turn out to need what GPUs lack.
void Attempt::leave_out_final_obstacles() {
  drop_last_waits(*module);
  Reasons reasons = obstacles_at_end(*module), missing = code.left_out;
  // A kernel that is compiled alone has all others missing, for no reason.
  for (const auto& [kernel, reason] : others)
    if (!reason.empty()) missing.emplace(kernel, reason);
  add_launching(*module, missing, reasons);
  drop_marks(*module);
  leave_out(std::move(reasons));
}

void Attempt::add_clones(Stages inner) {
  for (const transforms::KernelDeclaration& kernel : transforms::find_kernels(*module)) {
    CloneWork work{*this, *kernel.function, kernel.function->getName().str()};
    run_stages(inner, work);
    if (glued.contains(work.name)) glued.insert(work.name + part_suffix);
  }
}

/// Kernels made of several use none; what is visible would be there once more.
static void drop_variables(Module& copy, TargetMachine& target) {
  for (const char* list : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable* used = copy.getGlobalVariable(list)) used->eraseFromParent();
  for (GlobalVariable& variable : copy.globals())
    if (!variable.isDeclaration()) variable.setLinkage(GlobalValue::InternalLinkage);
  remove_unused(copy, target);
}

/// Of kernels that were glued, or of the others.
std::vector<PtxText> Attempt::texts_of(bool of_glued) const {
  std::vector<PtxText> texts;
  Reasons rest;
  const std::vector<transforms::KernelDeclaration> all = transforms::find_kernels(*module);
  for (const transforms::KernelDeclaration& kernel : all)
    if (const StringRef name = kernel.function->getName(); glued.contains(name) != of_glued)
      rest.emplace(name, "");
  if (rest.size() == all.size()) return texts;
  for (const unsigned architecture : wanted) {
    // Code generation changes the module.
    std::unique_ptr<Module> copy = CloneModule(*module);
    ptx::leave_out(*copy, rest);
    if (of_glued) drop_variables(*copy, *gpu);
    auto machine = make_gpu(architecture, options.opt_level, least_version_);
    texts.push_back({architecture, ptx_of(*copy, *machine)});
  }
  return texts;
}

void Attempt::write_texts() {
  code.texts = texts_of(false);
  code.fused_texts = texts_of(true);
}

void CloneWork::add_part_kernel() {
  if (!attempt.knowledge.may_be_cut(name)) return;
  if (auto reason = ptx::add_part_kernel(kernel)) attempt.code.undivided.emplace(name, *reason);
}

void CloneWork::add_packed_kernel() {
  if (attempt.code.undivided.contains(name) || !attempt.knowledge.may_be_cut(name)) return;
  const std::vector<PackableArray> arrays = attempt.knowledge.packable(name);
  if (arrays.empty()) return;
  if (auto reason = ptx::add_packed_kernel(kernel, arrays)) {
    attempt.code.unpacked.emplace(name, *reason);
    return;
  }
  for (const PackableArray& array : arrays) attempt.code.packed[name].push_back(array.name);
}

}  // namespace gridspan::codegen::ptx
