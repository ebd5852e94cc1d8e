// Every API call goes through here: start, sticky errors, last error, log, recording.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/api/runtime_state.h"
#include "runtime/api/status.h"
#include "runtime/record/call_arguments.h"
#include "runtime/schedule/host_function.h"

#include <new>
#include <string_view>

namespace gridspan::runtime {

/// This thread's last error, as cudaGetLastError sees it.
extern constinit thread_local cudaError_t last_error;

/// Notes a failure as the last error and in the log. Returns its code.
cudaError_t report(const char* name, const Status& status);

/// The code that every call returns once a kernel has faulted, or cudaSuccess.
cudaError_t sticky_error(const Runtime& runtime);

/// Whether a call has returned that.
bool has_returned_fault();

/// A call that CUDA answers on a machine without GPUs, too.
bool works_without_device(std::string_view name);

/// What CUDA calls a fault.
cudaError_t error_of(devices::Fault fault);

/// Fails once for launches that a device has refused since it was asked last.
Status refused_launches(Runtime& runtime);

/// Waits for a command, and those that had to be done before it. Fails if a kernel did, or was
/// refused: the calls that wait are the ones that tell.
Status wait_for(Runtime& runtime, Queue::Sequence sequence);

/// Waits for a command and all that were submitted before it.
Status wait_for_all(Runtime& runtime, Queue::Sequence sequence);

/// Waits for everything submitted so far.
Status wait_for_all(Runtime& runtime);

/// Waits for all up to a command of a legacy stream that it had to wait for.
Status wait_for_joined(Runtime& runtime, Queue::Sequence sequence);

/// cudaSuccess if the command is done, cudaErrorNotReady if not, or the fault up to there.
Status query(Runtime& runtime, Queue::Sequence sequence);
/// The same of all up to a command of a legacy stream that it had to wait for.
Status query_joined(Runtime& runtime, Queue::Sequence sequence);

/// Runs `body(runtime)`, a Status, as API call `name`.
template <class Body>
cudaError_t run_call(const char* name, Body body) noexcept {
  if (support::logs(support::LogLevel::trace)) support::log(support::LogLevel::trace, "%s", name);
  if (in_host_function()) {
    return report(name, {cudaErrorNotPermitted, "host functions must not call CUDA"});
  }
  Runtime& state = runtime();
  if (state.options.no_device && !works_without_device(name)) {
    return report(name, {cudaErrorNoDevice, "GRIDSPAN_DEVICES is none"});
  }
  if (const cudaError_t sticky = sticky_error(state)) {
    return report(name, {sticky, "an earlier kernel failed"});
  }
  try {
    const Status status = body(state);
    return status.failed() ? report(name, status) : cudaSuccess;
  } catch (const std::bad_alloc&) {
    return report(name, {cudaErrorMemoryAllocation, "out of host memory"});
  }
}

/// Adds a call that has returned to the recording, if one is made. `describe` adds its arguments.
template <class Describe>
void record_call(const char* name, Describe describe, bool succeeded, auto result_name) {
  const Runtime* state = runtime_if_started();
  if (!state || !state->recorder) return;
  try {
    record::CallArguments arguments(succeeded);
    describe(arguments);
    state->recorder->write_call(
        {.name = name, .arguments = arguments.take(), .result = result_name()});
  } catch (const std::bad_alloc&) {
    // A recording without this call is better than none.
  }
}

/// `body` as API call `name`, recorded.
template <class Describe, class Body>
cudaError_t call(const char* name, Describe describe, Body body) noexcept {
  const cudaError_t code = run_call(name, body);
  record_call(name, describe, code == cudaSuccess, [&] { return cudaGetErrorName(code); });
  return code;
}

}  // namespace gridspan::runtime

/// How the recording is told of arguments: all of the function's parameters, in order.
#define GRIDSPAN_DESCRIBE(...)                                                            \
  [&]([[maybe_unused]] ::gridspan::runtime::record::CallArguments& described_arguments) { \
    __VA_OPT__(described_arguments.add(#__VA_ARGS__, __VA_ARGS__);)                       \
  }

/// The body of an API function with its parameters: GRIDSPAN_CALL(pointer, size) { ... return
/// cudaSuccess; }); `state` is the Runtime.
#define GRIDSPAN_CALL(...)                                                                   \
  return ::gridspan::runtime::call(__func__, GRIDSPAN_DESCRIBE(__VA_ARGS__),                \
                                   [&]([[maybe_unused]] ::gridspan::runtime::Runtime& state) \
                                       -> ::gridspan::runtime::Status
