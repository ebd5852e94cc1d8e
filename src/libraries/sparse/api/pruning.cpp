// cuSPARSE: matrices without their small elements (csr2csr_compress, pruneDense2csr, pruneCsr2csr).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A percentage becomes a threshold on the host, which waits.
#include "libraries/sparse/api/arguments.h"
#include "libraries/sparse/kernels/prune.h"

#include <algorithm>
#include <cmath>
#include <vector>

struct pruneInfo {
  double threshold = 0;  // that the last percentage has become
};

namespace gridspan::libraries::sparse {
namespace {

template <typename T>
PruneSource<T> dense_source(int m, int n, const T* values, int lead) {
  return {m, n, lead, values, nullptr, nullptr, 0};
}
template <typename T>
PruneSource<T> rows_source(int m, int n, cusparseMatDescr_t descriptor, const T* values,
                           const int* offsets, const int* indices) {
  return {m, n, 0, values, offsets, indices, descriptor ? base_of(descriptor) : 0};
}

Check check_dense_source(Handle handle, int m, int n, const void* values, int lead) {
  return Check(handle)
      .size(m, "m")
      .size(n, "n")
      .lead(lead, m, "lda")
      .that(values || m <= 0 || n <= 0, "A");
}
Check check_rows_source(Handle handle, int m, int n, int count, cusparseMatDescr_t descriptor,
                        const void* values, const int* offsets, const int* indices) {
  Check check(handle);
  check.size(m, "m").size(n, "n").size(count, "nnzA").given(descriptor, "descrA");
  check.general(descriptor, "descrA").that(values || count <= 0, "csrValA");
  return check.given(offsets, "csrRowPtrA").that(indices || count <= 0, "csrColIndA");
}
Check& check_result(Check& check, cusparseMatDescr_t descriptor, const int* offsets) {
  check.given(descriptor, "descrC").general(descriptor, "descrC");
  return check.given(offsets, "csrRowPtrC");
}

/// Counts of rows become offsets from `base`. The total is where the handle's pointers are.
cusparseStatus_t make_offsets(Handle handle, int rows, int base, int* offsets, int* total) {
  const cudaStream_t stream = handle->stream;
  Workspace work(stream);
  auto* const sums = static_cast<std::int64_t*>(work.bytes(8 * (std::int64_t{rows} / 1024 + 2)));
  if (!sums) return CUSPARSE_STATUS_ALLOC_FAILED;
  const std::int64_t count = std::int64_t{rows} + 1;
  cudaError_t error = launch_sums(offsets, false, count, sums, stream);
  if (error == cudaSuccess && total)
    error = cudaMemcpyAsync(total, offsets + rows, sizeof *total, cudaMemcpyDefault, stream);
  if (error == cudaSuccess) error = launch_base(offsets, false, count, base, stream);
  if (error == cudaSuccess && total && handle->pointer_mode == CUSPARSE_POINTER_MODE_HOST)
    error = cudaStreamSynchronize(stream);
  return status_of(error);
}

template <typename T>
Scalar<T> threshold_of(Handle handle, const T* threshold) {
  if (handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE) return {T{}, threshold};
  return {*threshold, nullptr};
}

template <typename T>
cusparseStatus_t count_pruned(Handle handle, const PruneSource<T>& a, Scalar<T> threshold,
                              cusparseMatDescr_t descriptor, int* offsets, int* total) {
  const cudaError_t error = launch_count_kept<T>(a, threshold, offsets, handle->stream);
  if (error != cudaSuccess) return status_of(error);
  return make_offsets(handle, static_cast<int>(a.rows), base_of(descriptor), offsets, total);
}

template <typename T>
cusparseStatus_t count_pruned(Check check, Handle handle, const PruneSource<T>& a,
                              const T* threshold, cusparseMatDescr_t descriptor, int* offsets,
                              int* total) {
  check_result(check, descriptor, offsets).given(total, "nnzTotalDevHostPtr");
  if (check.given(threshold, "threshold").failed()) return check.status();
  return count_pruned(handle, a, threshold_of(handle, threshold), descriptor, offsets, total);
}

template <typename T>
cusparseStatus_t prune(Check check, Handle handle, const PruneSource<T>& a, const T* threshold,
                       cusparseMatDescr_t descriptor, T* values, const int* offsets, int* indices) {
  check_result(check, descriptor, offsets).given(threshold, "threshold");
  if (check.failed()) return check.status();
  return status_of(launch_keep<T>(a, threshold_of(handle, threshold), offsets, base_of(descriptor),
                                  indices, values, handle->stream));
}

/// Elements in host memory.
template <typename T>
cudaError_t take_elements(const PruneSource<T>& a, std::int64_t count, cudaStream_t stream,
                          std::vector<T>& elements) {
  elements.resize(static_cast<std::size_t>(count));
  if (count == 0) return cudaSuccess;
  const auto line = static_cast<std::size_t>(a.offsets ? count : a.rows) * sizeof(T);
  const auto lines = static_cast<std::size_t>(a.offsets ? 1 : a.columns);
  const auto step = a.offsets ? line : static_cast<std::size_t>(a.lead) * sizeof(T);
  const cudaError_t error = cudaMemcpy2DAsync(elements.data(), line, a.values, step, line, lines,
                                              cudaMemcpyDeviceToHost, stream);
  return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
}

double as_double(__half x) { return __half2float(x); }
double as_double(float x) { return x; }
double as_double(double x) { return x; }

/// Documented: of absolute values in order, the one that so many percent come up to.
template <typename T>
cusparseStatus_t find_threshold(Handle handle, const PruneSource<T>& a, std::int64_t count,
                                float percentage, pruneInfo* info) {
  try {
    std::vector<T> elements;
    const cudaError_t error = take_elements(a, count, handle->stream, elements);
    if (error != cudaSuccess) return status_of(error);
    info->threshold = 0;
    if (count == 0) return CUSPARSE_STATUS_SUCCESS;
    std::vector<double> sizes;
    for (const T& x : elements) sizes.push_back(std::abs(as_double(x)));
    const double part = std::ceil(static_cast<double>(count) * (percentage / 100.0)) - 1;
    const auto last = static_cast<double>(count - 1);
    const auto place = sizes.begin() + static_cast<std::ptrdiff_t>(std::clamp(part, 0.0, last));
    std::nth_element(sizes.begin(), place, sizes.end());
    info->threshold = *place;
    return CUSPARSE_STATUS_SUCCESS;
  } catch (const std::bad_alloc&) {
    return CUSPARSE_STATUS_ALLOC_FAILED;
  }
}

Check& check_percentage(Check& check, float percentage, const pruneInfo* info) {
  return check.that(percentage >= 0 && percentage <= 100, "percentage").live(info, "info");
}

template <typename T>
Scalar<T> found_threshold(const pruneInfo* info) {
  return {static_cast<T>(static_cast<float>(info->threshold)), nullptr};
}
template <>
Scalar<double> found_threshold(const pruneInfo* info) {
  return {info->threshold, nullptr};
}

/// `count`: of a matrix in rows.
template <typename T>
cusparseStatus_t count_by_percentage(Check check, Handle handle, const PruneSource<T>& a,
                                     std::int64_t count, float percentage,
                                     cusparseMatDescr_t descriptor, int* offsets, int* total,
                                     pruneInfo* info) {
  check_percentage(check, percentage, info);
  check_result(check, descriptor, offsets).given(total, "nnzTotalDevHostPtr");
  if (check.failed()) return check.status();
  const cusparseStatus_t status = find_threshold(handle, a, count, percentage, info);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  return count_pruned(handle, a, found_threshold<T>(info), descriptor, offsets, total);
}

template <typename T>
cusparseStatus_t prune_by_percentage(Check check, Handle handle, const PruneSource<T>& a,
                                     float percentage, cusparseMatDescr_t descriptor, T* values,
                                     const int* offsets, int* indices, pruneInfo* info) {
  check_percentage(check, percentage, info);
  if (check_result(check, descriptor, offsets).failed()) return check.status();
  return status_of(launch_keep<T>(a, found_threshold<T>(info), offsets, base_of(descriptor),
                                  indices, values, handle->stream));
}

template <typename T>
double real_of(T x) {
  return static_cast<double>(x);
}
double real_of(cuComplex x) { return x.x; }
double real_of(cuDoubleComplex x) { return x.x; }

/// How many each row keeps, and all of them.
template <typename T>
cusparseStatus_t count_compressed(Handle handle, int m, cusparseMatDescr_t descriptor,
                                  const T* values, const int* offsets, int* counts, int* total,
                                  T tolerance) {
  Check check(handle);
  check.size(m, "m").given(descriptor, "descr").general(descriptor, "descr");
  check.given(offsets, "csrRowPtrA").given(counts, "nnzPerRow").given(total, "nnzC");
  check.that(real_of(tolerance) >= 0, "tol");
  if (check.failed()) return check.status();
  const cudaStream_t stream = handle->stream;
  Workspace work(stream);
  auto* const sums = static_cast<int*>(work.bytes(4 * (std::int64_t{m} + 1)));
  if (!sums) return CUSPARSE_STATUS_ALLOC_FAILED;
  // Columns are not asked for: any place of ints does.
  const PruneSource<T> a = rows_source(m, 0, descriptor, values, offsets, offsets);
  cudaError_t error = launch_count_kept<T>(a, {tolerance, nullptr}, sums, stream);
  if (error == cudaSuccess && m > 0)
    error = cudaMemcpyAsync(counts, sums + 1, static_cast<std::size_t>(m) * sizeof(int),
                            cudaMemcpyDeviceToDevice, stream);
  return error == cudaSuccess ? make_offsets(handle, m, 0, sums, total) : status_of(error);
}

template <typename T>
cusparseStatus_t compress(Handle handle, int m, int n, cusparseMatDescr_t descriptor,
                          const T* values, const int* indices, const int* offsets, int count,
                          const int* counts, T* to, int* to_indices, int* to_offsets, T tolerance) {
  Check check = check_rows_source(handle, m, n, count, descriptor, values, offsets, indices);
  check.that(counts || m <= 0, "nnzPerRow").given(to_offsets, "csrRowPtrC");
  check.that(real_of(tolerance) >= 0, "tol");
  if (check.failed()) return check.status();
  const cudaStream_t stream = handle->stream;
  const int base = base_of(descriptor);
  cudaError_t error = cudaMemsetAsync(to_offsets, 0, sizeof(int), stream);
  if (error == cudaSuccess && m > 0)
    error = cudaMemcpyAsync(to_offsets + 1, counts, static_cast<std::size_t>(m) * sizeof(int),
                            cudaMemcpyDeviceToDevice, stream);
  if (error != cudaSuccess) return status_of(error);
  const cusparseStatus_t status = make_offsets(handle, m, base, to_offsets, nullptr);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  return status_of(launch_keep<T>(rows_source(m, n, descriptor, values, offsets, indices),
                                  {tolerance, nullptr}, to_offsets, base, to_indices, to, stream));
}

}  // namespace
}  // namespace gridspan::libraries::sparse

