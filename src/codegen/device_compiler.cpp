// The device compiler, told in order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/device_compiler.h"

#include "analysis/analyse.h"
#include "codegen/code_hash.h"
#include "codegen/container_writer.h"
#include "codegen/descriptors.h"
#include "codegen/device_library.h"
#include "codegen/facts.h"
#include "codegen/kernel_cutter.h"
#include "codegen/launch_shapes.h"
#include "codegen/lowered_names.h"
#include "codegen/model_descriptors.h"
#include "codegen/passes.h"
#include "codegen/target.h"
#include "codegen/tuned_kernels.h"
#include "codegen/vector_code.h"
#include "model/text.h"
#include "transforms/agreeing_phis.h"
#include "transforms/device_launches.h"
#include "transforms/hardware_semantics.h"
#include "transforms/inline_ptx/inline_ptx.h"
#include "transforms/inline_sync.h"
#include "transforms/instrument.h"
#include "transforms/intrinsics.h"
#include "transforms/kernels.h"
#include "transforms/known_threads.h"
#include "transforms/math_calls.h"
#include "transforms/reciprocal_roots.h"
#include "transforms/register_ranges.h"
#include "transforms/retarget.h"
#include "transforms/shared_addresses.h"
#include "transforms/shared_atomics.h"
#include "transforms/specialise.h"
#include "transforms/sync_points.h"
#include "transforms/thread_entry.h"
#include "transforms/thread_functions.h"
#include "transforms/thread_guard.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

namespace gridspan::codegen {

using namespace llvm;
using transforms::KernelDeclaration;
using transforms::UserErrors;

namespace {

/// Compiles one module; each step is a function below, in the order they run.
class DeviceCompilation {
 public:
  DeviceCompilation(const DeviceRequest& request, std::vector<Diagnostic>& diagnostics)
      : request_(request), diagnostics_(diagnostics) {
    context_.setDiagnosticHandlerCallBack(
        [](const DiagnosticInfo* info, void* self) {
          static_cast<DeviceCompilation*>(self)->hear(*info);
        },
        this);
  }

  bool run();
  bool check() { return read_module(); }

 private:
  bool read_module();
  bool write_lowered_names();
  bool model_kernels();
  bool make_cpu_module();
  void record_accesses();
  bool link_device_library();
  bool compile_kernels();
  bool specialise();
  bool refuse(const std::string& why) { return fail(refusal_mark + why); }
  FormOptions form_options(const KernelCode& kernel) const;
  KernelCode compile_kernel(const KernelDeclaration& declaration, const std::string& code_hash);
  bool write_object();
  void tidy_regions();
  void make_variants();
  void make_special();
  void vectorise(VariantCode& variant);
  void tell_of_kernels() const;
  void choose_math();
  void add_models();
  void add_descriptors();

  /// What LLVM's passes say. A loop that stays as it is, although the program asked to unroll it,
  /// is none of the user's business: nvcc does not mention it either.
  void hear(const DiagnosticInfo& info) {
    if (info.getKind() == DK_OptimizationFailure || info.getSeverity() > DS_Warning) return;
    std::string text;
    raw_string_ostream stream(text);
    DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    const bool is_error = info.getSeverity() == DS_Error;
    diagnostics_.push_back(
        {is_error ? Diagnostic::Kind::error : Diagnostic::Kind::warning, "", 0, 0, text});
  }
  bool fail(const std::string& text) {
    diagnostics_.push_back({Diagnostic::Kind::error, "", 0, 0, text});
    return false;
  }
  /// Of all kernels, to be registered.
  bool is_ordinary() const { return !request_.records_accesses && !request_.special; }
  bool has_ordinary_math(const KernelCode& kernel) const {
    return is_contained(request_.vector_math, kernel.name);
  }
  bool does(const char* optimisation, const KernelSettings& settings) const {
    return !is_contained(request_.without, optimisation) &&
           !is_contained(settings.without, optimisation);
  }
  std::string source_name() const {
    return sys::path::filename(module_->getSourceFileName()).str();
  }
  bool is_for_speed() const { return request_.opt_level != 0 && !request_.records_accesses; }
  bool passed(const char* phase) const {
    if (request_.phase_done) request_.phase_done(phase);
    return true;
  }
  bool report(const UserErrors& errors) {
    for (const transforms::UserError& error : errors)
      diagnostics_.push_back({Diagnostic::Kind::error, error.where.file, error.where.line,
                              error.where.column, error.text});
    return errors.empty();
  }

