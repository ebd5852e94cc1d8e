// Memory and events shared between processes: refused, with the reason.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"

using namespace gridspan::runtime;

namespace {

Status refuse_sharing(const char* what) {
  return refuse(cudaErrorNotSupported, "%s cannot be shared between processes yet", what);
}

}  // namespace

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event) {
  GRIDSPAN_CALL(record::address(handle), event) { return refuse_sharing("events"); });
}
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle) {
  GRIDSPAN_CALL(event, handle) { return refuse_sharing("events"); });
}
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer) {
  GRIDSPAN_CALL(record::address(handle), pointer) { return refuse_sharing("memory"); });
}
cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned int flags) {
  GRIDSPAN_CALL(pointer, handle, flags) { return refuse_sharing("memory"); });
}
cudaError_t cudaIpcCloseMemHandle(void* pointer) {
  GRIDSPAN_CALL(pointer) { return refuse_sharing("memory"); });
}

cudaError_t cudaMemPoolExportToShareableHandle(void* shareable, cudaMemPool_t pool,
                                               cudaMemAllocationHandleType type,
                                               unsigned int flags) {
  GRIDSPAN_CALL(shareable, pool, type, flags) { return refuse_sharing("pools"); });
}
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t* pool, void* shareable,
                                                 cudaMemAllocationHandleType type,
                                                 unsigned int flags) {
  GRIDSPAN_CALL(pool, shareable, type, flags) { return refuse_sharing("pools"); });
}
cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData* exported, void* pointer) {
  GRIDSPAN_CALL(record::address(exported), pointer) { return refuse_sharing("pools"); });
}
cudaError_t cudaMemPoolImportPointer(void** pointer, cudaMemPool_t pool,
                                     cudaMemPoolPtrExportData* exported) {
  GRIDSPAN_CALL(pointer, pool, record::address(exported)) { return refuse_sharing("pools"); });
}
