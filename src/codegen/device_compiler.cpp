// The device compiler, told in order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/device_compiler.h"

#include "analysis/analyse.h"
#include "codegen/container_writer.h"
#include "codegen/descriptors.h"
#include "codegen/device_compilation.h"
#include "codegen/facts.h"
#include "codegen/model_descriptors.h"
#include "codegen/packable.h"
#include "codegen/passes.h"
#include "codegen/vector_code.h"
#include "transforms/reciprocal_roots.h"
#include "transforms/shared_atomics.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

namespace gridspan::codegen {

using namespace llvm;

DeviceCompilation::DeviceCompilation(const DeviceRequest& request,
                                     std::vector<Diagnostic>& diagnostics)
    : request_(request), diagnostics_(diagnostics) {
  context_.setDiagnosticHandlerCallBack(
      [](const DiagnosticInfo* info, void* self) {
        static_cast<DeviceCompilation*>(self)->hear(*info);
      },
      this);
}

bool DeviceCompilation::run() {
  if (!read_module()) return false;
  start_ptx();
  const bool done = passed("reading device code") && model_kernels() && passed("kernel models") &&
                    make_cpu_module() && link_device_library() && passed("lowering to the CPU") &&
                    compile_kernels() && passed("cutting into regions") && write_object();
  return done && std::ranges::none_of(diagnostics_, [](const Diagnostic& one) {
           return one.kind == Diagnostic::Kind::error;
         });
}

void DeviceCompilation::hear(const DiagnosticInfo& info) {
  if (info.getKind() == DK_OptimizationFailure || info.getSeverity() > DS_Warning) return;
  std::string text;
  raw_string_ostream stream(text);
  DiagnosticPrinterRawOStream printer(stream);
  info.print(printer);
  const bool is_error = info.getSeverity() == DS_Error;
  diagnostics_.push_back(
      {is_error ? Diagnostic::Kind::error : Diagnostic::Kind::warning, "", 0, 0, text});
}

/// PTX and the code for CPUs have nothing in common but the module as clang wrote it.
void DeviceCompilation::start_ptx() {
  if (!is_ordinary() || request_.forms_only || request_.ptx.level == 0) return;
  prepare_for_ptx();
  ptx_ = std::async(std::launch::async, [this] {
    return make_ptx(bitcode_, request_.ptx,
                    {[this](const std::string& kernel) { return packable_in(kernel); },
                     [this](StringRef kernel) { return shapes_of(kernel); }});
  });
}

/// Waits for the models, which are the first thing that is made beside the PTX.
std::vector<ptx::PackableArray> DeviceCompilation::packable_in(const std::string& kernel) const {
  packable_is_known_.wait();
  const auto known = packable_.find(kernel);
  return known == packable_.end() ? std::vector<ptx::PackableArray>() : known->second;
}

/// The kernel models are made from the module as clang wrote it.
bool DeviceCompilation::model_kernels() {
  if (!is_ordinary()) return true;
  const auto tell = make_scope_exit([this] { knows_packable_.set_value(); });
  std::vector<analysis::KernelEntry> entries;
  for (const transforms::KernelDeclaration& kernel : transforms::find_kernels(*module_))
    entries.push_back({kernel.function->getName().str(), kernel.max_threads, kernel.min_blocks});
  models_ = {module_->getSourceFileName(), analysis::analyse(*module_, entries, isl_.get())};
  for (const model::Kernel& kernel : models_.kernels)
    packable_[kernel.name] = packable_arrays(kernel);
  return true;
}

bool DeviceCompilation::write_object() {
  tidy_regions();
  make_variants();
  for (VariantCode& variant : variants_) vectorise(variant);
  for (Function& function : *module_) transforms::make_shared_atomics_plain(function);
  if (!request_.debug_info) StripDebugInfo(*module_);  // not earlier: remarks name lines
  choose_math();
  for (Function& function : *module_)
    transforms::write_reciprocal_roots(function, has_root_estimates(*target_, function));
  move_launch_invariants();
  passed("vectorising");
  if (request_.kernel_done) tell_of_kernels();
  if (request_.forms_only) return true;
  add_models();
  passed("footprints");
  add_descriptors();
  if (verifyModule(*module_, &errs())) report_fatal_error("device compiler made a broken module");
  optimise(*module_, *target_, request_.opt_level);
  passed("optimising");
  std::string problem;
  const bool written = emit_object(*module_, *target_, request_.object_path, problem);
  passed("code generation");
  return written || fail(problem);
}

/// Models don't depend on the instruction set: all variants share one.
void DeviceCompilation::add_models() {
  if (!is_ordinary()) return;
  for (model::Kernel& known : models_.kernels)
    for (std::size_t i = 0; i < kernels_.size(); ++i) {
      if (known.name != kernels_[i].name) continue;
      known.static_shared = static_cast<unsigned>(kernels_[i].static_shared);
      Constant* model = add_model(*module_, known, symbols_);
      for (VariantCode& variant : variants_) variant.kernels[i].model = model;
    }
}

void DeviceCompilation::add_descriptors() {
  if (request_.records_accesses)
    return export_recording(*module_, request_.id, variants_.front(), sites_);
  if (request_.special) return export_specialised(*module_, request_.id, variants_.front());
  std::optional<PtxCode> ptx;
  if (ptx_.valid()) ptx = ptx_.get();
  std::string facts = facts_json(module_->getSourceFileName(), kernels_, ptx ? &*ptx : nullptr);
  std::vector<ContainerPart> parts = {{abi::ContainerKind::bitcode, compress(bitcode_)},
                                      {abi::ContainerKind::facts, facts},
                                      {abi::ContainerKind::model, model::to_text(models_)},
                                      {abi::ContainerKind::options, request_.options_json}};
  if (ptx)
    for (const PtxText& one : ptx->texts)
      parts.push_back({abi::ContainerKind::ptx,
                       compress(StringRef(one.text.c_str(), one.text.size() + 1)),
                       one.architecture});
  std::string container = write_container(request_.id, parts);
  codegen::add_descriptors(*module_, request_.id, variants_, container, request_.registrations);
}

bool check_device(const std::string& bitcode_path, const std::string& lowered_names_path,
                  std::vector<Diagnostic>& diagnostics) {
  DeviceRequest request;
  request.bitcode_path = bitcode_path;
  request.lowered_names_path = lowered_names_path;
  return DeviceCompilation(request, diagnostics).check();
}

bool compile_device(const DeviceRequest& request, std::vector<Diagnostic>& diagnostics) {
  return DeviceCompilation(request, diagnostics).run();
}

}  // namespace gridspan::codegen
