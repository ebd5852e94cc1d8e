// Streams and events.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/contexts.h"

#include <memory>

using namespace gridspan::runtime;
using driver::call;
using driver::Needs;

namespace {

/// A callback of the driver's type, called once by the run-time API.
struct Callback {
  CUstreamCallback function;
  void* data;
};
void CUDART_CB run_callback(cudaStream_t stream, cudaError_t status, void* data) {
  const std::unique_ptr<Callback> callback(static_cast<Callback*>(data));
  callback->function(stream, driver::to_result(status), callback->data);
}

}  // namespace

CUresult cuStreamCreate(CUstream* stream, unsigned int flags) {
  return call(Needs::context, [&] { return cudaStreamCreateWithFlags(stream, flags); });
}
CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned int flags, int priority) {
  return call(Needs::context,
              [&] { return cudaStreamCreateWithPriority(stream, flags, priority); });
}
CUresult cuStreamDestroy(CUstream stream) {
  return call(Needs::context, [&] { return cudaStreamDestroy(stream); });
}
CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  return call(Needs::context, [&] { return cudaStreamGetPriority(stream, priority); });
}
CUresult cuStreamGetFlags(CUstream stream, unsigned int* flags) {
  return call(Needs::context, [&] { return cudaStreamGetFlags(stream, flags); });
}
CUresult cuStreamGetCtx(CUstream stream, CUcontext* context) {
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  int device = 0;
  const CUresult result =
      call(Needs::context, [&] { return cudaStreamGetDevice(stream, &device); });
  if (result != CUDA_SUCCESS) return result;
  *context = driver::context_on(device);
  return result;
}
CUresult cuStreamSynchronize(CUstream stream) {
  return call(Needs::context, [&] { return cudaStreamSynchronize(stream); });
}
CUresult cuStreamQuery(CUstream stream) {
  return call(Needs::context, [&] { return cudaStreamQuery(stream); });
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
  return call(Needs::context, [&] { return cudaStreamWaitEvent(stream, event, flags); });
}
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* user_data,
                             unsigned int flags) {
  if (!callback) return CUDA_ERROR_INVALID_VALUE;
  return call(Needs::context, [&] {
    auto own = std::make_unique<Callback>(callback, user_data);
    const cudaError_t error = cudaStreamAddCallback(stream, run_callback, own.get(), flags);
    if (error == cudaSuccess) (void)own.release();  // NOLINT(bugprone-unused-return-value)
    return error;
  });
}
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* user_data) {
  return call(Needs::context, [&] { return cudaLaunchHostFunc(stream, function, user_data); });
}

CUresult cuEventCreate(CUevent* event, unsigned int flags) {
  return call(Needs::context, [&] { return cudaEventCreateWithFlags(event, flags); });
}
CUresult cuEventDestroy(CUevent event) {
  return call(Needs::context, [&] { return cudaEventDestroy(event); });
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  return call(Needs::context, [&] { return cudaEventRecord(event, stream); });
}
CUresult cuEventQuery(CUevent event) {
  return call(Needs::context, [&] { return cudaEventQuery(event); });
}
CUresult cuEventSynchronize(CUevent event) {
  return call(Needs::context, [&] { return cudaEventSynchronize(event); });
}
CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return call(Needs::context, [&] { return cudaEventElapsedTime(milliseconds, start, end); });
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags) {
  return call(Needs::context, [&] { return cudaEventRecordWithFlags(event, stream, flags); });
}

CUresult cuStreamGetId(CUstream stream, unsigned long long* id) {
  return call(Needs::context, [&] { return cudaStreamGetId(stream, id); });
}
CUresult cuStreamGetDevice(CUstream stream, CUdevice* device) {
  return call(Needs::context, [&] { return cudaStreamGetDevice(stream, device); });
}
CUresult cuStreamCopyAttributes(CUstream destination, CUstream source) {
  return call(Needs::context, [&] { return cudaStreamCopyAttributes(destination, source); });
}
CUresult cuStreamGetAttribute(CUstream stream, CUstreamAttrID attribute, CUstreamAttrValue* value) {
  static_assert(sizeof(CUstreamAttrValue) == sizeof(cudaStreamAttrValue));
  return call(Needs::context, [&] {
    return cudaStreamGetAttribute(stream, static_cast<cudaLaunchAttributeID>(attribute),
                                  reinterpret_cast<cudaStreamAttrValue*>(value));
  });
}
CUresult cuStreamSetAttribute(CUstream stream, CUstreamAttrID attribute,
                              const CUstreamAttrValue* value) {
  return call(Needs::context, [&] {
    return cudaStreamSetAttribute(stream, static_cast<cudaLaunchAttributeID>(attribute),
                                  reinterpret_cast<const cudaStreamAttrValue*>(value));
  });
}
