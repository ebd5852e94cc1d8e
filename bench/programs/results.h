// What every program of bench/programs and bench/paper prints; measure.py reads it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace bench {

using Clock = std::chrono::steady_clock;

/// The phases of a run: from `start`, arrays were there at `uploaded`, steps done at `computed`,
/// results there at `end`.
inline void print_run(Clock::time_point start, Clock::time_point uploaded,
                      Clock::time_point computed, Clock::time_point end) {
  using Milliseconds = std::chrono::duration<double, std::milli>;
  std::printf("run upload %.4f steps %.4f download %.4f ms\n",
              Milliseconds(uploaded - start).count(), Milliseconds(computed - uploaded).count(),
              Milliseconds(end - computed).count());
}

/// FNV-1a.
class Digest {
 public:
  void add(const std::vector<char>& bytes) {
    for (const char byte : bytes) {
      value_ = (value_ ^ static_cast<unsigned char>(byte)) * 0x100000001b3ull;
    }
  }
  void print() const { std::printf("digest %016llx\n", static_cast<unsigned long long>(value_)); }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ull;
};

}  // namespace bench
