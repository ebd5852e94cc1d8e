// Waiting: a little by spinning, then asleep.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/schedule/pause.h"

#include <chrono>

namespace gridspan::runtime {

/// A futex wake plus the switch costs about as much; longer would take a core from kernels.
inline constexpr std::chrono::microseconds brief{20};

/// For a core that is kept for the one who waits, and what is sure to come soon: parts of one
/// launch that take equally long seldom end within `brief` of each other. Bounded, because the
/// program's own threads may want the core.
inline constexpr std::chrono::microseconds patient{200};

/// Spins until `done()` or `most` is over; true if done.
template <class Done>
bool spin_briefly(Done done, std::chrono::microseconds most = brief) {
  const auto end = std::chrono::steady_clock::now() + most;
  do {
    for (int i = 0; i < 16; ++i) {
      if (done()) return true;
      pause_core();
    }
  } while (std::chrono::steady_clock::now() < end);
  return done();
}

}  // namespace gridspan::runtime
