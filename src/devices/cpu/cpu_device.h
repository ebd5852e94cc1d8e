// The CPU as a CUDA device: region code and fibers on a pool of threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device.h"

#include <cstdint>
#include <memory>

namespace gridspan::devices::cpu {

/// What one worker (= multiprocessor, DeviceFacts::workers of them) promises to keep running at the
/// same time for kernels whose blocks wait for each other: like an SM, this many blocks and
/// threads. The occupancy API answers from these. The device honours the product over all its
/// workers, whichever of them happen to be awake.
inline constexpr std::uint32_t max_resident_blocks = 32;
inline constexpr std::uint32_t max_resident_threads = 2048;

struct CpuOptions {
  /// Threads that run blocks, the caller of run_part among them. 0: all this process may use.
  unsigned threads = 0;
  /// Every kernel on fibers, with checks (GRIDSPAN_CPU=interpret). Each misuse is printed to stderr
  /// once per kernel and source line as `file:line:col: error: ...`; the launch then ends with
  /// Fault::misuse and the first of these lines as its message (no need to print it again).
  bool interpret = false;
};

std::unique_ptr<Device> make_device(const CpuOptions& options);

}  // namespace gridspan::devices::cpu
