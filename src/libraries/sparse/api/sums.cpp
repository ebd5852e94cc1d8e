// cuSPARSE: sums of two sparse matrices (the legacy csrgeam2); columns in order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/api/arguments.h"

namespace gridspan::libraries::sparse {
namespace {

bool has_base(cusparseMatDescr_t descriptor) {
  return cusparseGetMatIndexBase(descriptor) == CUSPARSE_INDEX_BASE_ONE;
}

/// A matrix as legacy functions take it.
struct Given {
  cusparseMatDescr_t descriptor;
  int count;
  const void* values;
  const int* offsets;
  const int* indices;
};

Rows rows_of(const Given& given, int rows, int columns) {
  return {rows,          columns,       given.count,
          given.offsets, given.indices, given.values,
          false,         false,         has_base(given.descriptor),
          false};
}

Check check(Handle handle, int rows, int columns, const Given& a, const Given& b,
            cusparseMatDescr_t c) {
  Check check(handle);
  check.size(rows, "m").size(columns, "n").given(a.descriptor, "descrA").size(a.count, "nnzA");
  check.given(b.descriptor, "descrB").size(b.count, "nnzB").given(c, "descrC");
  return check.general(a.descriptor, "descrA").general(b.descriptor, "descrB").general(c, "descrC");
}

cusparseStatus_t count(Handle handle, int rows, int columns, const Given& a, const Given& b,
                       cusparseMatDescr_t c, int* offsets, int* total) {
  Check arguments = check(handle, rows, columns, a, b, c);
  arguments.given(offsets, "csrSortedRowPtrC").given(total, "nnzTotalDevHostPtr");
  if (arguments.failed()) return arguments.status();
  const cudaStream_t stream = handle->stream;
  Workspace work(stream);
  auto* const sums = static_cast<std::int64_t*>(work.bytes(8 * (rows / 1024 + 2)));
  if (!sums) return CUSPARSE_STATUS_ALLOC_FAILED;
  cudaError_t error =
      launch_count_union(rows_of(a, rows, columns), rows_of(b, rows, columns), offsets, stream);
  if (error == cudaSuccess) error = launch_sums(offsets, false, rows + 1, sums, stream);
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(total, offsets + rows, sizeof *total, cudaMemcpyDefault, stream);
  if (error == cudaSuccess) error = launch_base(offsets, false, rows + 1, has_base(c), stream);
  if (error == cudaSuccess && handle->pointer_mode == CUSPARSE_POINTER_MODE_HOST)
    error = cudaStreamSynchronize(stream);
  return status_of(error);
}

template <typename T>
cusparseStatus_t add(Handle handle, int rows, int columns, const T* alpha, const Given& a,
                     const T* beta, const Given& b, cusparseMatDescr_t c, T* values,
                     const int* offsets, int* indices) {
  Check arguments = check(handle, rows, columns, a, b, c);
  if (arguments.given(alpha, "alpha").given(beta, "beta").failed()) return arguments.status();
  return status_of(launch_add<T>(rows_of(a, rows, columns), scalar<T>(handle, alpha),
                                 rows_of(b, rows, columns), scalar<T>(handle, beta), offsets,
                                 has_base(c), indices, values, handle->stream));
}

}  // namespace
}  // namespace gridspan::libraries::sparse

namespace sparse = gridspan::libraries::sparse;

#define GRIDSPAN_SUM(letter, T)                                                                   \
  cusparseStatus_t cusparse##letter##csrgeam2_bufferSizeExt(                                      \
      cusparseHandle_t handle, int m, int n, const T*, cusparseMatDescr_t a, int nnz_a, const T*, \
      const int*, const int*, const T*, cusparseMatDescr_t b, int nnz_b, const T*, const int*,    \
      const int*, cusparseMatDescr_t c, const T*, const int*, const int*, size_t* size) {         \
    return sparse::give_size(sparse::check(handle, m, n, {a, nnz_a, nullptr, nullptr, nullptr},   \
                                           {b, nnz_b, nullptr, nullptr, nullptr}, c),             \
                             size);                                                               \
  }                                                                                               \
  cusparseStatus_t cusparse##letter##csrgeam2(                                                    \
      cusparseHandle_t handle, int m, int n, const T* alpha, cusparseMatDescr_t a, int nnz_a,     \
      const T* values_a, const int* offsets_a, const int* indices_a, const T* beta,               \
      cusparseMatDescr_t b, int nnz_b, const T* values_b, const int* offsets_b,                   \
      const int* indices_b, cusparseMatDescr_t c, T* values, int* offsets, int* indices, void*) { \
    return sparse::add<T>(handle, m, n, alpha, {a, nnz_a, values_a, offsets_a, indices_a}, beta,  \
                          {b, nnz_b, values_b, offsets_b, indices_b}, c, values, offsets,         \
                          indices);                                                               \
  }

extern "C" {

cusparseStatus_t cusparseXcsrgeam2Nnz(cusparseHandle_t handle, int m, int n, cusparseMatDescr_t a,
                                      int nnz_a, const int* offsets_a, const int* indices_a,
                                      cusparseMatDescr_t b, int nnz_b, const int* offsets_b,
                                      const int* indices_b, cusparseMatDescr_t c, int* offsets,
                                      int* total, void*) {
  return sparse::count(handle, m, n, {a, nnz_a, nullptr, offsets_a, indices_a},
                       {b, nnz_b, nullptr, offsets_b, indices_b}, c, offsets, total);
}

GRIDSPAN_SUM(S, float)
GRIDSPAN_SUM(D, double)
GRIDSPAN_SUM(C, cuComplex)
GRIDSPAN_SUM(Z, cuDoubleComplex)

}  // extern "C"
