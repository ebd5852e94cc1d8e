// The device compiler: runs the stages of pipeline.cpp on one module.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/device_compiler.h"

#include "analysis/analyse.h"
#include "codegen/container_writer.h"
#include "codegen/descriptors.h"
#include "codegen/device_compilation.h"
#include "codegen/facts.h"
#include "codegen/fused_ahead.h"
#include "codegen/launch_sequences.h"
#include "codegen/launch_shapes.h"
#include "codegen/model_descriptors.h"
#include "codegen/packable.h"
#include "codegen/passes.h"
#include "codegen/ptx/machine_code.h"
#include "codegen/run_stages.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

namespace gridspan::codegen {

using namespace llvm;

static bool is_phase(const Stage& stage) { return stage.kind == Stage::Kind::phase; }

DeviceCompilation::DeviceCompilation(const DeviceRequest& asked, std::vector<Diagnostic>& told)
    : request(asked), diagnostics(told) {
  context.setDiagnosticHandlerCallBack(
      [](const DiagnosticInfo* info, void* self) {
        static_cast<DeviceCompilation*>(self)->hear(*info);
      },
      this);
}

/// Errors of a program are told at the end of the phase that found them: there may be several.
bool DeviceCompilation::run_phases(Stages stages) {
  while (!stages.empty() && !is_done_) {
    const auto next = std::find_if(stages.begin() + 1, stages.end(), is_phase);
    const auto count = static_cast<std::size_t>(next - stages.begin());
    run_stages(stages.first(count), *this);
    report_errors();
    stages = stages.subspan(count);
  }
  return none_of(diagnostics,
                 [](const Diagnostic& one) { return one.kind == Diagnostic::Kind::error; });
}

bool DeviceCompilation::check() {
  const Stages all = pipeline();
  const auto second = std::find_if(all.begin() + 1, all.end(), is_phase);
  return run_phases(all.first(static_cast<std::size_t>(second - all.begin())));
}

void DeviceCompilation::hear(const DiagnosticInfo& info) {
  if (info.getKind() == DK_OptimizationFailure || info.getSeverity() > DS_Warning) return;
  std::string text;
  raw_string_ostream stream(text);
  DiagnosticPrinterRawOStream printer(stream);
  info.print(printer);
  const bool is_error = info.getSeverity() == DS_Error;
  diagnostics.push_back(
      {is_error ? Diagnostic::Kind::error : Diagnostic::Kind::warning, "", 0, 0, text});
}

void DeviceCompilation::fail(const std::string& text) {
  diagnostics.push_back({Diagnostic::Kind::error, "", 0, 0, text});
  is_done_ = true;
}

void DeviceCompilation::report_errors() {
  for (const transforms::UserError& error : errors)
    diagnostics.push_back({Diagnostic::Kind::error, error.where.file, error.where.line,
                           error.where.column, error.text});
  is_done_ |= !errors.empty();
  errors.clear();
}

const support::FusedLaunches* DeviceCompilation::fused_launches() const {
  return request.special && request.special->fused ? &*request.special->fused : nullptr;
}

bool DeviceCompilation::does(const Stage& stage) const {
  unsigned forms = request.records_accesses ? Stage::recording
                   : request.special        ? Stage::specialised
                                            : Stage::cpu | Stage::footprints;
  const bool is_for_gpus = is_ordinary() ? !request.forms_only : fused_launches() != nullptr;
  if (is_for_gpus && request.ptx.level != 0) forms |= Stage::ptx;
  return (stage.of & forms) != 0 && (!stage.optimises || is_for_speed()) &&
         !is_contained(request.without, stage.without);
}

bool DeviceCompilation::does(std::string_view optimisation,
                             const KernelSettings& kernel_settings) const {
  return !is_contained(request.without, optimisation) &&
         !is_contained(kernel_settings.without, optimisation);
}

bool DeviceCompilation::has_ordinary_math(const KernelCode& kernel) const {
  return is_contained(request.vector_math, kernel.name);
}

std::string DeviceCompilation::source_name() const {
  return sys::path::filename(module->getSourceFileName()).str();
}

std::vector<transforms::BlockShape> DeviceCompilation::shapes_of(StringRef kernel) const {
  return launch_shapes(request.launch_shapes_path, kernel.str());
}

/// PTX and the code for CPUs have nothing in common but the module as clang wrote it.
void DeviceCompilation::start_ptx(Stages inner) {
  prepare_for_ptx();
  ptx_ = std::async(std::launch::async, [this, inner] {
    const StageTimer timer(times(), *stage_named("ptx"));
    KernelKnowledge known = {[this](const std::string& kernel) { return packable_in(kernel); },
                             [this](const std::string& kernel) { return may_be_cut(kernel); },
                             [this](StringRef kernel) { return shapes_of(kernel); },
                             steps && steps->places.empty(),
                             fused_launches(),
                             [this]() -> const std::list<FusedAhead>& { return wait_for_fused(); }};
    PtxCode made = make_ptx(bitcode, request.ptx, known, inner, times());
    known.fused_ahead = {};
    known.has_no_steps = false;  // of this source
    for (const SourceEdition& edition : reverse(request.editions)) {
      models_are_known_.wait();  // and the accesses
      add_edition(edition, request.ptx, accesses_, known, made);
    }
    made.machine = ptx::assemble(made.texts, request.ptx, request.object_path);
    const std::set wanted(request.ptx.machine.begin(), request.ptx.machine.end());
    if (request.lacks_machine_code && !request.ptx.assembler.empty())
      *request.lacks_machine_code |= made.machine.size() < wanted.size();
    return made;
  });
}

void DeviceCompilation::wait_for_ptx() {
  if (ptx_.valid()) ptx_code = ptx_.get();
}

/// Waits for the models, which are the first thing that is made beside the PTX.
std::vector<ptx::PackableArray> DeviceCompilation::packable_in(const std::string& kernel) const {
  if (!is_ordinary()) return {};
  models_are_known_.wait();
  const auto known = packable_.find(kernel);
  return known == packable_.end() ? std::vector<ptx::PackableArray>() : known->second;
}

/// The clone for a part of what runs on one device would be code for nobody.
bool DeviceCompilation::may_be_cut(const std::string& kernel) const {
  if (!is_ordinary()) return true;
  models_are_known_.wait();
  return !whole_.contains(kernel);
}

static Diagnostic remark_on(const model::Kernel& kernel) {
  std::string text = "kernel '" + kernel.readable + "' " + model::rung_text(kernel.rung);
  if (!kernel.rung_reason.empty()) text += "; " + kernel.rung_reason;
  return {Diagnostic::Kind::remark, kernel.where.file, kernel.where.line, kernel.where.column,
          text};
}

/// The kernel models are made from the module as clang wrote it.
void DeviceCompilation::model_kernels() {
  const auto tell = make_scope_exit([this] { knows_models_.set_value(); });
  std::vector<analysis::KernelEntry> entries;
  for (const transforms::KernelDeclaration& kernel : transforms::find_kernels(*module))
    entries.push_back({kernel.function->getName().str(), kernel.max_threads, kernel.min_blocks});
  std::vector<std::string> short_of_work;
  models = {module->getSourceFileName(),
            analysis::analyse(*module, entries, isl.get(), {}, &short_of_work)};
  if (!request.editions.empty()) accesses_ = access_texts(models.kernels);
  for (const model::Kernel& kernel : models.kernels) {
    packable_[kernel.name] = packable_arrays(kernel);
    if (kernel.rung == model::Rung::one_device) whole_.insert(kernel.name);
    if (is_contained(short_of_work, kernel.name)) note_short_of_work(kernel);
    diagnostics.push_back(remark_on(kernel));
  }
}

void DeviceCompilation::read_sequences() { sequences = launch_sequences(request.sequences_path); }

void DeviceCompilation::plan_fused() {
  const auto tell = make_scope_exit([this] { knows_fused_.set_value(); });
  if (is_ordinary() && !request.kernel_done && !sequences.empty())
    fused = fused_ahead(sequences, models, *module);
}

const std::list<FusedAhead>& DeviceCompilation::wait_for_fused() const {
  if (does(*stage_named("plan-fused"))) fused_is_known_.wait();
  return fused;
}

void DeviceCompilation::note_short_of_work(const model::Kernel& kernel) {
  findings[kernel.name].set("short_of_work",
                            kernel.where.file + ":" + std::to_string(kernel.where.line));
}

/// Models don't depend on the instruction set: all variants share one.
/// Equal of kernels whose descriptions are equal: instances of a template for different types.
static std::string text_to_compare(model::Kernel kernel) {
  kernel.name.clear();
  kernel.readable.clear();
  kernel.argument_types.clear();
  kernel.analysis_milliseconds = 0;
  return model::to_text({"", {std::move(kernel)}});
}

void DeviceCompilation::add_models() {
  model::Allowance allowance(model::module_work(models.kernels.size()));
  struct Described {
    Constant* model;
    bool is_short_of_work;
  };
  std::map<std::string, Described> described;
  for (model::Kernel& known : models.kernels)
    for (std::size_t i = 0; i < kernel_codes.size(); ++i) {
      if (known.name != kernel_codes[i].name) continue;
      known.static_shared = static_cast<unsigned>(kernel_codes[i].static_shared);
      const auto [place, is_new] = described.try_emplace(text_to_compare(known));
      Described& made = place->second;
      if (is_new) {
        made.model = add_model(*module, known, symbols, allowance);
        made.is_short_of_work = allowance.has_given_less();
      }
      if (made.is_short_of_work) note_short_of_work(known);
      for (VariantCode& variant : variants) variant.kernels[i].model = made.model;
    }
}

static std::vector<ContainerPart> parts_of(const std::vector<PtxText>& texts) {
  std::vector<ContainerPart> parts;
  for (const PtxText& one : texts)
    parts.push_back({abi::ContainerKind::ptx,
                     compress(StringRef(one.text.c_str(), one.text.size() + 1)), one.architecture});
  return parts;
}

static std::vector<ContainerPart> parts_of(const std::vector<MachineCode>& machine) {
  std::vector<ContainerPart> parts;
  for (const MachineCode& one : machine)
    parts.push_back({abi::ContainerKind::machine_code, compress(one.bytes), one.architecture});
  return parts;
}

/// With nothing but code for GPUs; empty if there is none.
std::string DeviceCompilation::gpu_container(std::vector<PtxText> PtxCode::* texts) const {
  const bool has_some = ptx_code && !((*ptx_code).*texts).empty();
  return has_some ? write_container(request.id, parts_of((*ptx_code).*texts)) : std::string();
}

void DeviceCompilation::add_special_descriptor() {
  export_specialised(*module, request.id, variants.front(), gpu_container(&PtxCode::texts));
}

/// Of those that some instruction set has.
static std::string fused_text(const std::vector<VariantCode>& variants) {
  std::set<std::string> lines;
  for (const VariantCode& variant : variants)
    for (const KernelCode& kernel : variant.kernels)
      if (kernel.fused) lines.insert(to_text(kernel.fused->launches) + "\n");
  return join(lines, "");
}

void DeviceCompilation::add_descriptors() {
  std::string facts = facts_json(module->getSourceFileName(), kernel_codes,
                                 ptx_code ? &*ptx_code : nullptr, findings);
  std::vector<ContainerPart> parts = {{abi::ContainerKind::bitcode, compress(bitcode)},
                                      {abi::ContainerKind::facts, facts},
                                      {abi::ContainerKind::model, model::to_text(models)},
                                      {abi::ContainerKind::options, request.options_json}};
  if (ptx_code) {
    append_range(parts, parts_of(ptx_code->texts));
    append_range(parts, parts_of(ptx_code->machine));
  }
  if (!sequences.empty()) parts.push_back({abi::ContainerKind::sequences, sequences});
  if (const std::string text = fused_text(variants); !text.empty())
    parts.push_back({abi::ContainerKind::fused, text});
  codegen::add_descriptors(
      *module, request.id, variants,
      {write_container(request.id, parts), gpu_container(&PtxCode::fused_texts)},
      request.registrations);
}

void DeviceCompilation::verify() const {
  if (verifyModule(*module, &errs())) report_fatal_error("device compiler made a broken module");
}

void DeviceCompilation::emit() {
  std::string problem;
  if (!emit_object(*module, *target, request.object_path, problem)) fail(problem);
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
