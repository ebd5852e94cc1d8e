// How both programs of this folder time a function: the best of several passes over arrays that
// fit the second-level cache.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <set>
#include <string>
#include <vector>

constexpr int repetitions = 32, passes = 12;
/// Of arguments, and of results: 64 KB each.
template <class Real>
constexpr int elements = 65536 / sizeof(Real);

/// In no order, so that branches are not foreseen.
template <class Real>
std::vector<Real> between(double low, double high) {
  std::vector<Real> numbers(elements<Real>);
  unsigned state = 1;
  for (Real& number : numbers) {
    state = state * 1664525 + 1013904223;
    number = Real(low + (high - low) * (state >> 8) * 0x1p-24);
  }
  return numbers;
}

class Wanted {
 public:
  Wanted(int count, char** words) : names_(words + 1, words + count) {}
  bool has(const char* name) const { return names_.empty() || names_.count(name) != 0; }

 private:
  std::set<std::string> names_;
};

/// `work` computes all elements `repetitions` times.
template <class Real, class Work>
void print_time(const char* name, const Work& work) {
  using Clock = std::chrono::steady_clock;
  double best = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < passes; ++pass) {
    const auto start = Clock::now();
    work();
    best = std::min(best, std::chrono::duration<double, std::nano>(Clock::now() - start).count());
  }
  std::printf("%s %.6g\n", name, best / repetitions / elements<Real>);
  std::fflush(stdout);
}