namespace sparse = gridspan::libraries::sparse;

#define GRIDSPAN_COMPRESS(letter, T)                                                              \
  cusparseStatus_t cusparse##letter##nnz_compress(                                                \
      cusparseHandle_t handle, int m, cusparseMatDescr_t descriptor, const T* values,             \
      const int* offsets, int* counts, int* total, T tolerance) {                                 \
    return sparse::count_compressed<T>(handle, m, descriptor, values, offsets, counts, total,     \
                                       tolerance);                                                \
  }                                                                                               \
  cusparseStatus_t cusparse##letter##csr2csr_compress(                                            \
      cusparseHandle_t handle, int m, int n, cusparseMatDescr_t descriptor, const T* values,      \
      const int* indices, const int* offsets, int count, const int* counts, T* to,                \
      int* to_indices, int* to_offsets, T tolerance) {                                            \
    return sparse::compress<T>(handle, m, n, descriptor, values, indices, offsets, count, counts, \
                               to, to_indices, to_offsets, tolerance);                            \
  }

// A source's parameters, its arguments, its checks, what kernels take, and how many elements it
// has.
#define GRIDSPAN_DENSE_PARAMETERS(T) int m, int n, const T *values, int lead
#define GRIDSPAN_DENSE_CHECK sparse::check_dense_source(handle, m, n, values, lead)
#define GRIDSPAN_DENSE_SOURCE sparse::dense_source(m, n, values, lead)
#define GRIDSPAN_DENSE_COUNT std::int64_t{m} * n
#define GRIDSPAN_ROWS_PARAMETERS(T)                                                  \
  int m, int n, int nnz, cusparseMatDescr_t own, const T *values, const int *starts, \
      const int *columns
