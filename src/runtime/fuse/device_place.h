// One device that runs groups.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/command_queue.h"
#include "devices/device.h"
#include "runtime/schedule/group_place.h"
#include "runtime/schedule/launch_frame.h"

#include <optional>
#include <span>
#include <vector>

namespace gridspan::runtime::fuse {

class DevicePlace final : public GroupPlace {
 public:
  /// Both outlive this.
  DevicePlace(devices::Device& device, const AllocationTable& allocations)
      : device_(device), allocations_(allocations), frame_(&allocations) {}

  bool only_begins() const override { return device_.facts().only_begins; }
  devices::RunResult run_launch(KernelCommand& launch) override;
  std::optional<devices::RunResult> run_chain(std::span<KernelCommand* const> launches,
                                              const Chain& chain) override;
  /// On the line that is used.
  devices::RunResult finish_all() override;
  bool is_idle() override;
  std::unique_ptr<Moment> mark_moment() override;
  void read(const Allocation& memory, char* bytes) override;
  void write(const Allocation& memory, char* bytes) override;

 private:
  devices::RunResult run_phase(std::span<const devices::ListedPart> launches, const Phase& phase);
  devices::RunResult run_lists(std::span<const devices::PartList> lists);

  devices::Device& device_;
  const AllocationTable& allocations_;
  LaunchFrame frame_;
  std::vector<LaunchFrame> frames_;       // of the launches of a chain
  std::vector<devices::PartList> lists_;  // of a phase
};

}  // namespace gridspan::runtime::fuse
