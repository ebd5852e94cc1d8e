// Which process has a rank, and whether it is still there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace gridspan::libraries::nccl::processes {

/// As other processes of the machine see it. Plain data: it lies in shared memory.
struct Process {
  std::int32_t id = 0;
  std::uint64_t started = 0;  // in ticks since the machine started; 0: not known
  std::uint64_t space = 0;    // that its id belongs to (containers have their own)
};

Process this_process();

/// True if it is sure: the process was killed, or has returned. Its parent need not have asked for
/// its status, and another process may have its id.
bool has_ended(const Process& process);

}  // namespace gridspan::libraries::nccl::processes