#define GRIDSPAN_ROWS_CHECK \
  sparse::check_rows_source(handle, m, n, nnz, own, values, starts, columns)
#define GRIDSPAN_ROWS_SOURCE sparse::rows_source(m, n, own, values, starts, columns)
#define GRIDSPAN_ROWS_COUNT \
  std::int64_t { nnz }

#define GRIDSPAN_PRUNING(letter, T, name, FROM)                                                   \
  cusparseStatus_t cusparse##letter##name##_bufferSizeExt(                                        \
      cusparseHandle_t handle, GRIDSPAN_##FROM##_PARAMETERS(T), const T*, cusparseMatDescr_t,     \
      const T*, const int*, const int*, size_t* size) {                                           \
    return sparse::give_size(GRIDSPAN_##FROM##_CHECK, size);                                      \
  }                                                                                               \
  cusparseStatus_t cusparse##letter##name##Nnz(                                                   \
      cusparseHandle_t handle, GRIDSPAN_##FROM##_PARAMETERS(T), const T* threshold,               \
      cusparseMatDescr_t descriptor, int* offsets, int* total, void*) {                           \
    return sparse::count_pruned<T>(GRIDSPAN_##FROM##_CHECK, handle, GRIDSPAN_##FROM##_SOURCE,     \
                                   threshold, descriptor, offsets, total);                        \
  }                                                                                               \
  cusparseStatus_t cusparse##letter##name(                                                        \
      cusparseHandle_t handle, GRIDSPAN_##FROM##_PARAMETERS(T), const T* threshold,               \
      cusparseMatDescr_t descriptor, T* to, const int* offsets, int* indices, void*) {            \
    return sparse::prune<T>(GRIDSPAN_##FROM##_CHECK, handle, GRIDSPAN_##FROM##_SOURCE, threshold, \
                            descriptor, to, offsets, indices);                                    \
  }                                                                                               \
  cusparseStatus_t cusparse##letter##name##ByPercentage_bufferSizeExt(                            \
      cusparseHandle_t handle, GRIDSPAN_##FROM##_PARAMETERS(T), float, cusparseMatDescr_t,        \
      const T*, const int*, const int*, pruneInfo_t info, size_t* size) {                         \
    return sparse::give_size(GRIDSPAN_##FROM##_CHECK.live(info, "info"), size);                   \
  }                                                                                               \
  cusparseStatus_t cusparse##letter##name##NnzByPercentage(                                       \
      cusparseHandle_t handle, GRIDSPAN_##FROM##_PARAMETERS(T), float percentage,                 \
      cusparseMatDescr_t descriptor, int* offsets, int* total, pruneInfo_t info, void*) {         \
    return sparse::count_by_percentage<T>(GRIDSPAN_##FROM##_CHECK, handle,                        \
                                          GRIDSPAN_##FROM##_SOURCE, GRIDSPAN_##FROM##_COUNT,      \
                                          percentage, descriptor, offsets, total, info);          \
  }                                                                                               \
  cusparseStatus_t cusparse##letter##name##ByPercentage(                                          \
      cusparseHandle_t handle, GRIDSPAN_##FROM##_PARAMETERS(T), float percentage,                 \
      cusparseMatDescr_t descriptor, T* to, const int* offsets, int* indices, pruneInfo_t info,   \
      void*) {                                                                                    \
    return sparse::prune_by_percentage<T>(GRIDSPAN_##FROM##_CHECK, handle,                        \
                                          GRIDSPAN_##FROM##_SOURCE, percentage, descriptor, to,   \
                                          offsets, indices, info);                                \
  }

