// Attempts at PTX, until one succeeds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/ptx.h"

#include "codegen/block_scheduler.h"
#include "codegen/ptx/attempt.h"
#include "codegen/ptx/guarded.h"
#include "codegen/run_stages.h"
#include "codegen/target.h"
#include "transforms/kernels.h"

namespace gridspan::codegen {

using namespace llvm;
using ptx::Reasons;

namespace {

class Maker {
 public:
  Maker(StringRef bitcode, const PtxOptions& options, const KernelKnowledge& known, Stages stages,
        StageTimes* times)
      : bitcode_(bitcode), options_(options), known_(known), stages_(stages), times_(times) {}

  PtxCode run() {
    bool is_shared = true;  // one optimisation for all architectures
    const auto problem = ptx::run_guarded([&] {
      ptx::Attempt attempt(bitcode_, options_, known_);
      for (const transforms::KernelDeclaration& kernel : transforms::find_kernels(*attempt.module))
        kernels_.push_back(kernel.function->getName().str());
      architectures_ = attempt.architectures();
      is_shared = !attempt.differs();
      if (!known_.has_no_steps) steps_ = attempt.find_steps();
    });
    if (problem || kernels_.empty()) return {};
    glues_ahead_ = known_.fused_ahead && !known_.fused;
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
      auto attempt = std::make_unique<ptx::Attempt>(bitcode_, options_, known_);
      attempt->times_to = times_;
      attempt->steps = steps_;
      attempt->wanted = wanted;
      attempt->others = others;
      attempt->glues_ahead = glues_ahead_;
      run_stages(stages_, *attempt);
      made = std::move(attempt->code);
    });
    if (problem) return problem;
    std::vector<PtxText> texts = std::move(code_.texts), fused = std::move(code_.fused_texts);
    append_range(texts, made.texts);
    append_range(fused, made.fused_texts);
    if (wanted.back() == architectures_.back()) {
      code_ = std::move(made);
      code_.left_out.insert(others.begin(), others.end());
    }
    code_.texts = std::move(texts);
    code_.fused_texts = std::move(fused);
    return std::nullopt;
  }

  /// Finds out, if need be, which kernels hold up the others.
  void make_alone(unsigned architecture) {
    if (!make({architecture}, {})) return;
    glues_ahead_ = false;  // what holds up the others may be in any kernel
    if (!make({architecture}, {})) return;
    Reasons failing;
    for (const std::string& kernel : kernels_) {
      Reasons others;
      for (const std::string& other : kernels_)
        if (other != kernel) others.emplace(other, "");
      Maker alone(bitcode_, options_, known_, stages_, times_);
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
  Stages stages_;
  StageTimes* times_;
  std::vector<std::string> kernels_;
  std::vector<unsigned> architectures_;
  bool glues_ahead_ = false;
  std::set<transforms::StepPlace> steps_;
  PtxCode code_;
};

}  // namespace

void prepare_for_ptx() {
  initialise_targets();
  order_long_blocks_fast();
  ptx::prepare_guards();
}

PtxCode make_ptx(StringRef bitcode, const PtxOptions& options, const KernelKnowledge& known,
                 Stages stages, StageTimes* times) {
  return Maker(bitcode, options, known, stages, times).run();
}

}  // namespace gridspan::codegen
