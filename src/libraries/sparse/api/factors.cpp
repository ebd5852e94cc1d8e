// cuSPARSE: incomplete factors of compressed rows (the legacy csrilu02); columns in order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/api/arguments.h"
#include "libraries/support/device_array.h"

struct csrilu02Info {
  gridspan::libraries::DeviceArray pivot;  // an int: see launch_incomplete_lu
};

namespace gridspan::libraries::sparse {
namespace {

cusparseStatus_t check(cusparseHandle_t handle, int rows, int count, cusparseMatDescr_t descriptor,
                       csrilu02Info_t info) {
  if (!is_live(handle)) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (rows < 0 || count < 0 || !descriptor || !is_live(info)) return CUSPARSE_STATUS_INVALID_VALUE;
  return cusparseGetMatType(descriptor) == CUSPARSE_MATRIX_TYPE_GENERAL
             ? CUSPARSE_STATUS_SUCCESS
             : CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED;
}

template <typename T>
cusparseStatus_t factor(cusparseHandle_t handle, int rows, int count, cusparseMatDescr_t descriptor,
                        const T* values, const int* offsets, const int* indices,
                        csrilu02Info_t info, bool numeric) {
  const cusparseStatus_t status = check(handle, rows, count, descriptor, info);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  const bool has_base = cusparseGetMatIndexBase(descriptor) == CUSPARSE_INDEX_BASE_ONE;
  const Rows matrix = {rows, rows, count, offsets, indices, values, false, false, has_base, false};
  // Only a numeric run writes.
  return status_of(launch_incomplete_lu<T>(matrix, numeric, const_cast<T*>(values),
                                           info->pivot.as<int>(), handle->stream));
}

}  // namespace
}  // namespace gridspan::libraries::sparse

namespace sparse = gridspan::libraries::sparse;
using namespace gridspan::libraries;  // NOLINT(google-build-using-namespace): the C functions

#define GRIDSPAN_INCOMPLETE_LU(letter, T)                                                          \
  cusparseStatus_t cusparse##letter##csrilu02_bufferSize(                                          \
      cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t descriptor, T*, const int*,      \
      const int*, csrilu02Info_t info, int* size) {                                                \
    std::size_t bytes = 0;                                                                         \
    const cusparseStatus_t status =                                                                \
        sparse::give_size(sparse::check(handle, m, nnz, descriptor, info), &bytes);                \
    if (status == CUSPARSE_STATUS_SUCCESS && !size) return CUSPARSE_STATUS_INVALID_VALUE;          \
    if (status == CUSPARSE_STATUS_SUCCESS) *size = static_cast<int>(bytes);                        \
    return status;                                                                                 \
  }                                                                                                \
  cusparseStatus_t cusparse##letter##csrilu02_bufferSizeExt(                                       \
      cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t descriptor, T*, const int*,      \
      const int*, csrilu02Info_t info, size_t* size) {                                             \
    return sparse::give_size(sparse::check(handle, m, nnz, descriptor, info), size);               \
  }                                                                                                \
  cusparseStatus_t cusparse##letter##csrilu02_analysis(                                            \
      cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t descriptor, const T* values,     \
      const int* offsets, const int* indices, csrilu02Info_t info, cusparseSolvePolicy_t, void*) { \
    return sparse::factor<T>(handle, m, nnz, descriptor, values, offsets, indices, info, false);   \
  }                                                                                                \
  cusparseStatus_t cusparse##letter##csrilu02(                                                     \
      cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t descriptor, T* values,           \
      const int* offsets, const int* indices, csrilu02Info_t info, cusparseSolvePolicy_t, void*) { \
    return sparse::factor<T>(handle, m, nnz, descriptor, values, offsets, indices, info, true);    \
  }

extern "C" {

cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t* info) {
  if (!info) return CUSPARSE_STATUS_INVALID_VALUE;
  csrilu02Info_t made = nullptr;
  if (!create_live(&made)) return CUSPARSE_STATUS_ALLOC_FAILED;
  const int none = -1;
  if (!made->pivot.make_copy(&none, sizeof none)) {
    live<csrilu02Info>().destroy(made);
    return CUSPARSE_STATUS_ALLOC_FAILED;
  }
  *info = made;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info) {
  return live<csrilu02Info>().destroy(info) ? CUSPARSE_STATUS_SUCCESS
                                            : CUSPARSE_STATUS_INVALID_VALUE;
}

// Documented: waits for what runs; the position is where the handle's pointers are.
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info,
                                             int* position) {
  if (!is_live(handle)) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!is_live(info) || !position) return CUSPARSE_STATUS_INVALID_VALUE;
  int found = -1;
  cudaError_t error = cudaMemcpyAsync(&found, info->pivot.as<int>(), sizeof found,
                                      cudaMemcpyDeviceToHost, handle->stream);
  if (error == cudaSuccess) error = cudaStreamSynchronize(handle->stream);
  if (error == cudaSuccess) error = cudaMemcpy(position, &found, sizeof found, cudaMemcpyDefault);
  if (error != cudaSuccess) return sparse::status_of(error);
  return found < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}

GRIDSPAN_INCOMPLETE_LU(S, float)
GRIDSPAN_INCOMPLETE_LU(D, double)
GRIDSPAN_INCOMPLETE_LU(C, cuComplex)
GRIDSPAN_INCOMPLETE_LU(Z, cuDoubleComplex)

}  // extern "C"
