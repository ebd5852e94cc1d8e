// The one interface behind which every kind of device hides.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device runs commands when it is told to, on the caller's thread (plus its own workers), and
// returns when the command is done. Order, asynchrony and streams are the schedule's business
// (runtime/schedule), API errors the API's; a device knows neither.
#pragma once

#include "abi/module.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace gridspan::devices {

/// Why a part did not run to its end. Everything but `none` is sticky, as on CUDA.
enum class Fault : std::uint8_t {
  none,
  illegal_address,   // cudaErrorIllegalAddress: SIGSEGV/SIGBUS inside a kernel
  assertion,         // cudaErrorAssert
  trap,              // cudaErrorLaunchFailure
  stack_overflow,    // cudaErrorLaunchFailure with its own text
  barrier_deadlock,  // cudaErrorLaunchFailure: threads wait for each other forever
  misuse,            // cudaErrorLaunchFailure: found by interpret mode
};

struct RunResult {
  Fault fault = Fault::none;
  std::string message;  // one line naming kernel, block, thread, source line where known
};

/// What a device reports about itself; cudaDeviceProp is filled from this.
struct DeviceFacts {
  std::string name;            // e.g. "Gridspan CPU (Intel Xeon ..., 2 threads)"
  std::uint64_t memory_bytes;  // total device memory
  std::uint32_t workers;       // hardware threads used = multiProcessorCount
  std::uint32_t clock_khz;
  std::uint32_t memory_clock_khz;
  std::uint32_t l2_bytes;
  std::uint32_t max_shared_per_block;
};

/// One device with its memory. `run_part` is called by one thread at a time; `allocate` and `free`
/// may run beside it.
class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceFacts& facts() const = 0;

  /// `size` bytes aligned to 256, or null when the device has no room.
  virtual void* allocate(std::size_t size) = 0;
  virtual void free(void* memory) = 0;

  /// Runs blocks [launch.first_block, +block_count) of `kernel`. Returns when all are done.
  virtual RunResult run_part(const abi::Kernel& kernel, const abi::LaunchContext& launch) = 0;

  /// Bytes of stack one thread of a kernel on fibers may use (cudaLimitStackSize).
  virtual void set_stack_bytes(std::size_t bytes) = 0;
};

}  // namespace gridspan::devices
