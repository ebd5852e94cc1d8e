// A device and the queues of its work.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/schedule/work_queue.h"

#include <array>
#include <cstdint>

namespace gridspan::runtime {

/// What of a device works beside the rest of it.
enum class Engine : std::uint8_t { compute, copy_in, copy_out };

/// A device with its queues.
struct Lane {
  devices::Device* device;
  WorkQueue* queue;                        // of what is not said to be another engine's
  std::array<WorkQueue*, 2> copiers = {};  // of copy_in and copy_out; null: it has none

  bool has_copiers() const { return copiers.front() != nullptr; }
  WorkQueue& of(Engine engine) const {
    if (engine == Engine::compute) return *queue;
    return *copiers[engine == Engine::copy_in ? 0 : 1];
  }
};

}  // namespace gridspan::runtime
