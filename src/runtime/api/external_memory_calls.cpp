// Memory and semaphores of graphics systems: refused.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"

using namespace gridspan::runtime;

namespace {

Status refuse_import() {
  return refuse(cudaErrorNotSupported,
                "memory and semaphores of graphics systems are not imported");
}

}  // namespace

cudaError_t cudaImportExternalMemory(cudaExternalMemory_t*, const cudaExternalMemoryHandleDesc*) {
  GRIDSPAN_CALL() { return refuse_import(); });
}
cudaError_t cudaExternalMemoryGetMappedBuffer(void**, cudaExternalMemory_t,
                                              const cudaExternalMemoryBufferDesc*) {
  GRIDSPAN_CALL() { return refuse_import(); });
}
cudaError_t cudaExternalMemoryGetMappedMipmappedArray(cudaMipmappedArray_t*, cudaExternalMemory_t,
                                                      const cudaExternalMemoryMipmappedArrayDesc*) {
  GRIDSPAN_CALL() { return refuse_import(); });
}
cudaError_t cudaDestroyExternalMemory(cudaExternalMemory_t) {
  GRIDSPAN_CALL() { return refuse_import(); });
}
cudaError_t cudaImportExternalSemaphore(cudaExternalSemaphore_t*,
                                        const cudaExternalSemaphoreHandleDesc*) {
  GRIDSPAN_CALL() { return refuse_import(); });
}
cudaError_t cudaSignalExternalSemaphoresAsync(const cudaExternalSemaphore_t*,
                                              const cudaExternalSemaphoreSignalParams*,
                                              unsigned int, cudaStream_t) {
  GRIDSPAN_CALL() { return refuse_import(); });
}
cudaError_t cudaWaitExternalSemaphoresAsync(const cudaExternalSemaphore_t*,
                                            const cudaExternalSemaphoreWaitParams*, unsigned int,
                                            cudaStream_t) {
  GRIDSPAN_CALL() { return refuse_import(); });
}
cudaError_t cudaDestroyExternalSemaphore(cudaExternalSemaphore_t) {
  GRIDSPAN_CALL() { return refuse_import(); });
}
