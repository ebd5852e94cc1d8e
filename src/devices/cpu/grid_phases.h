// The blocks of a part that stop on their way, as regions: at grid barriers, where all meet, or
// until kernels are done that they launched. From one stop to the next, each runs once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cpu/block_storage.h"
#include "devices/cpu/part.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

namespace gridspan::devices::cpu {

/// A block that outlives its turn: its threads wait while other blocks run.
struct GridBlock {
  BlockStorage storage;
  bool started = false;
  bool finished = false;
  bool waits_for_children = false;
};

/// Shared by all workers that run the part.
class GridPhases {
 public:
  /// Makes the memory of all blocks; throws std::bad_alloc.
  explicit GridPhases(const Part& part);

  /// A block that has not run in this phase; null when all have.
  GridBlock* claim();
  /// To be called when no worker runs a block and all children are done: those who waited for these
  /// go on, or if nobody did, the barrier opens. False: all blocks have finished.
  bool begin_next();

 private:
  std::vector<std::unique_ptr<GridBlock>> blocks_;  // those that have not finished
  std::vector<GridBlock*> turn_;                    // those that run in this phase
  std::atomic<std::size_t> next_ = 0;
};

}  // namespace gridspan::devices::cpu
