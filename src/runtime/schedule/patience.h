// Waiting: a little by spinning, then asleep.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/schedule/pause.h"

#include <chrono>

namespace gridspan::runtime {

/// A futex wake plus the switch costs about as much; longer would take a core from kernels.
inline constexpr std::chrono::microseconds brief{20};

/// Spins until `done()` or `brief` is over; true if done.
template <class Done>
bool spin_briefly(Done done) {
  const auto end = std::chrono::steady_clock::now() + brief;
  do {
    for (int i = 0; i < 16; ++i) {
      if (done()) return true;
      pause_core();
    }
  } while (std::chrono::steady_clock::now() < end);
  return done();
}

}  // namespace gridspan::runtime
