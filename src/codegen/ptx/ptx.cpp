// The way from canonical IR to PTX, told in order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/ptx.h"

#include "codegen/block_scheduler.h"
#include "codegen/device_bitcode.h"
#include "codegen/passes.h"
#include "codegen/ptx/early_loads.h"
#include "codegen/ptx/exits.h"
#include "codegen/ptx/gpu_target.h"
#include "codegen/ptx/guarded.h"
#include "codegen/ptx/inline_needs.h"
#include "codegen/ptx/managed_variables.h"
#include "codegen/ptx/memory_order.h"
#include "codegen/ptx/obstacles.h"
#include "codegen/ptx/packed_kernels.h"
#include "codegen/ptx/part_kernels.h"
#include "codegen/ptx/prepare.h"
#include "codegen/ptx/read_only_loads.h"
#include "codegen/ptx/read_only_structs.h"
#include "codegen/ptx/small_floats.h"
#include "codegen/ptx/tile_barriers.h"
#include "codegen/ptx/warp_barriers.h"
#include "codegen/ptx/wide_copies.h"
#include "codegen/ptx/word_functions.h"
#include "codegen/target.h"
#include "transforms/kernels.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace gridspan::codegen {

using namespace llvm;
using ptx::Reasons;

namespace {

/// One try, with some kernels and for some architectures. Anything may fail in LLVM's hands; then
/// nothing of this object is touched again.
class Attempt {
 public:
  Attempt(StringRef bitcode, const PtxOptions& options, const KernelKnowledge& known)
      : bitcode_(bitcode), options_(options), known_(known) {
    context_.setDiagnosticHandlerCallBack([](const DiagnosticInfo* info, void*) {
      if (info->getSeverity() != DS_Error) return;
      std::string text;
      raw_string_ostream stream(text);
      DiagnosticPrinterRawOStream printer(stream);
      info->print(printer);
      report_fatal_error(Twine(text));  // this attempt's
    });
    SMDiagnostic problem;
    module_ = read_device_bitcode(MemoryBufferRef(bitcode, "device code"), problem, context_);
    if (!module_) report_fatal_error(Twine(problem.getMessage()));
    transforms::UserErrors told;  // by the compiler for CPUs
    settle_language(*module_, told);
    inline_ptx_ = ptx::has_inline_ptx(*module_);
    least_version_ = ptx::least_version(*module_);
  }

  Module& module() { return *module_; }
  /// Where lanes of a warp have to meet, of the module as it was read.
  std::set<transforms::StepPlace> find_steps() {
    return transforms::find_warp_steps(*module_, transforms::find_kernels(*module_), known_.shapes,
                                       /*volatile_is_ordered=*/true)
        .places;
  }
  void add_steps(const std::set<transforms::StepPlace>& steps) {
    ptx::add_warp_barriers(*module_, steps);
  }
  /// What is known of kernels and their clones; `texts` are not there yet.
  PtxCode& code() { return code_; }

  std::vector<unsigned> architectures() const {
    return ptx::architectures(options_.level, *module_);
  }

  /// Has what is not for all GPUs alike.
  bool differs() const {
    return inline_ptx_ || ptx::has_newer_floats(*module_) || ptx::uses_barrier_objects(*module_) ||
           !ptx::least_architectures(*module_).empty();
  }

  /// Leaves kernels out and says which and why.
  Reasons reduce(const Reasons& others, unsigned architecture) {
    ptx::leave_out(*module_, others);
    Reasons reasons = ptx::obstacles_in_source(*module_, architecture);
    ptx::leave_out(*module_, reasons);
    return reasons;
  }

  /// Optimises what is left; further kernels may turn out to need what GPUs lack.
  Reasons optimise(unsigned architecture) {
    ptx::load_managed_addresses(*module_);
    ptx::note_grid_barriers(*module_);
    ptx::clear_tile_barriers(*module_);
    ptx::prepare(*module_, options_);
    ptx::use_small_floats(*module_, architecture);
    ptx::use_word_instructions(*module_);
    ptx::mark_read_only_loads(*module_);
    if (auto problem = ptx::link_library(*module_, options_.libdevice))
      report_fatal_error(Twine(*problem));
    ptx::order_memory(*module_);
    ptx::inline_grid_positions(*module_);
    auto gpu = ptx::make_gpu(architecture, options_.opt_level, least_version_);
    ptx::separate_exits(*module_);
    optimise_for_gpu(*module_, *gpu, options_.opt_level);
    ptx::join_exits(*module_);
    if (options_.opt_level > 0) {
      ptx::load_early(*module_);
      ptx::copy_by_vectors(*module_);
    }
    Reasons reasons = ptx::obstacles_at_end(*module_);
    ptx::leave_out(*module_, reasons);
    ptx::trap_in_undefined(*module_);
    remove_unused(*module_, *gpu);
    ptx::keep_read_only_structs(*module_);
    for (const transforms::KernelDeclaration& kernel : transforms::find_kernels(*module_))
      add_clones(*kernel.function);
    StripDebugInfo(*module_);
    return reasons;
  }

