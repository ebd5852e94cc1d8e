// What could become of the launches, copies and fills of one window.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   window   | copy  scale  axpy  print | fill  sum |
//   groups     `--- group ---'            `- group '      steps that may be fused at all
//   kernels    `----- 1 -----'            `-- 2 ---'      neighbours that may be one, for the bytes
#pragma once

#include "runtime/fuse/group_bytes.h"
#include "runtime/fuse/one_kernel.h"
#include "runtime/fuse/steps.h"

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace gridspan::runtime::fuse {

/// Steps [first, end) as one kernel, but for copies and fills that can run before all of them.
struct ForecastKernel {
  std::size_t first, end;
  StepSet before;
  std::uint64_t bytes;
  std::vector<DeadArray> dead;
};

struct ForecastGroup {
  std::size_t first = 0, end = 0;  // of steps
  std::vector<std::string> apart;  // why a step and the next are not one kernel; empty: they may
  std::vector<ForecastKernel> kernels;  // of several steps
  std::uint64_t apart_bytes = 0, glued_bytes = 0, chained_bytes = 0;
  std::string no_chain;  // why not; empty: one chain
};

struct Forecast {
  std::vector<std::uint64_t> bytes;  // of each step, by itself
  std::vector<bool> is_exact;        // else that is the most it can be
  std::vector<ForecastGroup> groups;
};

/// Part of the bytes that one kernel must save.
inline constexpr double least_gain = 0.01;

/// Why launches [first, end) are no chain; empty: they may be one.
using ChainReason = std::function<std::string(std::size_t first, std::size_t end)>;
/// one_kernel, or a cache of its answers.
using PairAnswer = std::function<OneKernel(std::size_t earlier, std::size_t later)>;

/// Where a chain of the group's steps begins: chains begin with a launch.
std::size_t chain_first(const Steps& steps, std::size_t first, std::size_t end);

/// Groups are runs of at least two steps, one of them a launch, none of which has a refusal.
Forecast forecast(const Steps& steps, const std::set<std::uintptr_t>& freed,
                  const PairAnswer& pair_answer, const ChainReason& chain_reason);

}  // namespace gridspan::runtime::fuse
