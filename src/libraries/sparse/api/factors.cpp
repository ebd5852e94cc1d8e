// cuSPARSE: incomplete factors of compressed rows (the legacy csrilu02, csric02); columns in order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/api/arguments.h"
#include "libraries/sparse/api/pivot_info.h"

namespace gridspan::libraries::sparse {
namespace {

template <typename Info>
Check check(Handle handle, int rows, int count, cusparseMatDescr_t descriptor, Info* info) {
  Check check(handle);
  check.size(rows, "m").size(count, "nnz").given(descriptor, "descrA").live(info, "info");
  return check.general(descriptor, "descrA");
}

template <typename T>
cudaError_t launch(const csrilu02Info& info, const Rows& matrix, bool numeric, T* values,
                   int* pivot, cudaStream_t stream) {
  return launch_incomplete_lu<T>(matrix, numeric, boost_of<T>(info), values, pivot, stream);
}
template <typename T>
cudaError_t launch(const csric02Info&, const Rows& matrix, bool numeric, T* values, int* pivot,
                   cudaStream_t stream) {
  return launch_incomplete_cholesky<T>(matrix, numeric, values, pivot, stream);
}

template <typename T, typename Info>
cusparseStatus_t factor(Handle handle, int rows, int count, cusparseMatDescr_t descriptor,
                        const T* values, const int* offsets, const int* indices, Info* info,
                        bool numeric) {
  if (const Check arguments = check(handle, rows, count, descriptor, info); arguments.failed())
    return arguments.status();
  const bool has_base = cusparseGetMatIndexBase(descriptor) == CUSPARSE_INDEX_BASE_ONE;
  const Rows matrix = {rows, rows, count, offsets, indices, values, false, false, has_base, false};
  info->base = has_base;
  // Only a numeric run writes.
  return status_of(launch<T>(*info, matrix, numeric, const_cast<T*>(values),
                             info->row.template as<int>(), handle->stream));
}

}  // namespace
}  // namespace gridspan::libraries::sparse

namespace sparse = gridspan::libraries::sparse;

#define GRIDSPAN_INCOMPLETE(name, letter, T)                                                     \
  cusparseStatus_t cusparse##letter##name##_bufferSize(                                          \
      cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t descriptor, T*, const int*,    \
      const int*, name##Info_t info, int* size) {                                                \
    std::size_t bytes = 0;                                                                       \
    const cusparseStatus_t status = sparse::give_size(                                           \
        sparse::check(handle, m, nnz, descriptor, info).given(size, "pBufferSizeInBytes"),       \
        &bytes);                                                                                 \
    if (status == CUSPARSE_STATUS_SUCCESS) *size = static_cast<int>(bytes);                      \
    return status;                                                                               \
  }                                                                                              \
  cusparseStatus_t cusparse##letter##name##_bufferSizeExt(                                       \
      cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t descriptor, T*, const int*,    \
      const int*, name##Info_t info, size_t* size) {                                             \
    return sparse::give_size(sparse::check(handle, m, nnz, descriptor, info), size);             \
  }                                                                                              \
  cusparseStatus_t cusparse##letter##name##_analysis(                                            \
      cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t descriptor, const T* values,   \
      const int* offsets, const int* indices, name##Info_t info, cusparseSolvePolicy_t, void*) { \
    return sparse::factor<T>(handle, m, nnz, descriptor, values, offsets, indices, info, false); \
  }                                                                                              \
  cusparseStatus_t cusparse##letter##name(                                                       \
      cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t descriptor, T* values,         \
      const int* offsets, const int* indices, name##Info_t info, cusparseSolvePolicy_t, void*) { \
    return sparse::factor<T>(handle, m, nnz, descriptor, values, offsets, indices, info, true);  \
  }

#define GRIDSPAN_INCOMPLETE_FACTORS(name, Name)                                            \
  cusparseStatus_t cusparseCreate##Name##Info(name##Info_t* info) {                        \
    return sparse::create_pivot(info);                                                     \
  }                                                                                        \
  cusparseStatus_t cusparseDestroy##Name##Info(name##Info_t info) {                        \
    return sparse::destroy_pivot(info);                                                    \
  }                                                                                        \
  cusparseStatus_t cusparseX##name##_zeroPivot(cusparseHandle_t handle, name##Info_t info, \
                                               int* position) {                            \
    return sparse::zero_pivot(handle, info, position);                                     \
  }                                                                                        \
  GRIDSPAN_INCOMPLETE(name, S, float)                                                      \
  GRIDSPAN_INCOMPLETE(name, D, double)                                                     \
  GRIDSPAN_INCOMPLETE(name, C, cuComplex)                                                  \
  GRIDSPAN_INCOMPLETE(name, Z, cuDoubleComplex)

#define GRIDSPAN_BOOST(letter, T)                                                              \
  cusparseStatus_t cusparse##letter##csrilu02_numericBoost(                                    \
      cusparseHandle_t handle, csrilu02Info_t info, int enable_boost, double* tol, T* value) { \
    return sparse::set_boost<T>(sparse::Check(handle).live(info, "info"), handle, info,        \
                                enable_boost, tol, value);                                     \
  }

extern "C" {

GRIDSPAN_BOOST(S, float)
GRIDSPAN_BOOST(D, double)
GRIDSPAN_BOOST(C, cuComplex)
GRIDSPAN_BOOST(Z, cuDoubleComplex)

GRIDSPAN_INCOMPLETE_FACTORS(csrilu02, Csrilu02)
GRIDSPAN_INCOMPLETE_FACTORS(csric02, Csric02)

}  // extern "C"

#undef GRIDSPAN_BOOST
