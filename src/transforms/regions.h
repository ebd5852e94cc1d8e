// Cuts a kernel at its sync points into regions that run a whole range of threads each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Continuation-based synchronisation (Karrenberg & Hack): every sync point j starts a continuation
// C_j. The region of C_j is all code reachable from C_j without crossing a sync point; it ends, on
// each path, at the next sync point or at the end of the kernel. This works on any control-flow
// graph: barriers in loops, in branches, after early returns.
//
//     entry ── A ─[sync 1]─ B ─┐          region 0: entry A            → 1
//                    ▲         │          region 1: B [loop] C, ...    → 2 | exit
//                    └─[sync 2]┘          region 2: B ...              → 2 | exit
//
// Code reachable from several continuations is copied. Values that live across a sync point go
// through the frame (frame.h); cheap ones are computed again.
//
// Where all threads of a block meet every barrier together, the whole kernel becomes one region
// that runs a block from its beginning to its end (block_function/segments.h). Launches that
// such a function is not for run the regions.
//
// Before: a simplified kernel whose sync points are all its own; device functions already take
// their ThreadContext (thread_functions.h). After: `kernel` is consumed (only its name is left).
#pragma once

#include "abi/module.h"
#include "abi/sync.h"
#include "transforms/diagnostics.h"
#include "transforms/joined_blocks.h"
#include "transforms/parallel_loop.h"

#include "llvm/IR/Function.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace gridspan::transforms {

struct RegionCode {
  llvm::Function* function;      // void(BlockContext*, i32 first, i32 last)
  std::uint16_t only_successor;  // abi::many_successors if there are several
  abi::SyncKind kind;            // of the sync point it continues; region 0: unused
  SourceLine where;
};

/// Code for whole blocks; see abi::BlockForm.
struct FormCode {
  llvm::Function* function;
  std::uint32_t needs = 0;
  std::array<std::uint32_t, 3> block{};
  JoinedBlocks joined;
  bool linear = false;                 // threads are numbered through (linear_threads.h)
  llvm::Function* prologue = nullptr;  // void(LaunchContext*, values); see launch_invariants.h
};

struct RegionKernel {
  std::vector<RegionCode> regions;     // none: launches that no form is for run on fibers
  bool has_grid_rounds = false;        // grid_rounds.h
  bool has_spare_regions = false;      // beside a form for whole warps
  std::uint64_t frame_bytes = 0;       // per thread
  std::vector<FormCode> forms;         // for some launches, the best one first
  std::vector<llvm::Function*> loops;  // the functions with loops over threads
  std::optional<Reason> why_cut;       // why no function runs a whole block
};

/// Most sync points a kernel may have to be cut; beyond it fibers are the better choice.
inline constexpr std::size_t max_regions = 4096;

struct RegionOptions {
  bool regions = true;    // also those the run time leads, beside a function for whole blocks
  JoinSizes joined = {};  // how many neighbouring blocks run as one
};

/// A kernel on its way to regions: the steps, which may be left out but for the first and the last,
/// in this order (codegen/pipeline.cpp).
class RegionCut {
 public:
  RegionCut(llvm::Function& kernel, const RegionOptions& options);
  ~RegionCut();

  void prepare();
  /// Where a grid goes over an array round by round, has rows of threads do so.
  void find_grid_rounds();
  /// Has neighbouring blocks run as one where there are no sync points.
  void join();

  /// Of a kernel with sync points that all threads of a block meet: one function for whole blocks.
  void find_sync_points();
  void express_flags();
  void find_segments();
  /// Also if there are warp operations,
  void allow_whole_warps() { allows_whole_warps_ = true; }
  /// unless it is too much code.
  void refuse_warps();
  /// Loads ahead what whole blocks load in the next round of a loop.
  void prefetch();
  void write_block_function();

  void cut();

  RegionKernel take();

 private:
  struct WholeBlock;

  void give_up(Reason why);
  void drop_copy();

  llvm::Function& kernel_;
  RegionOptions options_;
  bool has_sync_points_ = false, allows_whole_warps_ = false;
  llvm::Function* thread_by_thread_ = nullptr;  // a copy without rounds; null: there are none
  JoinedBlocks joined_;
  std::unique_ptr<WholeBlock> whole_;  // null: not tried
  RegionKernel made_;
};

}  // namespace gridspan::transforms
