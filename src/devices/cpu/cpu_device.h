// The CPU as a CUDA device: region code and fibers on a pool of threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device.h"
#include "devices/kernel_choice.h"
#include "devices/maker.h"

#include <cstdint>
#include <memory>

namespace gridspan::devices::cpu {

/// What one worker (= multiprocessor, DeviceFacts::workers of them) promises to keep running at the
/// same time for kernels whose blocks wait for each other: like an SM, this many blocks and
/// threads. The occupancy API answers from these. The device honours the product over all workers
/// the program is told of, whichever of them happen to be awake.
inline constexpr std::uint32_t max_resident_blocks = 32;
inline constexpr std::uint32_t max_resident_threads = 2048;

class ChildTaker;
class MisuseLog;
struct CheckChoice;

struct CpuOptions {
  /// Threads that run blocks, the caller of run_part among them. 0: all this process may use.
  unsigned threads = 0;
  /// Every kernel on fibers, with checks (GRIDSPAN_CPU=interpret). Each misuse is printed to stderr
  /// once per kernel and source line as `file:line:col: error: ...`; the launch then ends with
  /// Fault::misuse and the first of these lines as its message (no need to print it again).
  bool interpret = false;
  /// Takes what kernels launch, which the device then does not run (children.h); null: nobody does.
  ChildTaker* children = nullptr;
};

/// One device that is all of the machine.
std::unique_ptr<Device> make_device(const CpuOptions& options);

/// What devices of one program have in common.
struct SharedOptions {
  bool interpret = false;
  /// Multiprocessors the program is told of: a kernel whose blocks wait for each other may have as
  /// many blocks as fit these, on whichever device it runs. 0: the device's own.
  unsigned promised_workers = 0;
  /// Memory lies in pages of the device alone, on its NUMA node.
  bool has_own_memory = false;
  KernelChoice* choice = nullptr;               // null: every kernel is as it is
  std::shared_ptr<MisuseLog> misuse = nullptr;  // null: one of its own
  ChildTaker* children = nullptr;               // as in CpuOptions
};

std::shared_ptr<MisuseLog> make_misuse_log();
std::shared_ptr<MisuseLog> make_misuse_log(const CheckChoice& choice);

/// The device that `facts` describe (machine/description.h).
std::unique_ptr<Device> make_device(const DeviceFacts& facts, const SharedOptions& shared);

/// Devices of a program, with the program's settings.
Maker maker;

}  // namespace gridspan::devices::cpu
