// One device that runs groups.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device.h"
#include "runtime/schedule/group_place.h"
#include "runtime/schedule/launch_frame.h"

namespace gridspan::runtime::fuse {

class DevicePlace final : public GroupPlace {
 public:
  /// Both outlive this.
  DevicePlace(devices::Device& device, const AllocationTable& allocations)
      : device_(device), frame_(&allocations) {}

  bool only_begins() const override { return device_.facts().only_begins; }
  devices::RunResult run_launch(KernelCommand& launch) override;
  devices::RunResult run_lists(std::span<const devices::PartList> lists) override;
  /// On the line that is used.
  devices::RunResult finish_all() override;
  bool is_idle() override;
  std::unique_ptr<Moment> mark_moment() override;
  void read(const Allocation& memory, char* bytes) override;
  void write(const Allocation& memory, char* bytes) override;

 private:
  devices::Device& device_;
  LaunchFrame frame_;
};

}  // namespace gridspan::runtime::fuse
