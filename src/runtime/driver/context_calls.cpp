// Contexts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/contexts.h"

#include "runtime/api/current_device.h"

using namespace gridspan::runtime;
using driver::call;
using driver::Needs;

namespace {

CUresult check_live(CUcontext context) {
  if (const CUresult result = driver::check(Needs::initialisation)) return result;
  if (driver::is_live(context)) return CUDA_SUCCESS;
  return driver::refuse("context", CUDA_ERROR_INVALID_CONTEXT,
                        "%p is not a context, or was destroyed", static_cast<void*>(context));
}

}  // namespace

CUresult cuCtxCreate(CUcontext* context, unsigned int flags, CUdevice device) {
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  CUdevice checked = 0;
  if (const CUresult result = cuDeviceGet(&checked, device)) return result;
  if (flags & ~unsigned{CU_CTX_FLAGS_MASK}) {
    return driver::refuse(__func__, CUDA_ERROR_INVALID_VALUE, "flags %#x are unknown", flags);
  }
  *context = driver::create_context(device, flags);
  driver::push_context(*context);
  return CUDA_SUCCESS;
}

CUresult cuCtxCreate_v4(CUcontext* context, CUctxCreateParams* parameters, unsigned int flags,
                        CUdevice device) {
  if (parameters && (parameters->numExecAffinityParams > 0 || parameters->cigParams)) {
    return driver::refuse(__func__, CUDA_ERROR_NOT_SUPPORTED,
                          "contexts with affinity or graphics parameters");
  }
  return cuCtxCreate(context, flags, device);
}

// As from CUDA 11.4 on.
CUresult cuCtxCreate_v3(CUcontext* context, CUexecAffinityParam* affinities, int affinity_count,
                        unsigned int flags, CUdevice device) {
  if (affinities && affinity_count > 0) {
    return driver::refuse(__func__, CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY,
                          "contexts with affinity parameters");
  }
  return cuCtxCreate(context, flags, device);
}

CUresult cuCtxGetExecAffinity(CUexecAffinityParam* affinity, CUexecAffinityType) {
  if (!affinity) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = driver::check(Needs::context)) return result;
  return driver::refuse(__func__, CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY,
                        "contexts have all processors");
}

CUresult cuCtxDestroy(CUcontext context) {
  if (const CUresult result = check_live(context)) return result;
  const CUresult waited = [&] {
    const OnDevice there(context->device);
    return call(Needs::nothing, [] { return cudaDeviceSynchronize(); });
  }();
  if (driver::destroy_context(context)) return waited;
  return driver::refuse(__func__, CUDA_ERROR_INVALID_CONTEXT,
                        "the primary context is released, not destroyed");
}

CUresult cuCtxPushCurrent(CUcontext context) {
  if (const CUresult result = check_live(context)) return result;
  driver::push_context(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext* context) {
  if (const CUresult result = driver::check(Needs::initialisation)) return result;
  const CUcontext top = driver::pop_context();
  if (!top) return driver::refuse(__func__, CUDA_ERROR_INVALID_CONTEXT, "no context is current");
  if (context) *context = top;
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
  if (const CUresult result = driver::check(Needs::initialisation)) return result;
  if (context) {
    if (const CUresult result = check_live(context)) return result;
  }
  driver::pop_context();
  if (context) driver::push_context(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext* context) {
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = driver::check(Needs::initialisation)) return result;
  *context = driver::current_context();
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice* device) {
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = driver::check(Needs::context)) return result;
  *device = driver::current_context()->device;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned int* flags) {
  if (!flags) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = driver::check(Needs::context)) return result;
  *flags = driver::current_context()->flags;
  return CUDA_SUCCESS;
}

CUresult cuCtxSetFlags(unsigned int flags) {
  if (flags & ~unsigned{CU_CTX_FLAGS_MASK}) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = driver::check(Needs::context)) return result;
  driver::current_context()->flags = flags;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetId(CUcontext context, unsigned long long* id) {
  if (!id) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = driver::check(Needs::context)) return result;
  if (!context) context = driver::current_context();
  if (const CUresult result = check_live(context)) return result;
  *id = context->id;
  return CUDA_SUCCESS;
}

// A context is its device: all of its work is what the device's null stream waits for.
CUresult cuCtxRecordEvent(CUcontext context, CUevent event) {
  if (const CUresult result = check_live(context)) return result;
  const OnDevice there(context->device);
  return call(Needs::context, [&] { return cudaEventRecord(event, nullptr); });
}

CUresult cuCtxWaitEvent(CUcontext context, CUevent event) {
  if (const CUresult result = check_live(context)) return result;
  const OnDevice there(context->device);
  return call(Needs::context, [&] { return cudaStreamWaitEvent(nullptr, event, 0); });
}

CUresult cuCtxResetPersistingL2Cache(void) {
  return call(Needs::context, [] { return cudaCtxResetPersistingL2Cache(); });
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned int* version) {
  if (!version) return CUDA_ERROR_INVALID_VALUE;
  if (context) {
    if (const CUresult result = check_live(context)) return result;
  }
  constexpr unsigned api_version = 3020;  // the last time contexts changed their meaning
  *version = api_version;
  return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void) {
  return call(Needs::context, [] { return cudaDeviceSynchronize(); });
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return call(Needs::context,
              [&] { return cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value); });
}

CUresult cuCtxGetLimit(size_t* value, CUlimit limit) {
  return call(Needs::context,
              [&] { return cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)); });
}

CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
  return call(Needs::context,
              [&] { return cudaDeviceGetCacheConfig(reinterpret_cast<cudaFuncCache*>(config)); });
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  return call(Needs::context,
              [&] { return cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(config)); });
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig* config) {
  return call(Needs::context, [&] {
    return cudaDeviceGetSharedMemConfig(reinterpret_cast<cudaSharedMemConfig*>(config));
  });
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
  return call(Needs::context, [&] {
    return cudaDeviceSetSharedMemConfig(static_cast<cudaSharedMemConfig>(config));
  });
}

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return call(Needs::context, [&] { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags) {
  if (const CUresult result = check_live(peer)) return result;
  return call(Needs::context, [&] { return cudaDeviceEnablePeerAccess(peer->device, flags); });
}

CUresult cuCtxDisablePeerAccess(CUcontext peer) {
  if (const CUresult result = check_live(peer)) return result;
  return call(Needs::context, [&] { return cudaDeviceDisablePeerAccess(peer->device); });
}

CUresult cuCtxAttach(CUcontext* context, unsigned int flags) {
  if (!context || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = driver::check(Needs::context)) return result;
  *context = driver::current_context();
  return CUDA_SUCCESS;
}

CUresult cuCtxDetach(CUcontext context) { return check_live(context); }
