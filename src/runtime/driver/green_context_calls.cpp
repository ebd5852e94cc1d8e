// Green contexts: processors can be counted, not divided among contexts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/call.h"

using namespace gridspan::runtime;
using driver::call;
using driver::Needs;

namespace {

CUresult refuse_division(const char* caller) {
  if (const CUresult result = driver::check(Needs::initialisation)) return result;
  return driver::refuse(caller, CUDA_ERROR_NOT_SUPPORTED,
                        "the processors of a device are not divided among contexts");
}

CUresult processors_of(const char* caller, CUdevice device, CUdevResource* resource,
                       CUdevResourceType type) {
  if (!resource) return CUDA_ERROR_INVALID_VALUE;
  if (type != CU_DEV_RESOURCE_TYPE_SM)
    return driver::refuse(caller, CUDA_ERROR_INVALID_VALUE, "a resource of kind %d", int(type));
  int count = 0;
  if (const CUresult result = call(Needs::initialisation, [&] {
        return cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
      })) {
    return result;
  }
  *resource = {};
  resource->type = type;
  resource->sm.smCount = unsigned(count);
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuDeviceGetDevResource(CUdevice device, CUdevResource* resource, CUdevResourceType type) {
  return processors_of(__func__, device, resource, type);
}

CUresult cuCtxGetDevResource(CUcontext context, CUdevResource* resource, CUdevResourceType type) {
  if (const CUresult result = cuCtxPushCurrent(context)) return result;
  CUdevice device = 0;
  const CUresult found = cuCtxGetDevice(&device);
  CUcontext popped = nullptr;
  cuCtxPopCurrent(&popped);
  return found ? found : processors_of(__func__, device, resource, type);
}

CUresult cuDevSmResourceSplitByCount(CUdevResource*, unsigned int*, const CUdevResource*,
                                     CUdevResource*, unsigned int, unsigned int) {
  return refuse_division(__func__);
}
CUresult cuDevResourceGenerateDesc(CUdevResourceDesc*, CUdevResource*, unsigned int) {
  return refuse_division(__func__);
}
CUresult cuGreenCtxCreate(CUgreenCtx*, CUdevResourceDesc, CUdevice, unsigned int) {
  return refuse_division(__func__);
}
CUresult cuGreenCtxDestroy(CUgreenCtx) { return refuse_division(__func__); }
CUresult cuGreenCtxGetDevResource(CUgreenCtx, CUdevResource*, CUdevResourceType) {
  return refuse_division(__func__);
}
CUresult cuGreenCtxGetId(CUgreenCtx, unsigned long long*) { return refuse_division(__func__); }
CUresult cuGreenCtxRecordEvent(CUgreenCtx, CUevent) { return refuse_division(__func__); }
CUresult cuGreenCtxWaitEvent(CUgreenCtx, CUevent) { return refuse_division(__func__); }
CUresult cuGreenCtxStreamCreate(CUstream*, CUgreenCtx, unsigned int, int) {
  return refuse_division(__func__);
}
CUresult cuCtxFromGreenCtx(CUcontext*, CUgreenCtx) { return refuse_division(__func__); }

CUresult cuStreamGetGreenCtx(CUstream stream, CUgreenCtx* context) {
  CUcontext usual = nullptr;
  return cuStreamGetCtx_v2(stream, &usual, context);
}

CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext* context, CUgreenCtx* green) {
  if (!green) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = cuStreamGetCtx(stream, context)) return result;
  *green = nullptr;
  return CUDA_SUCCESS;
}
