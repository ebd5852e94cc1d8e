// NCCL: versions, errors, identifiers, memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/nccl/api/clique.h"
#include "libraries/nccl/api/second_names.h"

#include <nccl.h>

#include <sys/random.h>
#include <cerrno>

extern "C" {

ncclResult_t ncclGetVersion(int* version) {
  if (!version) return ncclInvalidArgument;
  *version = NCCL_VERSION_CODE;
  return ncclSuccess;
}
GRIDSPAN_SECOND_NAME(ncclResult_t, GetVersion, (int* version), (version))

const char* ncclGetErrorString(ncclResult_t result) {
  switch (result) {
    case ncclSuccess:
      return "no error";
    case ncclUnhandledCudaError:
      return "a CUDA call failed";
    case ncclSystemError:
      return "a call of the system failed";
    case ncclInternalError:
      return "an internal operation failed, or is not supported";
    case ncclInvalidArgument:
      return "an argument has a value that is not allowed";
    case ncclInvalidUsage:
      return "the calls do not fit each other";
    case ncclRemoteError:
      return "another process failed";
    case ncclInProgress:
      return "the operation goes on";
    default:
      return "unknown result";
  }
}
GRIDSPAN_SECOND_NAME(const char*, GetErrorString, (ncclResult_t result), (result))

/// Of the process.
const char* ncclGetLastError(ncclComm_t) {
  static thread_local std::string text;
  text = gridspan::libraries::nccl::last_complaint();
  return text.c_str();
}
GRIDSPAN_SECOND_NAME(const char*, GetLastError, (ncclComm_t comm), (comm))

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  if (!id) return ncclInvalidArgument;
  for (std::size_t done = 0; done < sizeof id->internal;) {
    const ssize_t more = getrandom(id->internal + done, sizeof id->internal - done, 0);
    if (more < 0 && errno != EINTR) return ncclSystemError;
    if (more > 0) done += static_cast<std::size_t>(more);
  }
  return ncclSuccess;
}
GRIDSPAN_SECOND_NAME(ncclResult_t, GetUniqueId, (ncclUniqueId * id), (id))

void ncclResetDebugInit() {}
GRIDSPAN_SECOND_NAME(void, ResetDebugInit, (), ())

ncclResult_t ncclMemAlloc(void** pointer, size_t size) {
  if (!pointer) return ncclInvalidArgument;
  return cudaMalloc(pointer, size) == cudaSuccess ? ncclSuccess : ncclUnhandledCudaError;
}
GRIDSPAN_SECOND_NAME(ncclResult_t, MemAlloc, (void** pointer, size_t size), (pointer, size))

ncclResult_t ncclMemFree(void* pointer) {
  return cudaFree(pointer) == cudaSuccess ? ncclSuccess : ncclUnhandledCudaError;
}
GRIDSPAN_SECOND_NAME(ncclResult_t, MemFree, (void* pointer), (pointer))

}  // extern "C"