#define GRIDSPAN_PRUNINGS(letter, T)                 \
  GRIDSPAN_PRUNING(letter, T, pruneDense2csr, DENSE) \
  GRIDSPAN_PRUNING(letter, T, pruneCsr2csr, ROWS)

extern "C" {

cusparseStatus_t cusparseCreatePruneInfo(pruneInfo_t* info) {
  const auto check = sparse::Check(__func__).given(info, "info");
  if (check.failed()) return check.status();
  return gridspan::libraries::create_live(info) ? CUSPARSE_STATUS_SUCCESS
                                                : CUSPARSE_STATUS_ALLOC_FAILED;
}
cusparseStatus_t cusparseDestroyPruneInfo(pruneInfo_t info) {
  return gridspan::libraries::live<pruneInfo>().destroy(info)
             ? CUSPARSE_STATUS_SUCCESS
             : sparse::Check(__func__).no_object(info, "info");
}

GRIDSPAN_COMPRESS(S, float)
GRIDSPAN_COMPRESS(D, double)
GRIDSPAN_COMPRESS(C, cuComplex)
GRIDSPAN_COMPRESS(Z, cuDoubleComplex)
GRIDSPAN_PRUNINGS(H, __half)
GRIDSPAN_PRUNINGS(S, float)
GRIDSPAN_PRUNINGS(D, double)

}  // extern "C"
