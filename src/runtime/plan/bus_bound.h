// Notices launches that take as long as their copies: data larger than the devices' room.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a launch has to evict what others need, or is done in rounds, the same bytes cross the bus
// at each step, and no kernel can be faster than that. Users should know why, once for each kernel.
#pragma once

#include "runtime/plan/traffic.h"
#include "runtime/schedule/command.h"

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>

namespace gridspan::runtime {

class BusBound {
 public:
  /// `bus`: bytes that all devices together get from the home device in a second.
  BusBound(const Traffic& traffic, double bus) : traffic_(traffic), bus_(bus) {}

  /// Before and after a launch was planned and its copies were counted. `seconds`: what the fastest
  /// device alone would take for it, about; it is asked for seldom. A line for a person, or
  /// nothing.
  void begin();
  std::string end(const abi::Kernel& kernel, const std::function<double()>& seconds);

  /// Kernels go, and others may come to their addresses.
  void forget() { kernels_.clear(); }

 private:
  struct Known {
    std::uint64_t launches = 0;  // that did not fit
    bool is_told = false;
  };

  std::uint64_t crowded() const { return traffic_.evicted.bytes.get() + traffic_.in_rounds.get(); }

  const Traffic& traffic_;
  const double bus_;
  std::uint64_t crowded_ = 0, moved_ = 0;  // before the launch
  std::unordered_map<const abi::Kernel*, Known> kernels_;
};

}  // namespace gridspan::runtime
