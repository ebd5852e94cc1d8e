// cuBLAS: copies of vectors and matrices between host and device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/api/checks.h"

#include <cublas_api.h>

#include <cstddef>
#include <cstdint>

namespace gridspan::libraries::blas {
namespace {

/// One after another in the default stream, or asynchronous in a stream.
struct Order {
  bool is_asynchronous = false;
  cudaStream_t stream = nullptr;
};

/// `lines` lines of `bytes`, whose beginnings are so many bytes apart.
cublasStatus_t copy_lines(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                          std::size_t bytes, std::size_t lines, cudaMemcpyKind kind, Order order) {
  if (bytes == 0 || lines == 0) return CUBLAS_STATUS_SUCCESS;
  const cudaError_t error =
      order.is_asynchronous
          ? cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, bytes, lines, kind, order.stream)
          : cudaMemcpy2D(to, to_pitch, from, from_pitch, bytes, lines, kind);
  if (error == cudaErrorInvalidValue || error == cudaErrorInvalidPitchValue)
    return CUBLAS_STATUS_INVALID_VALUE;
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

cublasStatus_t copy_vector(std::int64_t count, std::int64_t size, const void* from,
                           std::int64_t from_step, void* to, std::int64_t to_step,
                           cudaMemcpyKind kind, Order order,
                           const char* call = __builtin_FUNCTION()) {
  Check check(call);
  check.at_least(size, 1, "elemSize").at_least(from_step, 1, "incx").at_least(to_step, 1, "incy");
  if (check.failed()) return check.status();
  if (count <= 0) return CUBLAS_STATUS_SUCCESS;
  const auto bytes = static_cast<std::size_t>(size), n = static_cast<std::size_t>(count);
  if (from_step == 1 && to_step == 1)
    return copy_lines(to, n * bytes, from, n * bytes, n * bytes, 1, kind, order);
  return copy_lines(to, static_cast<std::size_t>(to_step) * bytes, from,
                    static_cast<std::size_t>(from_step) * bytes, bytes, n, kind, order);
}

cublasStatus_t copy_matrix(std::int64_t rows, std::int64_t columns, std::int64_t size,
                           const void* from, std::int64_t from_lead, void* to, std::int64_t to_lead,
                           cudaMemcpyKind kind, Order order,
                           const char* call = __builtin_FUNCTION()) {
  Check check(call);
  check.size(rows, "rows").size(columns, "cols").at_least(size, 1, "elemSize");
  check.lead(from_lead, rows, "lda").lead(to_lead, rows, "ldb");
  if (check.failed()) return check.status();
  const auto bytes = static_cast<std::size_t>(size);
  return copy_lines(to, static_cast<std::size_t>(to_lead) * bytes, from,
                    static_cast<std::size_t>(from_lead) * bytes,
                    static_cast<std::size_t>(rows) * bytes, static_cast<std::size_t>(columns), kind,
                    order);
}

}  // namespace
}  // namespace gridspan::libraries::blas

namespace blas = gridspan::libraries::blas;

// Set goes to the device, Get comes from it; each has a form for each width of sizes.
#define GRIDSPAN_COPIES(verb, kind, w, I)                                                       \
  cublasStatus_t cublas##verb##Vector##w(I n, I elemSize, const void* x, I incx, void* y,       \
                                         I incy) {                                              \
    return blas::copy_vector(n, elemSize, x, incx, y, incy, kind, {});                          \
  }                                                                                             \
  cublasStatus_t cublas##verb##VectorAsync##w(I n, I elemSize, const void* x, I incx, void* y,  \
                                              I incy, cudaStream_t stream) {                    \
    return blas::copy_vector(n, elemSize, x, incx, y, incy, kind, {true, stream});              \
  }                                                                                             \
  cublasStatus_t cublas##verb##Matrix##w(I rows, I cols, I elemSize, const void* A, I lda,      \
                                         void* B, I ldb) {                                      \
    return blas::copy_matrix(rows, cols, elemSize, A, lda, B, ldb, kind, {});                   \
  }                                                                                             \
  cublasStatus_t cublas##verb##MatrixAsync##w(I rows, I cols, I elemSize, const void* A, I lda, \
                                              void* B, I ldb, cudaStream_t stream) {            \
    return blas::copy_matrix(rows, cols, elemSize, A, lda, B, ldb, kind, {true, stream});       \
  }

extern "C" {
GRIDSPAN_COPIES(Set, cudaMemcpyHostToDevice, , int)
GRIDSPAN_COPIES(Set, cudaMemcpyHostToDevice, _64, int64_t)
GRIDSPAN_COPIES(Get, cudaMemcpyDeviceToHost, , int)
GRIDSPAN_COPIES(Get, cudaMemcpyDeviceToHost, _64, int64_t)
}  // extern "C"
