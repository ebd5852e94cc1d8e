// What the compiler made of one kernel: the input of descriptors and facts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/kernel_settings.h"
#include "support/fused_launches.h"
#include "transforms/executor_choice.h"
#include "transforms/lower_globals.h"
#include "transforms/regions.h"
#include "transforms/warp_steps/warp_steps.h"

#include <optional>
#include <string>
#include <vector>

namespace gridspan::codegen {

struct KernelParameter {
  std::uint32_t size, align, offset;  // bytes; offset in the packed parameter block
  bool is_pointer;
};

/// A kernel that is made of several before the program runs.
struct FusedAhead {
  std::string name;  // no other kernel's
  support::FusedLaunches launches;
  std::vector<std::string> with_math = {};  // those of its kernels that call math functions
};

struct KernelCode {
  std::string name;                   // mangled
  const FusedAhead* fused = nullptr;  // what it is made of; null: an ordinary kernel
  transforms::SourceLine where;
  llvm::Function* thread;            // entry for fibers
  transforms::RegionKernel regions;  // empty when fibers are needed
  std::optional<transforms::FiberReason> fiber_reason;
  std::optional<transforms::FiberReason> waiting_loop;  // the first of them
  std::optional<transforms::SourceLine> own_tiles;      // own_tiles.h: where it sums
  std::vector<KernelParameter> parameters;
  std::uint64_t static_shared = 0;
  std::uint32_t max_threads = 0, min_blocks = 0;  // __launch_bounds__
  bool launches = false;                          // kernels
  unsigned block_barriers = 0, warp_operations = 0, grid_barriers = 0, child_waits = 0;
  unsigned waiting_rounds = 0;  // sync points in waiting loops
  bool prints_or_traps = false;
  bool threads_are_apart = false;
  bool takes_any_order = false;           // blocks may run in it
  bool hands_on = false;                  // blocks need what blocks far before them left
  bool has_settled_volatile = false;      // volatile loads that need no fibers
  std::uint32_t thread_instructions = 0;  // abi::Kernel
  std::vector<std::string>
      vector_math;         // CPUs (empty: baseline) for which vectors call our math functions
  bool has_roots = false;  // reciprocal ones, whose bits depend on the instruction set
  std::vector<std::string> scalar_reasons;  // loops over threads without vectors: "file:line: why"
  std::vector<transforms::WarpStep> steps;  // that keep its warps in step
  unsigned launch_values = 0;               // that prologues compute, of the code that has most
  bool baseline_on_fibers = false;          // where no form is for the launch (spare_regions.h)
  std::string code_hash;                    // CompiledKernel::code
  std::optional<TunedKernel> tuned;         // in use
  bool tuning_is_stale = false;             // there is some for earlier code
  llvm::Constant* model = nullptr;  // address of an abi::KernelModel, see model_descriptors.h
};

}  // namespace gridspan::codegen
