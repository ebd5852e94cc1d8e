// Accesses that interpret mode refused during one launch: told when it ends, in the grid's order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace gridspan::devices::cpu {

/// Thread safe.
class AccessReports {
 public:
  /// Blocks count first, then threads: which of those that do the same is told.
  using Order = std::pair<std::uint64_t, std::uint32_t>;

  /// A thread was refused an access at `place` (file, line and column, or what else tells places
  /// apart); Fault::none: it is only warned of. `tell` makes the text, lines with line breaks; it
  /// is asked by `finish`, of the first in the order that did the same.
  /// False: so many threads were refused an access that the launch is to end.
  bool add(const std::string& place, Order order, Fault fault, std::function<std::string()> tell);
  /// Some access was refused.
  bool any() const { return any_.load(std::memory_order_relaxed); }

  /// Writes to stderr what was found, and forgets it. Why the launch fails; none: nothing was.
  Fault finish();

 private:
  struct Report {
    std::string place;
    Order order;
    Fault fault;
    std::function<std::string()> tell;
    std::uint64_t count;
  };

  static constexpr std::uint64_t most_refused = 10'000;

  static std::string more_text(const Report& report);

  std::atomic<bool> any_{false};
  std::mutex mutex_;
  std::vector<Report> reports_;
  std::uint64_t refused_ = 0;  // threads
};

}  // namespace gridspan::devices::cpu
