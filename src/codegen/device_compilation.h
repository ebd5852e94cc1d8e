// One run of the device compiler: what its steps share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/block_forms.h"
#include "codegen/device_compiler.h"
#include "codegen/launch_shapes.h"
#include "codegen/variants.h"
#include "model/text.h"
#include "transforms/diagnostics.h"
#include "transforms/kernels.h"
#include "transforms/warp_steps/warp_steps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/Path.h"
#include "llvm/Target/TargetMachine.h"

#include <future>
#include <map>
#include <memory>

namespace gridspan::codegen {

/// Compiles one module; each step is a function below, in the order they run.
class DeviceCompilation {
 public:
  DeviceCompilation(const DeviceRequest& request, std::vector<Diagnostic>& diagnostics);

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
  KernelCode compile_kernel(const transforms::KernelDeclaration& declaration,
                            const std::string& code_hash);
  void start_ptx();
  std::vector<ptx::PackableArray> packable_in(const std::string& kernel) const;
  /// Of blocks that the source launches the kernel with.
  transforms::StepShapes shapes_of(llvm::StringRef kernel) const {
    return launch_shapes(request_.launch_shapes_path, kernel.str());
  }
  bool write_object();
  void tidy_regions();
  void make_variants();
  void make_special();
  void vectorise(VariantCode& variant);
  void tell_of_kernels() const;
  void choose_math();
  void move_launch_invariants();
  void add_models();
  void add_descriptors();

  /// What LLVM's passes say. A loop that stays as it is, although the program asked to unroll it,
  /// is none of the user's business: nvcc does not mention it either.
  void hear(const llvm::DiagnosticInfo& info);
  bool fail(const std::string& text) {
    diagnostics_.push_back({Diagnostic::Kind::error, "", 0, 0, text});
    return false;
  }
  /// Of all kernels, to be registered.
  bool is_ordinary() const { return !request_.records_accesses && !request_.special; }
  bool has_ordinary_math(const KernelCode& kernel) const {
    return llvm::is_contained(request_.vector_math, kernel.name);
  }
  bool does(const char* optimisation, const KernelSettings& settings) const {
    return !llvm::is_contained(request_.without, optimisation) &&
           !llvm::is_contained(settings.without, optimisation);
  }
  std::string source_name() const {
    return llvm::sys::path::filename(module_->getSourceFileName()).str();
  }
  bool is_for_speed() const { return request_.opt_level != 0 && !request_.records_accesses; }
  bool passed(const char* phase) const {
    if (request_.phase_done) request_.phase_done(phase);
    return true;
  }
  bool report(const transforms::UserErrors& errors) {
    for (const transforms::UserError& error : errors)
      diagnostics_.push_back({Diagnostic::Kind::error, error.where.file, error.where.line,
                              error.where.column, error.text});
    return errors.empty();
  }

  const DeviceRequest& request_;
  std::vector<Diagnostic>& diagnostics_;
  llvm::LLVMContext context_;
  model::IslContext isl_;
  std::string bitcode_;  // as clang wrote it: the container keeps it
  std::unique_ptr<llvm::TargetMachine> target_;
  std::unique_ptr<llvm::Module> module_;
  std::vector<transforms::KernelDeclaration> declarations_;
  std::vector<transforms::DeviceSymbol> symbols_;
  std::map<std::string, std::vector<transforms::WarpStep>> steps_;  // by kernel
  unsigned sites_ = 0;  // places that a recording build announces
  std::vector<KernelCode> kernels_;
  std::vector<VariantCode> variants_;  // of kernels_ and symbols_; the first is theirs
  model::Module models_;               // of the same kernels, in the same order
  // By kernel, from the models, for the thread that makes PTX.
  std::map<std::string, std::vector<ptx::PackableArray>> packable_;
  std::promise<void> knows_packable_;
  std::shared_future<void> packable_is_known_ = knows_packable_.get_future().share();
  std::future<PtxCode> ptx_;  // made meanwhile; not valid if none is wanted
};

}  // namespace gridspan::codegen
