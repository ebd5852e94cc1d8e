// cuSPARSE: handles, versions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/api/checks.h"
#include "libraries/support/versions.h"

using namespace gridspan::libraries;  // NOLINT(google-build-using-namespace): the C functions

extern "C" {

cusparseStatus_t cusparseCreate(cusparseHandle_t* handle) {
  if (const auto check = sparse::Check(__func__).given(handle, "handle"); check.failed())
    return check.status();
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return CUSPARSE_STATUS_NOT_INITIALIZED;
  return create_live(handle) ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  return live<cusparseContext>().destroy(handle)
             ? CUSPARSE_STATUS_SUCCESS
             : sparse::Check(__func__).no_object(handle, "handle", CUSPARSE_STATUS_NOT_INITIALIZED);
}

cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int* version) {
  const auto check = sparse::Check(__func__, handle).given(version, "version");
  if (check.failed()) return check.status();
  *version = CUSPARSE_VERSION;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetProperty(libraryPropertyType type, int* value) {
  return give_version_part(type, CUSPARSE_VER_MAJOR, CUSPARSE_VER_MINOR, CUSPARSE_VER_PATCH, value)
             ? CUSPARSE_STATUS_SUCCESS
             : sparse::Check(__func__).given(value, "value").known(false, type, "type").status();
}

cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  if (const sparse::Check check(__func__, handle); check.failed()) return check.status();
  handle->stream = stream;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t* stream) {
  const auto check = sparse::Check(__func__, handle).given(stream, "streamId");
  if (check.failed()) return check.status();
  *stream = handle->stream;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode) {
  const bool is_mode = mode == CUSPARSE_POINTER_MODE_HOST || mode == CUSPARSE_POINTER_MODE_DEVICE;
  const auto check = sparse::Check(__func__, handle).known(is_mode, mode, "mode");
  if (check.failed()) return check.status();
  handle->pointer_mode = mode;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t* mode) {
  const auto check = sparse::Check(__func__, handle).given(mode, "mode");
  if (check.failed()) return check.status();
  *mode = handle->pointer_mode;
  return CUSPARSE_STATUS_SUCCESS;
}

}  // extern "C"
