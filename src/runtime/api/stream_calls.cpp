// Streams, and waiting for the device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/submit.h"
#include "runtime/schedule/patience.h"

#include <algorithm>
#include <chrono>

using namespace gridspan::runtime;

namespace {

// Accepted and reported, without effect: one queue runs everything in order.
constexpr int least_priority = 0;
constexpr int greatest_priority = -5;

/// For a plain copy that returned before it was done. The device had nothing else to do when it
/// began, so that it is soon done; what was begun behind it may wait for the program.
void wait_for_early_copy(Runtime& state) {
  constexpr std::chrono::milliseconds most{20};
  const Queue::Sequence copy = state.streams.take_early_return();
  if (copy != 0) spin_briefly([&] { return state.queue.is_done_alone(copy); }, most);
}

Status create(Runtime& state, cudaStream_t* stream, unsigned flags, int priority) {
  if (!stream) return refuse(cudaErrorInvalidValue, "the result pointer is null");
  if (flags != cudaStreamDefault && flags != cudaStreamNonBlocking) {
    return refuse(cudaErrorInvalidValue, "flags %u are neither Default nor NonBlocking", flags);
  }
  *stream = state.streams.create(current_device(), flags,
                                 std::clamp(priority, greatest_priority, least_priority));
  if (flags == cudaStreamNonBlocking) wait_for_early_copy(state);
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  GRIDSPAN_CALL(stream) { return create(state, stream, cudaStreamDefault, 0); });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  GRIDSPAN_CALL(stream, flags) { return create(state, stream, flags, 0); });
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  GRIDSPAN_CALL(stream, flags, priority) { return create(state, stream, flags, priority); });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  GRIDSPAN_CALL(stream) {
    if (const auto found = state.streams.find(stream)) state.graphs.captures.leave(*found);
    if (state.streams.destroy(stream)) return cudaSuccess;  // its work goes on in order
    return refuse(cudaErrorInvalidResourceHandle, "%p is not a created stream",
                  static_cast<void*>(stream));
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  GRIDSPAN_CALL(handle) {
    std::shared_ptr<Stream> stream;
    GRIDSPAN_TRY(find_stream(state, handle, stream));
    const auto last =
        state.across_waits.wait_for(state, stream->last.load(std::memory_order_acquire));
    return state.streams.is_legacy(*stream) ? wait_for_joined(state, last) : wait_for(state, last);
  });
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
  GRIDSPAN_CALL(handle) {
    std::shared_ptr<Stream> stream;
    GRIDSPAN_TRY(find_stream(state, handle, stream));
    const auto last =
        state.across_waits.wait_for(state, stream->last.load(std::memory_order_acquire));
    return state.streams.is_legacy(*stream) ? query_joined(state, last) : query(state, last);
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
  GRIDSPAN_CALL(handle, priority) {
    if (!priority) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    std::shared_ptr<Stream> stream;
    GRIDSPAN_TRY(find_any_stream(state, handle, stream));
    *priority = stream->priority;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned int* flags) {
  GRIDSPAN_CALL(handle, flags) {
    if (!flags) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    std::shared_ptr<Stream> stream;
    GRIDSPAN_TRY(find_any_stream(state, handle, stream));
    *flags = stream->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long* id) {
  GRIDSPAN_CALL(handle, id) {
    if (!id) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    std::shared_ptr<Stream> stream;
    GRIDSPAN_TRY(find_any_stream(state, handle, stream));
    *id = stream->id;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetDevice(cudaStream_t handle, int* device) {
  GRIDSPAN_CALL(handle, device) {
    if (!device) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    std::shared_ptr<Stream> stream;
    GRIDSPAN_TRY(find_any_stream(state, handle, stream));
    *device = stream->device;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  GRIDSPAN_CALL(least, greatest) {
    if (least) *least = least_priority;
    if (greatest) *greatest = greatest_priority;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSynchronize(void) {
  GRIDSPAN_CALL() {
    GRIDSPAN_TRY(state.graphs.captures.check_none());
    return wait_for_all(
        state, state.across_waits.wait_for(state, state.streams.last_of(current_device())));
  });
}

cudaError_t cudaThreadSynchronize(void) {
  GRIDSPAN_CALL() {
    return wait_for_all(
        state, state.across_waits.wait_for(state, state.streams.last_of(current_device())));
  });
}
