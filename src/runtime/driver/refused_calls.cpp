// What only GPUs and graphics systems have: calls that say so.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/call.h"

using namespace gridspan::runtime;

namespace {

CUresult refuse_here(const char* caller, const char* what) {
  if (const CUresult result = driver::check(driver::Needs::initialisation)) return result;
  return driver::refuse(caller, CUDA_ERROR_NOT_SUPPORTED, "%s", what);
}

constexpr char tensor_copies[] = "kernels here have no tensor copies (sm_90)";
constexpr char multicast[] = "no memory of several devices at one address";
constexpr char graphics[] = "memory and semaphores of graphics systems are not imported";

}  // namespace

// ---- tensor maps
CUresult cuTensorMapEncodeTiled(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*,
                                const cuuint64_t*, const cuuint64_t*, const cuuint32_t*,
                                const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                                CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  return refuse_here(__func__, tensor_copies);
}
CUresult cuTensorMapEncodeIm2col(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*,
                                 const cuuint64_t*, const cuuint64_t*, const int*, const int*,
                                 cuuint32_t, cuuint32_t, const cuuint32_t*, CUtensorMapInterleave,
                                 CUtensorMapSwizzle, CUtensorMapL2promotion,
                                 CUtensorMapFloatOOBfill) {
  return refuse_here(__func__, tensor_copies);
}
CUresult cuTensorMapEncodeIm2colWide(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*,
                                     const cuuint64_t*, const cuuint64_t*, int, int, cuuint32_t,
                                     cuuint32_t, const cuuint32_t*, CUtensorMapInterleave,
                                     CUtensorMapIm2ColWideMode, CUtensorMapSwizzle,
                                     CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  return refuse_here(__func__, tensor_copies);
}
CUresult cuTensorMapReplaceAddress(CUtensorMap*, void*) {
  return refuse_here(__func__, tensor_copies);
}

// ---- multicast objects
CUresult cuMulticastCreate(CUmemGenericAllocationHandle*, const CUmulticastObjectProp*) {
  return refuse_here(__func__, multicast);
}
CUresult cuMulticastAddDevice(CUmemGenericAllocationHandle, CUdevice) {
  return refuse_here(__func__, multicast);
}
CUresult cuMulticastBindMem(CUmemGenericAllocationHandle, size_t, CUmemGenericAllocationHandle,
                            size_t, size_t, unsigned long long) {
  return refuse_here(__func__, multicast);
}
CUresult cuMulticastBindAddr(CUmemGenericAllocationHandle, size_t, CUdeviceptr, size_t,
                             unsigned long long) {
  return refuse_here(__func__, multicast);
}
CUresult cuMulticastUnbind(CUmemGenericAllocationHandle, CUdevice, size_t, size_t) {
  return refuse_here(__func__, multicast);
}
CUresult cuMulticastGetGranularity(size_t*, const CUmulticastObjectProp*,
                                   CUmulticastGranularity_flags) {
  return refuse_here(__func__, multicast);
}
CUresult cuMemGetHandleForAddressRange(void*, CUdeviceptr, size_t, CUmemRangeHandleType,
                                       unsigned long long) {
  return refuse_here(__func__, "memory here has no handle for other devices");
}

// ---- external memory
CUresult cuImportExternalMemory(CUexternalMemory*, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC*) {
  return refuse_here(__func__, graphics);
}
CUresult cuExternalMemoryGetMappedBuffer(CUdeviceptr*, CUexternalMemory,
                                         const CUDA_EXTERNAL_MEMORY_BUFFER_DESC*) {
  return refuse_here(__func__, graphics);
}
CUresult cuExternalMemoryGetMappedMipmappedArray(CUmipmappedArray*, CUexternalMemory,
                                                 const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC*) {
  return refuse_here(__func__, graphics);
}
CUresult cuDestroyExternalMemory(CUexternalMemory) { return refuse_here(__func__, graphics); }
CUresult cuImportExternalSemaphore(CUexternalSemaphore*,
                                   const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC*) {
  return refuse_here(__func__, graphics);
}
CUresult cuSignalExternalSemaphoresAsync(const CUexternalSemaphore*,
                                         const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS*, unsigned int,
                                         CUstream) {
  return refuse_here(__func__, graphics);
}
CUresult cuWaitExternalSemaphoresAsync(const CUexternalSemaphore*,
                                       const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS*, unsigned int,
                                       CUstream) {
  return refuse_here(__func__, graphics);
}
CUresult cuDestroyExternalSemaphore(CUexternalSemaphore) { return refuse_here(__func__, graphics); }
