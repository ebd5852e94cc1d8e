// cuBLAS: handles and their modes, versions, logging.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/api/checks.h"
#include "libraries/support/versions.h"

#include <atomic>
#include <cstdint>
#include <cstdio>

namespace gridspan::libraries::blas {
namespace {

/// Where the program wants its log: asked for, kept, and handed back. Nothing is written there yet.
std::atomic<cublasLogCallback> log_callback{nullptr};

/// Sets a field of a live handle.
template <typename Value>
cublasStatus_t set(Handle handle, const char* argument, Value cublasContext::* field, Value value,
                   bool allowed) {
  const Check check = Check(handle).known(allowed, static_cast<std::int64_t>(value), argument);
  if (check.failed()) return check.status();
  handle->*field = value;
  return CUBLAS_STATUS_SUCCESS;
}

template <typename Value>
cublasStatus_t get(Handle handle, const char* argument, Value cublasContext::* field,
                   Value* value) {
  const Check check = Check(handle).given(value, argument);
  if (check.failed()) return check.status();
  *value = handle->*field;
  return CUBLAS_STATUS_SUCCESS;
}

bool is_math_mode(cublasMath_t mode) {
  const unsigned kind = static_cast<unsigned>(mode) &
                        ~static_cast<unsigned>(CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);
  return kind <= CUBLAS_FP32_EMULATED_BF16X9_MATH || kind == CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH;
}

/// Documented: 256 bytes, or the workspace is refused.
bool is_aligned(const void* workspace) {
  return reinterpret_cast<std::uintptr_t>(workspace) % 256 == 0;
}

}  // namespace
}  // namespace gridspan::libraries::blas

using namespace gridspan::libraries;  // NOLINT(google-build-using-namespace): the C functions

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  if (const auto check = blas::Check(__func__).given(handle, "handle"); check.failed())
    return check.status();
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
  return create_live(handle) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  if (const blas::Check check(__func__, handle); check.failed()) return check.status();
  // Documented: waits for the work of the handle.
  cudaStreamSynchronize(handle->stream);
  return live<cublasContext>().destroy(handle) ? CUBLAS_STATUS_SUCCESS
                                               : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int* version) {
  if (const auto check = blas::Check(__func__).given(version, "version"); check.failed())
    return check.status();
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
  return give_version_part(type, CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH, value)
             ? CUBLAS_STATUS_SUCCESS
             : blas::Check(__func__).given(value, "value").known(false, type, "type").status();
}

size_t cublasGetCudartVersion() { return CUDART_VERSION; }

cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void* workspace, size_t bytes) {
  if (const blas::Check check(__func__, handle); check.failed()) return check.status();
  if (!blas::is_aligned(workspace))
    return blas::Check(__func__)
        .that(false, "workspace", CUBLAS_STATUS_INVALID_VALUE, "is not aligned to 256 bytes")
        .status();
  handle->workspace = workspace;
  handle->workspace_bytes = workspace ? bytes : 0;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  if (const blas::Check check(__func__, handle); check.failed()) return check.status();
  handle->stream = stream;
  // Documented: the library's own workspace is in use again.
  handle->workspace = nullptr;
  handle->workspace_bytes = 0;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream) {
  return blas::get(handle, "streamId", &cublasContext::stream, stream);
}

cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode) {
  return blas::get(handle, "mode", &cublasContext::pointer_mode, mode);
}

cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
  return blas::set(handle, "mode", &cublasContext::pointer_mode, mode,
                   mode == CUBLAS_POINTER_MODE_HOST || mode == CUBLAS_POINTER_MODE_DEVICE);
}

cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode) {
  return blas::get(handle, "mode", &cublasContext::atomics_mode, mode);
}

cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode) {
  return blas::set(handle, "mode", &cublasContext::atomics_mode, mode,
                   mode == CUBLAS_ATOMICS_NOT_ALLOWED || mode == CUBLAS_ATOMICS_ALLOWED);
}

cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  return blas::get(handle, "mode", &cublasContext::math_mode, mode);
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  return blas::set(handle, "mode", &cublasContext::math_mode, mode, blas::is_math_mode(mode));
}

cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int* target) {
  return blas::get(handle, "smCountTarget", &cublasContext::sm_count_target, target);
}

cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int target) {
  return blas::set(handle, "smCountTarget", &cublasContext::sm_count_target, target, target >= 0);
}

cublasStatus_t cublasGetEmulationStrategy(cublasHandle_t handle,
                                          cublasEmulationStrategy_t* strategy) {
  return blas::get(handle, "emulationStrategy", &cublasContext::emulation_strategy, strategy);
}

cublasStatus_t cublasSetEmulationStrategy(cublasHandle_t handle,
                                          cublasEmulationStrategy_t strategy) {
  return blas::set(
      handle, "emulationStrategy", &cublasContext::emulation_strategy, strategy,
      strategy >= CUBLAS_EMULATION_STRATEGY_DEFAULT && strategy <= CUBLAS_EMULATION_STRATEGY_EAGER);
}

cublasStatus_t cublasGetEmulationSpecialValuesSupport(cublasHandle_t handle,
                                                      cudaEmulationSpecialValuesSupport* mask) {
  return blas::get(handle, "mask", &cublasContext::special_values, mask);
}

cublasStatus_t cublasSetEmulationSpecialValuesSupport(cublasHandle_t handle,
                                                      cudaEmulationSpecialValuesSupport mask) {
  return blas::set(handle, "mask", &cublasContext::special_values, mask, true);
}

cublasStatus_t cublasGetFixedPointEmulationMantissaControl(cublasHandle_t handle,
                                                           cudaEmulationMantissaControl* control) {
  return blas::get(handle, "mantissaControl", &cublasContext::mantissa_control, control);
}

cublasStatus_t cublasSetFixedPointEmulationMantissaControl(cublasHandle_t handle,
                                                           cudaEmulationMantissaControl control) {
  return blas::set(handle, "mantissaControl", &cublasContext::mantissa_control, control,
                   control == CUDA_EMULATION_MANTISSA_CONTROL_DYNAMIC ||
                       control == CUDA_EMULATION_MANTISSA_CONTROL_FIXED);
}

cublasStatus_t cublasGetFixedPointEmulationMaxMantissaBitCount(cublasHandle_t handle, int* bits) {
  return blas::get(handle, "maxMantissaBitCount", &cublasContext::most_mantissa_bits, bits);
}

cublasStatus_t cublasSetFixedPointEmulationMaxMantissaBitCount(cublasHandle_t handle, int bits) {
  return blas::set(handle, "maxMantissaBitCount", &cublasContext::most_mantissa_bits, bits,
                   bits >= 0);
}

cublasStatus_t cublasGetFixedPointEmulationMantissaBitOffset(cublasHandle_t handle, int* offset) {
  return blas::get(handle, "mantissaBitOffset", &cublasContext::mantissa_bit_offset, offset);
}

cublasStatus_t cublasSetFixedPointEmulationMantissaBitOffset(cublasHandle_t handle, int offset) {
  return blas::set(handle, "mantissaBitOffset", &cublasContext::mantissa_bit_offset, offset, true);
}

cublasStatus_t cublasGetFixedPointEmulationMantissaBitCountPointer(cublasHandle_t handle,
                                                                   int** bits) {
  return blas::get(handle, "mantissaBitCount", &cublasContext::mantissa_bits, bits);
}

cublasStatus_t cublasSetFixedPointEmulationMantissaBitCountPointer(cublasHandle_t handle,
                                                                   int* bits) {
  if (const blas::Check check(__func__, handle); check.failed()) return check.status();
  handle->mantissa_bits = bits;
  const bool is_set =
      !bits || cudaMemsetAsync(bits, 0xff, sizeof *bits, handle->stream) == cudaSuccess;
  return is_set ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

cublasStatus_t cublasLoggerConfigure(int, int, int, const char*) { return CUBLAS_STATUS_SUCCESS; }

cublasStatus_t cublasSetLoggerCallback(cublasLogCallback callback) {
  blas::log_callback = callback;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetLoggerCallback(cublasLogCallback* callback) {
  if (const auto check = blas::Check(__func__).given(callback, "callback"); check.failed())
    return check.status();
  *callback = blas::log_callback;
  return CUBLAS_STATUS_SUCCESS;
}

void cublasXerbla(const char* routine, int info) {
  std::fprintf(stderr, " ** On entry to %s parameter number %d had an illegal value\n", routine,
               info);
}

}  // extern "C"
