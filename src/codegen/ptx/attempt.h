// The work of stages that make PTX.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/pipeline.h"
#include "codegen/ptx/obstacles.h"
#include "codegen/ptx/ptx.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <set>

namespace gridspan::codegen::ptx {

/// One try, with some kernels and for some architectures. Anything may fail in LLVM's hands; then
/// nothing of this object is touched again. Functions below that are stages have their rows, and so
/// their order, in codegen/pipeline.cpp.
struct Attempt {
  Attempt(llvm::StringRef bitcode, const PtxOptions& asked, const KernelKnowledge& known);

  void leave_out_source_obstacles();
  void link_library();
  void find_target();
  void glue();
  void leave_out_final_obstacles();
  void add_clones(Stages inner);
  void write_texts();

  /// Where lanes of a warp have to meet, of the module as it was read.
  std::set<transforms::StepPlace> find_steps();
  std::vector<unsigned> architectures() const;
  /// Has what is not for all GPUs alike.
  bool differs() const;

  bool does(const Stage& stage) const { return !stage.optimises || options.opt_level > 0; }
  bool is_done() const { return false; }
  StageTimes* times() const { return times_to; }

  const PtxOptions& options;
  const KernelKnowledge& knowledge;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  std::vector<unsigned> wanted;  // architectures; all but the texts is for the first
  std::set<transforms::StepPlace> steps;
  Reasons others;  // kernels that are not compiled
  std::unique_ptr<llvm::TargetMachine> gpu;
  PtxCode code;
  StageTimes* times_to = nullptr;
  bool glues_ahead = false;
  llvm::StringSet<> glued = {};  // kernels, beside the ordinary ones

 private:
  void leave_out(Reasons reasons);
  std::optional<std::string> glue(const support::FusedLaunches& launches, const std::string& name);
  void glue_ahead();
  std::vector<PtxText> texts_of(bool of_glued) const;

  unsigned least_version_ = 0;
};

/// A kernel that gets clones.
struct CloneWork {
  void add_part_kernel();
  void add_packed_kernel();

  bool does(const Stage& stage) const { return attempt.does(stage); }
  bool is_done() const { return false; }
  StageTimes* times() const { return attempt.times(); }

  Attempt& attempt;
  llvm::Function& kernel;
  std::string name;
};

}  // namespace gridspan::codegen::ptx
