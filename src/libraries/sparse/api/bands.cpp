// cuSPARSE: systems of three and of five diagonals (gtsv2, gpsv). Diagonals are never written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/kernels/bands.h"
#include "libraries/sparse/api/arguments.h"

namespace gridspan::libraries::sparse {
namespace {

cusparseStatus_t check_bands(cusparseHandle_t handle, int size, int systems, bool is_right) {
  if (!is_live(handle)) return CUSPARSE_STATUS_NOT_INITIALIZED;
  return size >= 0 && systems >= 0 && is_right ? CUSPARSE_STATUS_SUCCESS
                                               : CUSPARSE_STATUS_INVALID_VALUE;
}

template <typename T>
cusparseStatus_t solve_bands(cusparseHandle_t handle, const Bands<T>& a, int size, T* x,
                             std::int64_t down, std::int64_t right, int systems) {
  if (size == 0 || systems == 0) return CUSPARSE_STATUS_SUCCESS;
  if (!a.diagonals[1] || !a.diagonals[2] || !a.diagonals[3] || !x)
    return CUSPARSE_STATUS_INVALID_VALUE;
  Workspace work(handle->stream);
  T* const factors =
      static_cast<T*>(work.bytes(std::int64_t{5} * size * systems * static_cast<int>(sizeof(T))));
  if (!factors) return CUSPARSE_STATUS_ALLOC_FAILED;
  return status_of(launch_bands<T>(a, size, x, down, right, systems, factors, handle->stream));
}

/// One matrix, many right sides.
template <typename T>
cusparseStatus_t solve_columns(cusparseHandle_t handle, int m, int n, const T* lower,
                               const T* diagonal, const T* upper, T* b, int leading) {
  const cusparseStatus_t status = check_bands(handle, m, n, leading >= (m > 1 ? m : 1));
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  return solve_bands<T>(handle, {{nullptr, lower, diagonal, upper, nullptr}, 1, 0}, m, b, 1,
                        leading, n);
}

/// A system beside the other, `stride` apart.
template <typename T>
cusparseStatus_t solve_strided(cusparseHandle_t handle, int m, const T* lower, const T* diagonal,
                               const T* upper, T* x, int count, int stride) {
  const cusparseStatus_t status = check_bands(handle, m, count, stride >= m);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  return solve_bands<T>(handle, {{nullptr, lower, diagonal, upper, nullptr}, 1, stride}, m, x, 1,
                        stride, count);
}

/// Elements of all systems side by side. Every algorithm is the same one.
template <typename T>
cusparseStatus_t solve_interleaved(cusparseHandle_t handle, int algorithm, int most, int m,
                                   const Bands<T>& a, T* x, int count) {
  const cusparseStatus_t status =
      check_bands(handle, m, count, algorithm >= 0 && algorithm <= most);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  return solve_bands<T>(handle, a, m, x, count, 1, count);
}

}  // namespace
}  // namespace gridspan::libraries::sparse

namespace sparse = gridspan::libraries::sparse;

#define GRIDSPAN_COLUMNS(letter, T, name)                                                          \
  cusparseStatus_t cusparse##letter##name##_bufferSizeExt(cusparseHandle_t handle, int m, int n,   \
                                                          const T*, const T*, const T*, const T*,  \
                                                          int leading, size_t* size) {             \
    return sparse::give_size(sparse::check_bands(handle, m, n, leading >= (m > 1 ? m : 1)), size); \
  }                                                                                                \
  cusparseStatus_t cusparse##letter##name(cusparseHandle_t handle, int m, int n, const T* lower,   \
                                          const T* diagonal, const T* upper, T* b, int leading,    \
                                          void*) {                                                 \
    return sparse::solve_columns<T>(handle, m, n, lower, diagonal, upper, b, leading);             \
  }

#define GRIDSPAN_BANDS(letter, T)                                                                  \
  GRIDSPAN_COLUMNS(letter, T, gtsv2)                                                               \
  GRIDSPAN_COLUMNS(letter, T, gtsv2_nopivot)                                                       \
  cusparseStatus_t cusparse##letter##gtsv2StridedBatch_bufferSizeExt(                              \
      cusparseHandle_t handle, int m, const T*, const T*, const T*, const T*, int count,           \
      int stride, size_t* size) {                                                                  \
    return sparse::give_size(sparse::check_bands(handle, m, count, stride >= m), size);            \
  }                                                                                                \
  cusparseStatus_t cusparse##letter##gtsv2StridedBatch(                                            \
      cusparseHandle_t handle, int m, const T* lower, const T* diagonal, const T* upper, T* x,     \
      int count, int stride, void*) {                                                              \
    return sparse::solve_strided<T>(handle, m, lower, diagonal, upper, x, count, stride);          \
  }                                                                                                \
  cusparseStatus_t cusparse##letter##gtsvInterleavedBatch_bufferSizeExt(                           \
      cusparseHandle_t handle, int algorithm, int m, const T*, const T*, const T*, const T*,       \
      int count, size_t* size) {                                                                   \
    return sparse::give_size(                                                                      \
        sparse::check_bands(handle, m, count, algorithm >= 0 && algorithm <= 2), size);            \
  }                                                                                                \
  cusparseStatus_t cusparse##letter##gtsvInterleavedBatch(cusparseHandle_t handle, int algorithm,  \
                                                          int m, T* lower, T* diagonal, T* upper,  \
                                                          T* x, int count, void*) {                \
    return sparse::solve_interleaved<T>(handle, algorithm, 2, m,                                   \
                                        {{nullptr, lower, diagonal, upper, nullptr}, count, 1}, x, \
                                        count);                                                    \
  }                                                                                                \
  cusparseStatus_t cusparse##letter##gpsvInterleavedBatch_bufferSizeExt(                           \
      cusparseHandle_t handle, int algorithm, int m, const T*, const T*, const T*, const T*,       \
      const T*, const T*, int count, size_t* size) {                                               \
    return sparse::give_size(sparse::check_bands(handle, m, count, algorithm == 0), size);         \
  }                                                                                                \
  cusparseStatus_t cusparse##letter##gpsvInterleavedBatch(                                         \
      cusparseHandle_t handle, int algorithm, int m, T* lowest, T* lower, T* diagonal, T* upper,   \
      T* uppermost, T* x, int count, void*) {                                                      \
    if (!lowest || !uppermost)                                                                     \
      return m == 0 || count == 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_INVALID_VALUE;       \
    return sparse::solve_interleaved<T>(handle, algorithm, 0, m,                                   \
                                        {{lowest, lower, diagonal, upper, uppermost}, count, 1},   \
                                        x, count);                                                 \
  }

extern "C" {

GRIDSPAN_BANDS(S, float)
GRIDSPAN_BANDS(D, double)
GRIDSPAN_BANDS(C, cuComplex)
GRIDSPAN_BANDS(Z, cuDoubleComplex)

}  // extern "C"
