// Tells what verification found: differences as they appear, the sum at the end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"
#include "runtime/verify/bound_model.h"
#include "runtime/verify/difference.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>

namespace gridspan::runtime::verify {

/// Thread safe. Everything goes to the log.
class Report {
 public:
  /// The first differences of a kind at a place are told, the others counted.
  void add(const BoundModel& bound, const Findings& findings);
  void add_unmodelled(const abi::Kernel& kernel);
  /// The launch was checked by a sample of its blocks.
  void add_sampled(const abi::Kernel& kernel, std::uint64_t blocks, std::uint64_t of);

  /// "gridspan verify: 3 launches, 12 sets, 0 differences", and with GRIDSPAN_LOG=info a line for
  /// each kernel.
  void finish() const;
  /// The same line, without logging it.
  std::string summary() const;
  std::uint64_t differences() const;
  /// Places where the program itself is wrong; they are no differences.
  std::uint64_t warnings() const;

 private:
  struct KernelCount {
    std::uint64_t launches = 0, blocks = 0, sets = 0, differences = 0, sampled = 0;
    bool modelled = true;
    std::set<std::string> warned;                             // by place
    std::map<std::string, std::uint64_t> told;                // by kind and place: how often seen
    std::map<std::string, std::uint64_t> failed_assumptions;  // by text: launches
  };
  void add(KernelCount& count, const BoundModel& bound, const Difference& difference);
  void warn(KernelCount& count, const BoundModel& bound, const Difference& warning);

  mutable std::mutex mutex_;
  std::map<std::string, KernelCount> kernels_;  // by readable name
};

}  // namespace gridspan::runtime::verify