  const DeviceRequest& request_;
  std::vector<Diagnostic>& diagnostics_;
  LLVMContext context_;
  model::IslContext isl_;
  std::string bitcode_;  // as clang wrote it: the container keeps it
  std::unique_ptr<TargetMachine> target_;
  std::unique_ptr<Module> module_;
  std::vector<KernelDeclaration> declarations_;
  std::vector<transforms::DeviceSymbol> symbols_;
  unsigned sites_ = 0;  // places that a recording build announces
  std::vector<KernelCode> kernels_;
  std::vector<VariantCode> variants_;  // of kernels_ and symbols_; the first is theirs
  model::Module models_;               // of the same kernels, in the same order
};

bool DeviceCompilation::run() {
  const bool done = read_module() && passed("reading device code") && model_kernels() &&
                    passed("kernel models") && make_cpu_module() && link_device_library() &&
                    passed("lowering to the CPU") && compile_kernels() &&
                    passed("cutting into regions") && write_object();
  return done && std::ranges::none_of(diagnostics_, [](const Diagnostic& one) {
           return one.kind == Diagnostic::Kind::error;
         });
}

bool DeviceCompilation::read_module() {
  auto buffer = MemoryBuffer::getFile(request_.bitcode_path);
  if (!buffer)
    return fail("cannot read '" + request_.bitcode_path + "': " + buffer.getError().message());
  bitcode_ = (*buffer)->getBuffer().str();
  SMDiagnostic problem;
  module_ = parseIR((*buffer)->getMemBufferRef(), problem, context_);
  if (!module_) return fail("'" + request_.bitcode_path + "': " + problem.getMessage().str());
  if (!request_.lowered_names_path.empty() && !write_lowered_names()) return false;
  UserErrors errors;
  transforms::lower_inline_ptx(*module_, errors);
  transforms::lower_device_launches(*module_, errors);
  return report(errors);
}

bool DeviceCompilation::write_lowered_names() {
  std::error_code error;
  raw_fd_ostream stream(request_.lowered_names_path, error);
  if (error) return fail("cannot write '" + request_.lowered_names_path + "': " + error.message());
  stream << take_lowered_names(*module_);
  bitcode_.clear();
  raw_string_ostream rest(bitcode_);
  WriteBitcodeToFile(*module_, rest);
  rest.flush();
  raw_fd_ostream(request_.bitcode_path, error) << bitcode_;
  return !error || fail("cannot write '" + request_.bitcode_path + "': " + error.message());
}

/// The kernel models are made from the module as clang wrote it.
bool DeviceCompilation::model_kernels() {
  if (!is_ordinary()) return true;
  std::vector<analysis::KernelEntry> entries;
  for (const KernelDeclaration& kernel : transforms::find_kernels(*module_))
    entries.push_back({kernel.function->getName().str(), kernel.max_threads, kernel.min_blocks});
  models_ = {module_->getSourceFileName(), analysis::analyse(*module_, entries, isl_.get())};
  return true;
}

/// Canonical nvptx64 IR becomes IR for this CPU in which only markers and sync points are left of
/// the GPU.
bool DeviceCompilation::make_cpu_module() {
  std::string problem;
  target_ = make_target_machine(request_, problem);
  if (!target_) return fail(problem);
  UserErrors errors;
  transforms::define_hardware_semantics(*module_);
  declarations_ = transforms::find_kernels(*module_);
  symbols_ = transforms::lower_globals(*module_, errors);
  if (!report(errors)) return false;
  transforms::lower_shared_addresses(*module_);
  transforms::retarget(*module_, *target_, errors);
  for (KernelDeclaration& kernel : declarations_)
    kernel.function->setLinkage(GlobalValue::ExternalLinkage);  // survives until it is cut
  transforms::lower_intrinsics(*module_);
  if (request_.records_accesses) record_accesses();
  return report(errors);
}

void DeviceCompilation::record_accesses() {
  transforms::inline_everything(*module_);
  expose_accesses(*module_, *target_);
  sites_ = transforms::record_accesses(
      *module_, [this](Module& copy) { remove_redundant_accesses(copy, *target_); });
}

bool DeviceCompilation::link_device_library() {
  const StringSet<> wanted = transforms::undefined_functions(*module_);
  if (const auto problem = codegen::link_device_library(*module_)) return fail(*problem);
  UserErrors errors;
  transforms::check_undefined(*module_, wanted, errors);
  return report(errors);
}

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
          .launched = is_fast && does("launch-shapes", settings)
                          ? launch_shapes(request_.launch_shapes_path, kernel.name)
                          : std::vector<transforms::BlockShape>{}};
}

KernelCode DeviceCompilation::compile_kernel(const KernelDeclaration& declaration,
                                             const std::string& code_hash) {
  KernelCode code;
  code.name = declaration.function->getName();
  code.code_hash = code_hash;
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
  simplify(*module_, *target_);
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

bool DeviceCompilation::write_object() {
  tidy_regions();
  make_variants();
  for (VariantCode& variant : variants_) vectorise(variant);
  for (Function& function : *module_) transforms::make_shared_atomics_plain(function);
  if (!request_.debug_info) StripDebugInfo(*module_);  // not earlier: remarks name lines
  choose_math();
  for (Function& function : *module_)
    transforms::write_reciprocal_roots(function, has_root_estimates(*target_, function));
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
    for (const VariantCode& variant : variants_)
      append_range(functions, variant.kernels[i].regions.loops);
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

/// Who names a CPU gets code for that CPU; so do builds that nobody runs for speed.
void DeviceCompilation::make_variants() {
  if (request_.special) return make_special();
  variants_.push_back({abi::InstructionSet::baseline, kernels_, symbols_});
  bool single = !request_.target_cpu.empty() || request_.opt_level == 0 ||
                request_.records_accesses || kernels_.empty();
  if (single) return;
  append_range(variants_,
               codegen::make_variants(*module_, variants_.front(), further_variants(*module_)));
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
  std::string facts = facts_json(module_->getSourceFileName(), kernels_);
  std::string container =
      write_container(request_.id, {{abi::ContainerKind::bitcode, compress(bitcode_)},
                                    {abi::ContainerKind::facts, facts},
                                    {abi::ContainerKind::model, model::to_text(models_)},
                                    {abi::ContainerKind::options, request_.options_json}});
  codegen::add_descriptors(*module_, request_.id, variants_, container, request_.registrations);
}

}  // namespace

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
