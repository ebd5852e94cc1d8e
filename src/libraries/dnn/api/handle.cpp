// cuDNN: handles, versions, names of statuses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/dnn/api/context.h"
#include "libraries/support/versions.h"

using namespace gridspan::libraries;  // NOLINT(google-build-using-namespace): the C functions

extern "C" {

size_t cudnnGetVersion(void) { return CUDNN_VERSION; }
size_t cudnnGetMaxDeviceVersion(void) { return CUDNN_VERSION; }
size_t cudnnGetCudartVersion(void) { return CUDART_VERSION; }

cudnnStatus_t cudnnGetProperty(libraryPropertyType type, int* value) {
  return give_version_part(type, CUDNN_MAJOR, CUDNN_MINOR, CUDNN_PATCHLEVEL, value)
             ? CUDNN_STATUS_SUCCESS
             : dnn::Check(__func__).given(value, "value").known(false, type, "type").status();
}

const char* cudnnGetErrorString(cudnnStatus_t status) {
  static constexpr const char* names[] = {"CUDNN_STATUS_SUCCESS",
                                          "CUDNN_STATUS_NOT_INITIALIZED",
                                          "CUDNN_STATUS_ALLOC_FAILED",
                                          "CUDNN_STATUS_BAD_PARAM",
                                          "CUDNN_STATUS_INTERNAL_ERROR",
                                          "CUDNN_STATUS_INVALID_VALUE",
                                          "CUDNN_STATUS_ARCH_MISMATCH",
                                          "CUDNN_STATUS_MAPPING_ERROR",
                                          "CUDNN_STATUS_EXECUTION_FAILED",
                                          "CUDNN_STATUS_NOT_SUPPORTED",
                                          "CUDNN_STATUS_LICENSE_ERROR",
                                          "CUDNN_STATUS_RUNTIME_PREREQUISITE_MISSING",
                                          "CUDNN_STATUS_RUNTIME_IN_PROGRESS",
                                          "CUDNN_STATUS_RUNTIME_FP_OVERFLOW",
                                          "CUDNN_STATUS_VERSION_MISMATCH"};
  const auto index = static_cast<unsigned>(status);
  return index < std::size(names) ? names[index] : "CUDNN_UNKNOWN_STATUS";
}

cudnnStatus_t cudnnCreate(cudnnHandle_t* handle) {
  if (const auto check = dnn::Check(__func__).given(handle, "handle"); check.failed())
    return check.status();
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return CUDNN_STATUS_NOT_INITIALIZED;
  return create_live(handle) ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_ALLOC_FAILED;
}
cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) {
  return live<cudnnContext>().destroy(handle)
             ? CUDNN_STATUS_SUCCESS
             : dnn::Check(__func__).no_object(handle, "handle", CUDNN_STATUS_NOT_INITIALIZED);
}
cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream) {
  if (const auto check = dnn::Check(__func__).live(handle, "handle"); check.failed())
    return check.status();
  handle->stream = stream;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetStream(cudnnHandle_t handle, cudaStream_t* stream) {
  const auto check = dnn::Check(__func__).live(handle, "handle").given(stream, "streamId");
  if (check.failed()) return check.status();
  *stream = handle->stream;
  return CUDNN_STATUS_SUCCESS;
}

/// All of cuDNN is one library here: no part has another version.
cudnnStatus_t cudnnOpsInferVersionCheck(void) { return CUDNN_STATUS_SUCCESS; }
cudnnStatus_t cudnnOpsTrainVersionCheck(void) { return CUDNN_STATUS_SUCCESS; }
cudnnStatus_t cudnnCnnInferVersionCheck(void) { return CUDNN_STATUS_SUCCESS; }
cudnnStatus_t cudnnCnnTrainVersionCheck(void) { return CUDNN_STATUS_SUCCESS; }
cudnnStatus_t cudnnAdvInferVersionCheck(void) { return CUDNN_STATUS_SUCCESS; }
cudnnStatus_t cudnnAdvTrainVersionCheck(void) { return CUDNN_STATUS_SUCCESS; }

}  // extern "C"
