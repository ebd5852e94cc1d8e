// May blocks of two launches run in another order, so that the second finds the first's data in the
// cache?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fusion/conflict.h"
#include "fusion/launch.h"

#include <span>
#include <string>

namespace gridspan::fusion {

struct Order {
  bool is_free =
      false;           // a block of the later launch waits for some blocks of the earlier one only
  std::string reason;  // why not
  model::SourcePoint first, second;
};

/// At a launch as programs make it. The run time asks the compiled footprints of each launch.
Order order(std::span<const Launch> launches, Conflicts& conflicts, unsigned earlier,
            unsigned later);

}  // namespace gridspan::fusion
