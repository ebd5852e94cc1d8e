// How what a device did ended.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

namespace gridspan::devices {

/// Why a part did not run to its end. Everything but `none` is sticky, as on CUDA, unless
/// RunResult says otherwise.
enum class Fault : std::uint8_t {
  none,
  illegal_address,   // cudaErrorIllegalAddress: SIGSEGV/SIGBUS inside a kernel
  assertion,         // cudaErrorAssert
  trap,              // cudaErrorLaunchFailure
  stack_overflow,    // cudaErrorLaunchFailure with its own text
  barrier_deadlock,  // cudaErrorLaunchFailure: threads wait for each other forever
  misuse,            // cudaErrorLaunchFailure: found by interpret mode
  out_of_memory,     // cudaErrorMemoryAllocation: no room for a device's copy of a buffer
  // What only GPUs tell, by CUDA's error of that name.
  illegal_instruction,
  misaligned_address,
  invalid_address_space,
  invalid_pc,
  hardware_stack,
  timeout,
  uncorrectable_memory,  // cudaErrorECCUncorrectable
  out_of_resources,
  too_many_blocks,  // cudaErrorCooperativeLaunchTooLarge
  invalid_value,
};

struct RunResult {
  Fault fault = Fault::none;
  std::string message;  // one line naming kernel, block, thread, source line where known
  /// A launch that was refused before anything of it ran: what comes later is not affected.
  bool passes = false;
};

}  // namespace gridspan::devices
