// Functions of CUDA's libraries that are declared, and not there yet.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>

namespace gridspan::libraries {

/// Writes one line to the log, at level error: the function, by the name that programs write, and
/// what it answers.
void say_not_there_yet(const char* function, const char* answer);

}  // namespace gridspan::libraries

/// Says it once in a process.
#define GRIDSPAN_NOT_THERE_YET(function, answer)       \
  static std::atomic<bool> said{false};                \
  if (!said.exchange(true, std::memory_order_relaxed)) \
  ::gridspan::libraries::say_not_there_yet(function, answer)
