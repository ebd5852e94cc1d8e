// Steps of commands.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/fuse/steps.h"
#include "runtime/plan/bound_launch.h"
#include "runtime/plan/buffer_table.h"
#include "runtime/schedule/command.h"

#include <deque>
#include <optional>
#include <vector>

namespace gridspan::runtime::fuse {

/// Add all commands, then take the steps, which look at this: it outlives them. The table holds
/// the commands' memory all the while.
class StepMaker {
 public:
  explicit StepMaker(const AllocationTable& allocations) : table_(allocations, 1) {}

  /// The command outlives this.
  void add(const KernelCommand& command);
  /// Inside the device.
  void add(const CopyCommand& command);
  void add(const FillCommand& command);

  /// Once.
  Steps take() { return std::move(steps_); }

 private:
  /// A box in memory.
  struct Place {
    std::uint32_t buffer;
    std::int64_t offset;  // from the buffer's start
    Pitched memory;
    Extent extent;
  };

  std::uint32_t index_of(const VirtualBuffer& buffer);
  void meet(const BoundLaunch& launch, const BoundArray& bound);
  std::optional<Place> place_of(const Pitched& memory, const Extent& extent);
  void add_moving(std::string name, const std::optional<Place>& to,
                  const std::optional<Place>& from, bool has_source);
  std::vector<Access> touched(const BoundLaunch& launch, const BlockBox& part) const;
  void append(const Place& place, Effect effect, std::vector<Access>& all) const;

  BufferTable table_;
  std::deque<BoundLaunch> launches_;  // steps refer to them
  std::vector<const VirtualBuffer*> known_;
  std::vector<regions::View> views_;  // by buffer, as in `known_`
  Steps steps_;
};

}  // namespace gridspan::runtime::fuse
