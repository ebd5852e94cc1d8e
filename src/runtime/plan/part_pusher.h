// Pushes the parts of launches onto their devices' queues, as each device sees the launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/plan/block_times.h"
#include "runtime/plan/buffer_table.h"
#include "runtime/plan/coherence.h"
#include "runtime/plan/launch_plan.h"
#include "runtime/plan/part_times.h"

#include <memory>
#include <unordered_map>
#include <vector>

namespace gridspan::runtime {

class PartPusher {
 public:
  /// `times`, if any: parts are timed where that wants it.
  PartPusher(Coherence& coherence, BufferTable& buffers, PartTimes* times)
      : coherence_(coherence), buffers_(buffers), times_(times), symbols_(coherence.devices()) {}

  /// Arrays of which a part has boxes only, which are no business of the plan's, and the copies
  /// into these.
  struct Packed {
    std::vector<devices::PackedArray> arrays;
    std::vector<Edge> filled;
  };
  /// Behind everything that still uses what the part changes.
  Ticket push(const LaunchPlan& plan, const PartPlan& part, const KernelCommand& command,
              Packed packed = {});
  /// The same of a piece of one of the plan's parts.
  void push(const LaunchPlan& plan, const Piece& piece, const KernelCommand& command);
  /// Some blocks of the part, the others being pushed right before or behind them. What is done
  /// once for all of them is done for the first, and for the last.
  enum class Place { only, first, middle, last };
  void push_step(const LaunchPlan& plan, const PartPlan& part, const BlockBox& blocks, Place place,
                 const KernelCommand& command);

  /// Buffers went away: tables of variables' addresses are made anew.
  void forget_symbols();

 private:
  using SymbolTables = std::unordered_map<void* const*, std::unique_ptr<void*[]>>;

  std::unique_ptr<PartWork> work_for(const LaunchPlan& plan, unsigned device,
                                     const KernelCommand& command);
  bool collect_before(const PartPlan& part);
  void note(const PartPlan& part, Ticket ticket);
  void* const* symbols_on(unsigned device, const SymbolTable& symbols);

  Coherence& coherence_;
  BufferTable& buffers_;
  PartTimes* const times_;
  BlockTimes block_times_;
  std::vector<Edge> edges_;            // of what is being pushed
  std::vector<SymbolTables> symbols_;  // by device: home table -> the device's
};

}  // namespace gridspan::runtime
