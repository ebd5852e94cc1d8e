// cuSPARSE: systems of three and of five diagonals (gtsv2, gpsv). Diagonals are never written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/kernels/bands.h"
#include "libraries/sparse/api/arguments.h"

namespace gridspan::libraries::sparse {
namespace {

Check check_columns(Handle handle, int m, int n, int leading) {
  return Check(handle).size(m, "m").size(n, "n").lead(leading, m, "ldb");
}
Check check_strided(Handle handle, int m, int count, int stride) {
  return Check(handle).size(m, "m").size(count, "batchCount").at_least(stride, m, "batchStride");
}
/// The algorithms are 0 to `most`.
Check check_interleaved(Handle handle, int algorithm, int most, int m, int count) {
  return Check(handle)
      .known(algorithm >= 0 && algorithm <= most, algorithm, "algo")
      .size(m, "m")
      .size(count, "batchCount");
}

template <typename T>
cusparseStatus_t solve_bands(Check check, Handle handle, const Bands<T>& a, int size, T* x,
                             std::int64_t down, std::int64_t right, int systems) {
  if (check.failed()) return check.status();
  if (size == 0 || systems == 0) return CUSPARSE_STATUS_SUCCESS;
  check.given(a.diagonals[1], "dl").given(a.diagonals[2], "d").given(a.diagonals[3], "du");
  if (check.given(x, "x").failed()) return check.status();
  Workspace work(handle->stream);
  T* const factors =
      static_cast<T*>(work.bytes(std::int64_t{5} * size * systems * static_cast<int>(sizeof(T))));
  if (!factors) return CUSPARSE_STATUS_ALLOC_FAILED;
  return status_of(launch_bands<T>(a, size, x, down, right, systems, factors, handle->stream));
}

/// One matrix, many right sides.
template <typename T>
cusparseStatus_t solve_columns(Handle handle, int m, int n, const T* lower, const T* diagonal,
                               const T* upper, T* b, int leading) {
  return solve_bands<T>(check_columns(handle, m, n, leading), handle,
                        {{nullptr, lower, diagonal, upper, nullptr}, 1, 0}, m, b, 1, leading, n);
}

/// A system beside the other, `stride` apart.
template <typename T>
cusparseStatus_t solve_strided(Handle handle, int m, const T* lower, const T* diagonal,
                               const T* upper, T* x, int count, int stride) {
  return solve_bands<T>(check_strided(handle, m, count, stride), handle,
                        {{nullptr, lower, diagonal, upper, nullptr}, 1, stride}, m, x, 1, stride,
                        count);
}

/// Elements of all systems side by side. Every algorithm is the same one.
template <typename T>
cusparseStatus_t solve_interleaved(Handle handle, int algorithm, int most, int m, const Bands<T>& a,
                                   T* x, int count) {
  return solve_bands<T>(check_interleaved(handle, algorithm, most, m, count), handle, a, m, x,
                        count, 1, count);
}

}  // namespace
}  // namespace gridspan::libraries::sparse

namespace sparse = gridspan::libraries::sparse;

#define GRIDSPAN_COLUMNS(letter, T, name)                                                         \
  cusparseStatus_t cusparse##letter##name##_bufferSizeExt(cusparseHandle_t handle, int m, int n,  \
                                                          const T*, const T*, const T*, const T*, \
                                                          int leading, size_t* size) {            \
    return sparse::give_size(sparse::check_columns(handle, m, n, leading), size);                 \
  }                                                                                               \
  cusparseStatus_t cusparse##letter##name(cusparseHandle_t handle, int m, int n, const T* lower,  \
                                          const T* diagonal, const T* upper, T* b, int leading,   \
                                          void*) {                                                \
    return sparse::solve_columns<T>(handle, m, n, lower, diagonal, upper, b, leading);            \
  }

#define GRIDSPAN_BANDS(letter, T)                                                                  \
  GRIDSPAN_COLUMNS(letter, T, gtsv2)                                                               \
  GRIDSPAN_COLUMNS(letter, T, gtsv2_nopivot)                                                       \
  cusparseStatus_t cusparse##letter##gtsv2StridedBatch_bufferSizeExt(                              \
      cusparseHandle_t handle, int m, const T*, const T*, const T*, const T*, int count,           \
      int stride, size_t* size) {                                                                  \
    return sparse::give_size(sparse::check_strided(handle, m, count, stride), size);               \
  }                                                                                                \
  cusparseStatus_t cusparse##letter##gtsv2StridedBatch(                                            \
      cusparseHandle_t handle, int m, const T* lower, const T* diagonal, const T* upper, T* x,     \
      int count, int stride, void*) {                                                              \
    return sparse::solve_strided<T>(handle, m, lower, diagonal, upper, x, count, stride);          \
  }                                                                                                \
  cusparseStatus_t cusparse##letter##gtsvInterleavedBatch_bufferSizeExt(                           \
      cusparseHandle_t handle, int algorithm, int m, const T*, const T*, const T*, const T*,       \
      int count, size_t* size) {                                                                   \
    return sparse::give_size(sparse::check_interleaved(handle, algorithm, 2, m, count), size);     \
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
    return sparse::give_size(sparse::check_interleaved(handle, algorithm, 0, m, count), size);     \
  }                                                                                                \
  cusparseStatus_t cusparse##letter##gpsvInterleavedBatch(                                         \
      cusparseHandle_t handle, int algorithm, int m, T* lowest, T* lower, T* diagonal, T* upper,   \
      T* uppermost, T* x, int count, void*) {                                                      \
    if (!lowest || !uppermost)                                                                     \
      return m == 0 || count == 0                                                                  \
                 ? CUSPARSE_STATUS_SUCCESS                                                         \
                 : sparse::Check(__func__).given(lowest, "ds").given(uppermost, "dw").status();    \
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
