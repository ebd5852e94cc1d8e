// Boxes of a device's memory where the host can work on them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device.h"
#include "runtime/regions/box_copies.h"

#include <memory>
#include <span>
#include <utility>

namespace gridspan::runtime {

/// The memory itself if the host reaches it, else a copy of the boxes, which the device makes.
class HostRows {
 public:
  /// `boxes` of the buffer whose copy on the device lies at `memory`; all outlive this.
  HostRows(devices::Device& device, char* memory, std::span<const regions::BoxCopy> boxes);

  /// Before the first use, unless all bytes are about to be written.
  devices::RunResult fetch();
  /// After what was changed is to be seen on the device.
  devices::RunResult put_back();

  /// Byte `offset` of the buffer is at memory() + offset, for those in boxes.
  char* memory() const { return host_; }

 private:
  template <class Sides>
  devices::RunResult copy_boxes(Sides sides);

  devices::Device& device_;
  char* on_device_;
  std::span<const regions::BoxCopy> boxes_;
  std::unique_ptr<char[]> copy_;  // of everything from the first byte of the boxes to the last
  char* host_;
};

}  // namespace gridspan::runtime
