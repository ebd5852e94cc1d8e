// The part of the run-time API that kernels may call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel asks for is done in one order (abi/services.h): streams and events of kernels have
// nothing left to say. Launches and cudaDeviceSynchronize are the device compiler's
// (transforms/device_launches.h).
#include "abi/services.h"
#include "device_library/device_library.h"

namespace {

// Of cudaError and cudaDeviceAttr.
constexpr int success = 0, invalid_value = 1, out_of_memory = 2, not_permitted = 800;
constexpr int max_threads_per_block = 1, warp_size = 10, major = 75, minor = 76;

/// A handle that is neither null nor a stream with a meaning of its own.
constexpr std::uint64_t some_handle = 0x100;

int note(int error) {
  if (error != success) gridspan_device_set_error(static_cast<std::uint32_t>(error));
  return error;
}

std::uint64_t number(const void* stream) { return reinterpret_cast<std::uint64_t>(stream); }

}  // namespace

DEVICE_FUNCTION int cudaMalloc(void** pointer, std::uint64_t size) {
  if (pointer == nullptr) return note(invalid_value);
  *pointer = size == 0 ? nullptr : gridspan_device_malloc(size);
  return note(size != 0 && *pointer == nullptr ? out_of_memory : success);
}

DEVICE_FUNCTION int cudaFree(void* pointer) {
  gridspan_device_free(pointer);
  return success;
}

DEVICE_FUNCTION int cudaMemcpyAsync(void* to, const void* from, std::uint64_t bytes, int,
                                    void* stream) {
  gridspan_device_copy(to, from, bytes, number(stream));
  return success;
}

DEVICE_FUNCTION int cudaMemsetAsync(void* to, int value, std::uint64_t bytes, void* stream) {
  gridspan_device_fill(to, static_cast<std::uint32_t>(value), bytes, number(stream));
  return success;
}

DEVICE_FUNCTION int cudaGetLastError() { return static_cast<int>(gridspan_device_last_error(1)); }
DEVICE_FUNCTION int cudaPeekAtLastError() {
  return static_cast<int>(gridspan_device_last_error(0));
}

/// Kernels make streams that don't wait for the null stream, and no others.
DEVICE_FUNCTION int cudaStreamCreateWithFlags(void** stream, unsigned flags) {
  if (stream == nullptr || flags != 1) return note(invalid_value);
  *stream = reinterpret_cast<void*>(some_handle);
  return success;
}
DEVICE_FUNCTION int cudaStreamDestroy(void*) { return success; }
DEVICE_FUNCTION int cudaStreamWaitEvent(void*, void*, unsigned) { return success; }

DEVICE_FUNCTION int cudaEventCreateWithFlags(void** event, unsigned flags) {
  constexpr unsigned disable_timing = 2;
  if (event == nullptr || (flags & disable_timing) == 0) return note(invalid_value);
  *event = reinterpret_cast<void*>(some_handle);
  return success;
}
DEVICE_FUNCTION int cudaEventDestroy(void*) { return success; }
DEVICE_FUNCTION int cudaEventRecord(void*, void*) { return success; }

DEVICE_FUNCTION int cudaGetDevice(int* device) {
  *device = 0;
  return success;
}
DEVICE_FUNCTION int cudaGetDeviceCount(int* count) {
  *count = 1;
  return success;
}
DEVICE_FUNCTION int cudaRuntimeGetVersion(int* version) {
  *version = 12050;
  return success;
}

DEVICE_FUNCTION int cudaDeviceGetAttribute(int* value, int attribute, int) {
  switch (attribute) {
    case max_threads_per_block:
      *value = gridspan::abi::max_block_threads;
      return success;
    case warp_size:
      *value = gridspan::abi::warp_size;
      return success;
    case major:
      *value = 7;
      return success;
    case minor:
      *value = 5;
      return success;
    default:
      return note(not_permitted);
  }
}

DEVICE_FUNCTION const char* cudaGetErrorString(int error) {
  return error == success ? "no error" : "error in device code";
}
DEVICE_FUNCTION const char* cudaGetErrorName(int error) {
  return error == success ? "cudaSuccess" : "cudaError";
}