  bool has_kernels() { return !transforms::find_kernels(*module_).empty(); }

  std::string text(unsigned architecture) {
    // Code generation changes the module.
    std::unique_ptr<Module> copy = CloneModule(*module_);
    auto gpu = ptx::make_gpu(architecture, options_.opt_level, least_version_);
    return ptx_of(*copy, *gpu);
  }

 private:
  void add_clones(Function& kernel) {
    const std::string name = kernel.getName().str();
    if (auto reason = ptx::add_part_kernel(kernel)) {
      code_.undivided.emplace(name, *reason);
      return;
    }
    const std::vector<ptx::PackableArray> arrays = known_.packable(name);
    if (arrays.empty()) return;
    if (auto reason = ptx::add_packed_kernel(kernel, arrays)) {
      code_.unpacked.emplace(name, *reason);
      return;
    }
    for (const ptx::PackableArray& array : arrays) code_.packed[name].push_back(array.name);
  }

  StringRef bitcode_;
  const PtxOptions& options_;
  const KernelKnowledge& known_;
  LLVMContext context_;
  std::unique_ptr<Module> module_;
  PtxCode code_;
  bool inline_ptx_ = false;
  unsigned least_version_ = 0;
};

class Maker {
 public:
  Maker(StringRef bitcode, const PtxOptions& options, const KernelKnowledge& known)
      : bitcode_(bitcode), options_(options), known_(known) {}

  PtxCode run() {
    bool is_shared = true;  // one optimisation for all architectures
    const auto problem = ptx::run_guarded([&] {
      Attempt attempt(bitcode_, options_, known_);
      for (const transforms::KernelDeclaration& kernel : transforms::find_kernels(attempt.module()))
        kernels_.push_back(kernel.function->getName().str());
      architectures_ = attempt.architectures();
      is_shared = !attempt.differs();
      steps_ = attempt.find_steps();
    });
    if (problem || kernels_.empty()) return {};
    if (is_shared && !make(architectures_, {})) return std::move(code_);
    // What one architecture lacks, another may have.
    code_ = {};
    for (const unsigned architecture : architectures_) make_alone(architecture);
    return std::move(code_);
  }

 private:
  /// Adds the texts of the kernels that are not in `others`; what stood in the way, if it failed.
  /// What is said of kernels is said of the newest GPUs.
  std::optional<std::string> make(const std::vector<unsigned>& wanted, const Reasons& others) {
    PtxCode made;
    auto problem = ptx::run_guarded([&] {
      auto attempt = std::make_unique<Attempt>(bitcode_, options_, known_);
      attempt->add_steps(steps_);
      Reasons left_out = attempt->reduce(others, wanted.front());
      left_out.merge(attempt->optimise(wanted.front()));
      made = std::move(attempt->code());
      made.left_out = std::move(left_out);
      if (!attempt->has_kernels()) return;
      for (const unsigned architecture : wanted)
        made.texts.push_back({architecture, attempt->text(architecture)});
    });
    if (problem) return problem;
    std::vector<PtxText> texts = std::move(code_.texts);
    append_range(texts, made.texts);
    if (wanted.back() == architectures_.back()) {
      code_ = std::move(made);
      code_.left_out.insert(others.begin(), others.end());
    }
    code_.texts = std::move(texts);
    return std::nullopt;
  }

  /// Finds out, if need be, which kernels hold up the others.
  void make_alone(unsigned architecture) {
    if (!make({architecture}, {})) return;
    Reasons failing;
    for (const std::string& kernel : kernels_) {
      Reasons others;
      for (const std::string& other : kernels_)
        if (other != kernel) others.emplace(other, "");
      Maker alone(bitcode_, options_, known_);
      alone.architectures_ = {architecture};
      alone.steps_ = steps_;
      if (const auto problem = alone.make({architecture}, others))
        failing.emplace(kernel, "sm_" + std::to_string(architecture) + ": " + first_line(*problem));
    }
    if (const auto problem = make({architecture}, failing))
      for (const std::string& kernel : kernels_)
        if (architecture == architectures_.back())
          code_.left_out.emplace(kernel, first_line(*problem));
  }

  /// The rest are graphs for LLVM's developers.
  static std::string first_line(const std::string& text) {
    return StringRef(text).split('\n').first.str();
  }

  StringRef bitcode_;
  const PtxOptions& options_;
  const KernelKnowledge& known_;
  std::vector<std::string> kernels_;
  std::vector<unsigned> architectures_;
  std::set<transforms::StepPlace> steps_;
  PtxCode code_;
};

}  // namespace

void prepare_for_ptx() {
  initialise_targets();
  order_long_blocks_fast();
  ptx::prepare_guards();
}

PtxCode make_ptx(StringRef bitcode, const PtxOptions& options, const KernelKnowledge& known) {
  return Maker(bitcode, options, known).run();
}

}  // namespace gridspan::codegen
