// Last error, sticky errors, and the log line of a failed call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"

#include "support/format.h"
#include "support/log.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdarg>
#include <cstdio>

namespace gridspan::runtime {

constinit thread_local cudaError_t last_error = cudaSuccess;

namespace {

constinit std::atomic<bool> returned_fault = false;

}  // namespace

bool has_returned_fault() { return returned_fault.load(); }

Status refuse(cudaError_t code, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  Status status{code, support::formatted_list(format, arguments)};
  va_end(arguments);
  return status;
}

cudaError_t report(const char* name, const Status& status) {
  // "Not ready" is an answer, not a failure; programs poll for it.
  const bool is_answer = status.code == cudaErrorNotReady;
  if (!is_answer) last_error = status.code;
  if (const Runtime* const state = runtime_if_started();
      state && status.code == sticky_error(*state))
    returned_fault.store(true);
  const auto level = is_answer ? support::LogLevel::trace : support::LogLevel::warn;
  if (support::logs(level)) {
    support::log(level, "%s: %s%s%s", name, cudaGetErrorName(status.code),
                 status.reason.empty() ? "" : ": ", status.reason.c_str());
  }
  return status.code;
}

bool works_without_device(std::string_view name) {
  static constexpr std::array<std::string_view, 5> names = {
      "cudaGetDeviceCount", "cudaDriverGetVersion", "cudaRuntimeGetVersion",
      "cudaGetDriverEntryPoint", "cudaGetDriverEntryPointByVersion"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

cudaError_t error_of(devices::Fault fault) {
  using devices::Fault;
  switch (fault) {
    case Fault::none:
      return cudaSuccess;
    case Fault::illegal_address:
      return cudaErrorIllegalAddress;
    case Fault::assertion:
      return cudaErrorAssert;
    case Fault::trap:
    case Fault::stack_overflow:
    case Fault::barrier_deadlock:
    case Fault::misuse:
      return cudaErrorLaunchFailure;
    case Fault::out_of_memory:
      return cudaErrorMemoryAllocation;
    case Fault::illegal_instruction:
      return cudaErrorIllegalInstruction;
    case Fault::misaligned_address:
      return cudaErrorMisalignedAddress;
    case Fault::invalid_address_space:
      return cudaErrorInvalidAddressSpace;
    case Fault::invalid_pc:
      return cudaErrorInvalidPc;
    case Fault::hardware_stack:
      return cudaErrorHardwareStackError;
    case Fault::timeout:
      return cudaErrorLaunchTimeout;
    case Fault::uncorrectable_memory:
      return cudaErrorECCUncorrectable;
    case Fault::out_of_resources:
      return cudaErrorLaunchOutOfResources;
    case Fault::too_many_blocks:
      return cudaErrorCooperativeLaunchTooLarge;
    case Fault::invalid_value:
      return cudaErrorInvalidValue;
  }
  return cudaErrorUnknown;
}

cudaError_t sticky_error(const Runtime& state) { return error_of(state.queue.fault()); }

Status refused_launches(Runtime& state) {
  const devices::Fault refusal = state.queue.take_refusal();
  if (refusal == devices::Fault::none) return cudaSuccess;
  return refuse(error_of(refusal), "a launch was refused");
}

namespace {

/// Of what is done; memory that it used goes.
Status outcome(Runtime& state) {
  state.returned_memory.settle(state);
  const cudaError_t sticky = sticky_error(state);
  return sticky == cudaSuccess ? refused_launches(state) : sticky;
}

}  // namespace

Status wait_for(Runtime& state, Queue::Sequence sequence) {
  state.queue.wait_alone(sequence);
  return outcome(state);
}

Status wait_for_all(Runtime& state, Queue::Sequence sequence) {
  state.queue.wait(sequence);
  return outcome(state);
}

Status wait_for_all(Runtime& state) { return wait_for_all(state, state.queue.last_submitted()); }

Status wait_for_joined(Runtime& state, Queue::Sequence sequence) {
  state.queue.wait_joined(sequence);
  return outcome(state);
}

Status query(Runtime& state, Queue::Sequence sequence) {
  if (!state.queue.is_done_alone(sequence)) return cudaErrorNotReady;
  return outcome(state);
}

Status query_joined(Runtime& state, Queue::Sequence sequence) {
  if (!state.queue.is_done_joined(sequence)) return cudaErrorNotReady;
  return outcome(state);
}

}  // namespace gridspan::runtime
