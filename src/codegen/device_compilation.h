// One run of the device compiler: what its stages share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/container_writer.h"
#include "codegen/device_compiler.h"
#include "codegen/kernel_code.h"
#include "codegen/pipeline.h"
#include "codegen/stage_times.h"
#include "codegen/variants.h"
#include "model/text.h"
#include "support/kernel_facts.h"
#include "transforms/diagnostics.h"
#include "transforms/glue.h"
#include "transforms/kernels.h"
#include "transforms/known_shape.h"
#include "transforms/warp_steps/warp_steps.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Target/TargetMachine.h"

#include <future>
#include <list>
#include <map>
#include <memory>

namespace gridspan::codegen {

/// The work of stages on the module. Functions below that are stages have their rows, and so their
/// order, in pipeline.cpp.
struct DeviceCompilation {
  DeviceCompilation(const DeviceRequest& asked, std::vector<Diagnostic>& told);

  /// Every stage; false: there were errors.
  bool run() { return run_phases(pipeline()); }
  /// Those of the first phase, which finds what is wrong with the program.
  bool check();

  // ---- reading device code
  void read_module();
  void write_lowered_names();
  void start_ptx(Stages inner);
  // ---- kernel models
  void model_kernels();
  void read_sequences();
  void plan_fused();
  // ---- lowering to the CPU
  void find_warp_steps();
  void find_target();
  void keep_warps_in_step();
  void lower_globals();
  void retarget();
  void record_accesses();
  void name_cuda_math();
  void link_device_library();
  // ---- simplifying
  void limit_inlining();
  void note_launch_bounds();
  void glue();
  void specialise();
  void put_indices_together();
  void replace_agreeing_phis();
  // ---- cutting into regions
  void hash_kernels();
  void pass_thread();
  void compile_kernels(Stages inner);
  void refuse_fibers();
  void lower_thread_functions();
  void drop_kernels();
  // ---- vectorising
  void tidy_regions();
  void bound_by_guards();
  void divide_into_rows();
  void make_variants();
  void make_special_variant();
  void vectorise(Stages inner);
  void make_shared_atomics_plain();
  void strip_debug_info();
  void choose_math();
  void write_reciprocal_roots();
  void write_half_conversions();
  void move_launch_invariants();
  void add_forms_without_gathers();
  void tell_of_kernels();
  // ---- footprints, descriptors, code generation
  void add_models();
  void wait_for_ptx();
  void add_descriptors();
  void add_special_descriptor();
  void verify() const;
  void emit();

  // ---- asked by run_stages
  bool does(const Stage& stage) const;
  bool is_done() const { return is_done_; }
  StageTimes* times() const { return request.stage_times; }

  /// What an option of a kernel's own settings decides.
  bool does(std::string_view optimisation, const KernelSettings& kernel_settings) const;
  /// Of all kernels, to be registered.
  bool is_ordinary() const { return !request.records_accesses && !request.special; }
  bool is_for_speed() const { return request.opt_level != 0 && !request.records_accesses; }
  /// That become one kernel, which is all that is made; null: no such build.
  const support::FusedLaunches* fused_launches() const;
  /// Kernels that are made of several beside the ordinary ones; waits until they are known.
  const std::list<FusedAhead>& wait_for_fused() const;
  bool has_ordinary_math(const KernelCode& kernel) const;
  std::string source_name() const;
  /// Of blocks that the source launches the kernel with.
  std::vector<transforms::BlockShape> shapes_of(llvm::StringRef kernel) const;
  std::vector<ptx::PackableArray> packable_in(const std::string& kernel) const;
  bool may_be_cut(const std::string& kernel) const;

  void fail(const std::string& text);
  void refuse(const std::string& why) { fail(refusal_mark + why); }
  /// Ends the work here if there are any.
  void report_errors();

  const DeviceRequest& request;
  std::vector<Diagnostic>& diagnostics;
  llvm::LLVMContext context;
  model::IslContext isl;
  std::string bitcode;  // as clang wrote it: the container keeps it
  std::unique_ptr<llvm::TargetMachine> target;
  std::unique_ptr<llvm::Module> module;
  transforms::UserErrors errors;  // of the phase, told at its end
  std::vector<transforms::KernelDeclaration> declarations;
  std::vector<transforms::DeviceSymbol> symbols;
  std::optional<transforms::WarpSteps> steps;     // once they are looked for
  llvm::StringSet<> undefined;                    // functions, before the device library came in
  unsigned sites = 0;                             // places that a recording build announces
  std::vector<std::string> hashes;                // of declarations
  std::vector<llvm::Function*> thread_functions;  // that take the thread they run for
  /// What stages find out about kernels, by mangled name, where KernelCode has no place for it.
  std::map<std::string, support::KernelFacts> findings;
  std::vector<KernelCode> kernel_codes;
  std::vector<VariantCode> variants;  // of kernel_codes and symbols; the first is theirs
  model::Module models;               // of the same kernels, in the same order
  std::optional<PtxCode> ptx_code;
  std::string sequences;                 // of launches, for the container
  std::list<FusedAhead> fused;           // planned: code may turn out not to be possible
  std::vector<const FusedAhead*> glued;  // those that are the declarations from `fused_begin`
  std::size_t fused_begin = ~std::size_t{0};

 private:
  bool run_phases(Stages stages);
  std::string gpu_container(std::vector<PtxText> PtxCode::* texts) const;
  std::optional<std::string> why_not_glued(const support::FusedLaunches& launches,
                                           std::vector<transforms::GluedKernel>& kernels) const;
  void glue_ahead();
  bool glue_ahead(FusedAhead& wanted);
  void note_short_of_work(const model::Kernel& kernel);
  /// What LLVM's passes say. A loop that stays as it is, although the program asked to unroll it,
  /// is none of the user's business: nvcc does not mention it either.
  void hear(const llvm::DiagnosticInfo& info);

  bool is_done_ = false;
  // By kernel, from the models, for the thread that makes PTX.
  std::map<std::string, std::vector<ptx::PackableArray>> packable_;
  std::set<std::string> whole_;                  // kernels whose grids are never cut
  std::map<std::string, std::string> accesses_;  // the same, where there are editions
  std::promise<void> knows_models_;
  std::shared_future<void> models_are_known_ = knows_models_.get_future().share();
  std::promise<void> knows_fused_;
  std::shared_future<void> fused_is_known_ = knows_fused_.get_future().share();
  std::future<PtxCode> ptx_;  // made meanwhile; not valid if none is wanted
};

}  // namespace gridspan::codegen
