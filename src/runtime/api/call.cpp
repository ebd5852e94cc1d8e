// Last error, sticky errors, and the log line of a failed call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"

#include "support/format.h"
#include "support/log.h"

#include <cstdarg>
#include <cstdio>

namespace gridspan::runtime {

constinit thread_local cudaError_t last_error = cudaSuccess;

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
  const auto level = is_answer ? support::LogLevel::trace : support::LogLevel::warn;
  if (support::logs(level)) {
    support::log(level, "%s: %s%s%s", name, cudaGetErrorName(status.code),
                 status.reason.empty() ? "" : ": ", status.reason.c_str());
  }
  return status.code;
}

cudaError_t sticky_error(const Runtime& state) {
  switch (state.queue.fault()) {
    case devices::Fault::none:
      return cudaSuccess;
    case devices::Fault::illegal_address:
      return cudaErrorIllegalAddress;
    case devices::Fault::assertion:
      return cudaErrorAssert;
    case devices::Fault::trap:
    case devices::Fault::stack_overflow:
    case devices::Fault::barrier_deadlock:
    case devices::Fault::misuse:
      return cudaErrorLaunchFailure;
    case devices::Fault::out_of_memory:
      return cudaErrorMemoryAllocation;
  }
  return cudaErrorUnknown;
}

Status wait_for(Runtime& state, Queue::Sequence sequence) {
  state.queue.wait_alone(sequence);
  state.returned_memory.settle(state);
  return sticky_error(state);
}

Status wait_for_all(Runtime& state, Queue::Sequence sequence) {
  state.queue.wait(sequence);
  state.returned_memory.settle(state);
  return sticky_error(state);
}

Status wait_for_all(Runtime& state) { return wait_for_all(state, state.queue.last_submitted()); }

Status wait_for_joined(Runtime& state, Queue::Sequence sequence) {
  state.queue.wait_joined(sequence);
  state.returned_memory.settle(state);
  return sticky_error(state);
}

Status query(const Runtime& state, Queue::Sequence sequence) {
  if (!state.queue.is_done_alone(sequence)) return cudaErrorNotReady;
  return sticky_error(state);
}

Status query_joined(const Runtime& state, Queue::Sequence sequence) {
  if (!state.queue.is_done_joined(sequence)) return cudaErrorNotReady;
  return sticky_error(state);
}

}  // namespace gridspan::runtime
