// Copies some of a kernel's blocks into a function that runs them for a range of threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/context.h"
#include "transforms/frame.h"
#include "transforms/region_debug_info.h"
#include "transforms/thread_loop.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include <vector>

namespace gridspan::transforms {

using RegionBlocks = llvm::SetVector<llvm::BasicBlock*>;
using SlotSet = llvm::SmallPtrSet<llvm::AllocaInst*, 16>;

/// Where a kernel's values are while none of its code runs.
struct KernelFrame {
  std::vector<llvm::AllocaInst*> slots;      // of values that live from one function to another
  std::vector<llvm::AllocaInst*> variables;  // the kernel's own stack variables
  FrameLayout layout;                        // of the slots, and of variables that outlive one run
};

/// The kernel's own stack variables.
std::vector<llvm::AllocaInst*> stack_variables(llvm::Function& kernel);

/// Which threads a region runs.
enum class RegionThreads {
  range,  // [first, last) of the block
  block,  // all: `first` is 0
  warp,   // `first` and the 31 after it, in one row: the first's coordinates are further parameters
};

struct RegionParameters {
  RegionThreads threads = RegionThreads::range;
  std::vector<llvm::Type*> more;
  /// Of the frame's variables, those of the warp alone: the address of 32 of each is a parameter
  /// after `more`.
  llvm::ArrayRef<llvm::AllocaInst*> columns = {};
  bool joined = false;  // rows, and their number, may be those of several blocks
};

/// Writes `void name(BlockContext*, i32 first, i32 last, more...)`. Its innermost loop runs the
/// blocks for each thread of [first, last), values of slots come from the frame and go there.
///
///     RegionWriter writer(kernel, frame, debug, blocks, name);
///     ... writer.leave(block, live_slots) for each block from which a thread comes to the end ...
///     writer.finish(entry, live_slots);
class RegionWriter {
 public:
  RegionWriter(llvm::Function& kernel, const KernelFrame& frame, const RegionDebugInfo& debug,
               const RegionBlocks& blocks, const llvm::Twine& name,
               const RegionParameters& parameters = {});

  llvm::Function& function() { return *function_; }
  const ThreadLoop& loop() const { return loop_; }
  /// The thread's number in the block, in its loop.
  llvm::Value* linear() const { return values_.linear; }
  /// The first of RegionParameters::more.
  llvm::Argument* more() { return more_; }
  llvm::ValueToValueMapTy& map() { return map_; }
  llvm::BasicBlock& copy_of(const llvm::BasicBlock& block) {
    return *llvm::cast<llvm::BasicBlock>(map_[&block]);
  }
  /// The thread is done at the end of `copy` instead of what its terminator says; of the slots,
  /// those in `live` are kept. Returns the branch there, for more to do before it.
  llvm::Instruction* leave(llvm::BasicBlock& copy, const SlotSet& live);
  /// Fills in what is left, with `entry` (of the kernel) to begin with. Threads of which
  /// `presence`, a condition that `entry` finds, is not true are done with it.
  void finish(llvm::BasicBlock& entry, const SlotSet& live,
              const llvm::Instruction* presence = nullptr);

 private:
  void make_loop(const RegionParameters& parameters);
  void place_slots(llvm::ArrayRef<llvm::AllocaInst*> columns);
  void place_variables();
  void copy_from_frame(llvm::AllocaInst& tile, llvm::AllocaInst& local);
  void clone_blocks();
  void provide_thread_context();
  bool is_used(const llvm::AllocaInst& memory) const;
  bool is_set(const llvm::AllocaInst& slot) const;
  bool is_written(llvm::AllocaInst& array) const;

  llvm::Function& kernel_;
  const KernelFrame& frame_;
  const RegionBlocks& blocks_;
  llvm::Function* function_;
  llvm::Argument* more_;
  llvm::BasicBlock* entry_;
  llvm::IRBuilder<> prologue_, body_;
  ContextValues values_;
  ThreadLoop loop_;
  llvm::ValueToValueMapTy map_;
  llvm::MapVector<llvm::AllocaInst*, llvm::Value*> frame_address_;  // this thread's copy there
  llvm::MapVector<llvm::AllocaInst*, llvm::AllocaInst*> local_slot_;
  struct Spaced {
    llvm::AllocaInst* array;
    std::uint64_t element;
    llvm::Value* spacing;  // as in frame_arrays.h
  };
  std::vector<Spaced> spaced_;
  struct Tile {
    llvm::AllocaInst* local;
    llvm::Value* in_frame;
    std::uint64_t bytes;
  };
  std::vector<Tile> written_tiles_;  // that go back when the thread is done
};

}  // namespace gridspan::transforms
