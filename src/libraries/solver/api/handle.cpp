// cuSOLVER: handles of the dense and the sparse part, versions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/solver/api/checks.h"
#include "libraries/support/versions.h"

namespace gridspan::libraries::solver {
namespace {

template <typename Handle>
cusolverStatus_t create(Handle** handle, const char* call = __builtin_FUNCTION()) {
  if (const Check check = Check(call).given(handle, "handle"); check.failed())
    return check.status();
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return CUSOLVER_STATUS_NOT_INITIALIZED;
  return create_live(handle) ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

template <typename Handle>
cusolverStatus_t destroy(Handle* handle, const char* call = __builtin_FUNCTION()) {
  return live<Handle>().destroy(handle)
             ? CUSOLVER_STATUS_SUCCESS
             : Check(call).no_object(handle, "handle", CUSOLVER_STATUS_NOT_INITIALIZED);
}

template <typename Handle>
cusolverStatus_t set_stream(Handle* handle, cudaStream_t stream,
                            const char* call = __builtin_FUNCTION()) {
  if (const Check check(call, handle); check.failed()) return check.status();
  handle->stream = stream;
  return CUSOLVER_STATUS_SUCCESS;
}

template <typename Handle>
cusolverStatus_t get_stream(const Handle* handle, cudaStream_t* stream,
                            const char* call = __builtin_FUNCTION()) {
  const Check check = Check(call, handle).given(stream, "streamId");
  if (check.failed()) return check.status();
  *stream = handle->stream;
  return CUSOLVER_STATUS_SUCCESS;
}

}  // namespace
}  // namespace gridspan::libraries::solver

using namespace gridspan::libraries;  // NOLINT(google-build-using-namespace): the C functions

extern "C" {

cusolverStatus_t cusolverGetVersion(int* version) {
  if (const auto check = solver::Check(__func__).given(version, "version"); check.failed())
    return check.status();
  *version = CUSOLVER_VERSION;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int* value) {
  return give_version_part(type, CUSOLVER_VER_MAJOR, CUSOLVER_VER_MINOR, CUSOLVER_VER_PATCH, value)
             ? CUSOLVER_STATUS_SUCCESS
             : solver::Check(__func__).given(value, "value").known(false, type, "type").status();
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
  const bool is_mode =
      mode == CUSOLVER_DETERMINISTIC_RESULTS || mode == CUSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS;
  const auto check = solver::Check(__func__, handle).known(is_mode, mode, "mode");
  if (check.failed()) return check.status();
  handle->deterministic = mode;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnGetDeterministicMode(cusolverDnHandle_t handle,
                                                cusolverDeterministicMode_t* mode) {
  const auto check = solver::Check(__func__, handle).given(mode, "mode");
  if (check.failed()) return check.status();
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
