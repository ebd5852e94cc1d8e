// Which of the devices the program sees its calls are about.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GRIDSPAN_VIRTUAL_GPUS says how many there are. They are names: one queue, one address space and
// all of GRIDSPAN_DEVICES are behind each of them. What belongs to one (streams, events,
// allocations, variables, limits) carries its number.
#pragma once

#include "support/options.h"

namespace gridspan::runtime {

inline constexpr int most_devices = static_cast<int>(support::most_virtual_gpus);

/// This thread's: what it chose last, else the default.
int current_device();
void choose_device(int device);
/// For threads that chose none.
void set_default_device(int device);

/// Makes calls on another device for a while.
class OnDevice {
 public:
  explicit OnDevice(int device);
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice();

 private:
  int before_;
};

}  // namespace gridspan::runtime
