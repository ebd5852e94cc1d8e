// One worker running blocks as regions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cpu/begin_window.h"
#include "devices/cpu/block_storage.h"
#include "devices/cpu/cost_history.h"
#include "devices/cpu/grid_phases.h"
#include "devices/cpu/kernel_guard.h"
#include "devices/cpu/part.h"
#include "devices/cpu/region_executor.h"
#include "devices/cpu/residency.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace gridspan::devices::cpu {

class RegionWorker {
 public:
  explicit RegionWorker(CostHistory& costs);

  /// Computes what all blocks of the part share; its form has a prologue.
  void run_prologue(Part& part);
  /// Runs the part on this thread alone when waking others (some microseconds) would not pay: one
  /// worker, one block, or a kernel whose last launches were so cheap. Stops early, leaving blocks,
  /// if that guess turns out wrong.
  void run_alone(Part& part, unsigned workers);
  /// Runs blocks as long as there are any, beside `workers - 1` others; `slot` numbers them.
  /// `window`: null unless its blocks hand on (abi::kernel_hands_on).
  void run_shared(Part& part, unsigned workers, unsigned slot, BeginWindow* window);
  /// Runs blocks that may wait in loops for each other, beside other workers, until there are none.
  void run_waiting(Part& part, Residency& residency);
  /// Runs blocks up to their next grid barrier as long as there are any in this phase.
  void run_phase(Part& part, GridPhases& phases);

 private:
  /// A block that others may run beside.
  struct WaitingBlock {
    BlockStorage storage;
    std::optional<RegionExecutor> executor;
    bool has_begun = false, has_ended = false;
  };

  void prepare(const Part& part);
  TileChunk claim_in_order(Part& part, std::uint64_t divisor);
  TileChunk claim_within(Part& part, unsigned workers, unsigned slot, BeginWindow& window);
  bool begin_waiting(Part& part, Residency& residency);
  void drop_waiting(Residency& residency);
  void run_waiting_blocks(Part& part, Residency& residency);
  void run_some_rounds(Part& part, WaitingBlock& block);
  void run_chunk(Part& part, TileChunk chunk);
  void run_blocks(Part& part, TileChunk chunk);
  void run_slices(Part& part, TileChunk chunk);
  std::uint32_t set_extent(const Part& part, Tile tile);
  void run_to_barrier(Part& part, GridBlock& block);
  void report_fault(Part& part, const abi::BlockContext& block);
  void report_deadlock(Part& part, const abi::BlockContext& block);

  CostHistory& costs_;
  BlockStorage storage_;
  GrowingBuffer panel_;
  KernelFrame frame_;
  OverflowZone overflow_;
  const abi::Region* running_ = nullptr;
  std::vector<std::unique_ptr<WaitingBlock>> resident_;  // in the order they began
  std::vector<std::unique_ptr<WaitingBlock>> spare_;
};

}  // namespace gridspan::devices::cpu
