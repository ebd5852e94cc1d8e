// The work of stages on one kernel, and on each of its forms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A simplified kernel is consumed: it becomes a thread entry and, unless it needs fibers, regions
// and forms for blocks.
#pragma once

#include "codegen/kernel_code.h"
#include "codegen/pipeline.h"
#include "codegen/stage_times.h"
#include "transforms/kernels.h"
#include "transforms/known_shape.h"
#include "transforms/read_through.h"
#include "transforms/regions.h"

#include "llvm/Target/TargetMachine.h"

namespace gridspan::codegen {

struct DeviceCompilation;

enum class FormKind : std::uint8_t { general, shaped, small, distinct, read_through };

/// Functions below that are stages have their rows, and so their order, in pipeline.cpp.
struct KernelWork {
  KernelWork(DeviceCompilation& whole, const transforms::KernelDeclaration& declared,
             const std::string& hash);

  // ---- kernel_facts.cpp: entries, and what descriptors and facts say
  void find_settings();
  void find_launched_shapes();
  void let_others_run();
  void unroll_loops();
  void find_own_tiles();
  void note_facts();
  void choose_executor();
  void make_thread_entries();
  void keep_for_interpreter();
  // ---- block_forms.cpp: copies for some launches, and how all are cut
  void copy_for_distinct_arguments();
  void copy_for_small_arguments();
  void find_usual_rows();
  void find_launched_shape();
  void copy_for_usual_shape();
  void copy_for_linear_threads();
  void cut_forms(Stages inner);

  bool does(const Stage& stage) const;
  bool is_done() const { return is_done_; }
  StageTimes* times() const;
  bool may_run_whole_warps() const;
  bool has_grid_rounds(llvm::Function& form) const;

  DeviceCompilation& compilation;
  const transforms::KernelDeclaration& declaration;
  llvm::Function& kernel;
  llvm::TargetMachine& target;
  KernelCode code;
  KernelSettings settings;
  std::vector<transforms::BlockShape> launched;  // shapes of blocks in launches
  transforms::ReadThrough through;               // a form without shared memory, if there is one
  // More forms; null: there is none.
  llvm::Function *distinct = nullptr, *small = nullptr, *rows = nullptr, *linear = nullptr;
  transforms::BlockShape usual{}, narrow{};  // shapes that `rows` and `linear` are for

 private:
  bool does_for_speed(std::string_view optimisation) const;
  bool has_sync_points() const { return sync_points() != 0; }
  unsigned sync_points() const {
    return code.block_barriers + code.warp_operations + code.waiting_rounds;
  }
  bool is_small() const;
  bool may_have_usual_shape() const;
  std::optional<transforms::BlockShape> narrow_shape() const;
  llvm::Function* copy_for(const transforms::BlockShape& shape, bool is_linear);
  transforms::RegionKernel cut(llvm::Function& function, FormKind kind, Stages inner);
  void add_shaped(llvm::Function& form, const transforms::BlockShape& shape, Stages inner);
  void add(const transforms::RegionKernel& made, const transforms::BlockShape& block,
           std::uint32_t needs);
  void add_through(Stages inner);
  bool try_through(llvm::Function& form, Stages inner);

  llvm::Function *checked_ = nullptr, *plain_ = nullptr;  // thread entries
  bool is_done_ = false;
};

/// One of a kernel's forms on its way to regions.
struct FormWork {
  FormWork(KernelWork& whole, llvm::Function& form, FormKind what);

  void flatten_loops();
  void widen_subscripts();
  void allow_warps();

  bool does(const Stage& stage) const { return kernel.does(stage); }
  bool is_done() const { return false; }
  StageTimes* times() const { return kernel.times(); }

  KernelWork& kernel;
  llvm::Function& function;
  FormKind kind;
  bool is_small = false;  // for arguments of less than 2 GiB only
  transforms::RegionCut cut;
};

}  // namespace gridspan::codegen
