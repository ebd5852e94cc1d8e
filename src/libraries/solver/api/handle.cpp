// cuSOLVER: handles of the dense and the sparse part, versions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/solver/api/context.h"
#include "libraries/support/live_objects.h"
#include "libraries/support/versions.h"

namespace gridspan::libraries::solver {
namespace {

template <typename Handle>
cusolverStatus_t create(Handle** handle) {
  if (!handle) return CUSOLVER_STATUS_INVALID_VALUE;
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return CUSOLVER_STATUS_NOT_INITIALIZED;
  return create_live(handle) ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

template <typename Handle>
cusolverStatus_t destroy(Handle* handle) {
  return live<Handle>().destroy(handle) ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_NOT_INITIALIZED;
}

template <typename Handle>
cusolverStatus_t set_stream(Handle* handle, cudaStream_t stream) {
  if (!is_live(handle)) return CUSOLVER_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUSOLVER_STATUS_SUCCESS;
}

template <typename Handle>
cusolverStatus_t get_stream(const Handle* handle, cudaStream_t* stream) {
  if (!is_live(handle)) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (!stream) return CUSOLVER_STATUS_INVALID_VALUE;
  *stream = handle->stream;
  return CUSOLVER_STATUS_SUCCESS;
}

}  // namespace
}  // namespace gridspan::libraries::solver

using namespace gridspan::libraries;  // NOLINT(google-build-using-namespace): the C functions

extern "C" {

cusolverStatus_t cusolverGetVersion(int* version) {
  if (!version) return CUSOLVER_STATUS_INVALID_VALUE;
  *version = CUSOLVER_VERSION;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int* value) {
  return give_version_part(type, CUSOLVER_VER_MAJOR, CUSOLVER_VER_MINOR, CUSOLVER_VER_PATCH, value)
             ? CUSOLVER_STATUS_SUCCESS
             : CUSOLVER_STATUS_INVALID_VALUE;
}

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle) { return solver::create(handle); }
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) { return solver::destroy(handle); }
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
  return solver::set_stream(handle, stream);
}
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t* stream) {
  return solver::get_stream(handle, stream);
}

cusolverStatus_t cusolverDnSetDeterministicMode(cusolverDnHandle_t handle,
                                                cusolverDeterministicMode_t mode) {
  if (!is_live(handle)) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (mode != CUSOLVER_DETERMINISTIC_RESULTS && mode != CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS)
    return CUSOLVER_STATUS_INVALID_VALUE;
  handle->deterministic = mode;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnGetDeterministicMode(cusolverDnHandle_t handle,
                                                cusolverDeterministicMode_t* mode) {
  if (!is_live(handle)) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (!mode) return CUSOLVER_STATUS_INVALID_VALUE;
  *mode = handle->deterministic;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t* handle) { return solver::create(handle); }
cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t handle) { return solver::destroy(handle); }
cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t handle, cudaStream_t stream) {
  return solver::set_stream(handle, stream);
}
cusolverStatus_t cusolverSpGetStream(cusolverSpHandle_t handle, cudaStream_t* stream) {
  return solver::get_stream(handle, stream);
}

}  // extern "C"
