// Two ways to do the same thing, timed in turns in one process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace bench {

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/// Seconds of each, taken in turns for `seconds` in all: the medians.
template <typename One, typename Other>
std::pair<double, double> in_turns(double seconds, One one, Other other) {
  const auto timed = [](auto& run, int count) {
    const double start = now();
    for (int i = 0; i < count; ++i) run();
    return (now() - start) / count;
  };
  one();
  other();
  const int count = std::max(1, static_cast<int>(0.004 / std::max(1e-7, timed(one, 3))));
  std::vector<double> ones, others;
  for (const double end = now() + seconds; now() < end || ones.size() < 5;) {
    ones.push_back(timed(one, count));
    others.push_back(timed(other, count));
  }
  return {median(ones), median(others)};
}

}  // namespace bench
