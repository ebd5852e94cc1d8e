// cuSPARSE: incomplete factors of matrices in blocks (bsrilu02, bsric02).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks are full: the incomplete factors of their elements are those of the blocks. Diagonal
// blocks end as factors, too. Columns of blocks are in order.
#include "libraries/sparse/api/blocks.h"
#include "libraries/sparse/api/pivot_info.h"

namespace gridspan::libraries::sparse {
namespace {

template <typename T, typename Info>
Check check_factors(Handle handle, const BlockMatrix<T>& a, const Info* info) {
  Check check(handle);
  check_blocks(check, a, "mb");
  return check.live(info, "info").general(a.descriptor, "descrA");
}

template <typename T>
cudaError_t launch_factors(const bsrilu02Info& info, const Rows& rows, bool numeric, int* pivot,
                           cudaStream_t stream) {
  return launch_incomplete_lu<T>(rows, numeric, boost_of<T>(info),
                                 static_cast<T*>(const_cast<void*>(rows.values)), pivot, stream);
}
template <typename T>
cudaError_t launch_factors(const bsric02Info&, const Rows& rows, bool numeric, int* pivot,
                           cudaStream_t stream) {
  return launch_incomplete_cholesky<T>(
      rows, numeric, static_cast<T*>(const_cast<void*>(rows.values)), pivot, stream);
}

/// Elements by rows are a copy; factors go back to the blocks.
template <typename T, typename Info>
cusparseStatus_t factor_blocks(Handle handle, const BlockMatrix<T>& a, Info* info, bool numeric) {
  if (const Check check = check_factors(handle, a, info); check.failed()) return check.status();
  Workspace work(handle->stream);
  Rows rows;
  const cusparseStatus_t status = rows_in(a, CUSPARSE_OPERATION_NON_TRANSPOSE, work, rows);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  info->height = a.size;
  info->base = rows.base;
  const cudaError_t error =
      launch_factors<T>(*info, rows, numeric, info->row.template as<int>(), handle->stream);
  if (error != cudaSuccess || !numeric) return status_of(error);
  return put_back(rows, type_of<T>, as_generic(a, type_of<T>), 0, work);
}

}  // namespace
}  // namespace gridspan::libraries::sparse

namespace sparse = gridspan::libraries::sparse;

#define GRIDSPAN_A(T) \
  sparse::BlockMatrix<T> { direction, mb, mb, nnzb, descriptor, values, offsets, indices, size }

// `Read`: the type of values that an analysis takes.
#define GRIDSPAN_INCOMPLETE_BLOCKS(name, letter, T, Read)                                         \
  cusparseStatus_t cusparse##letter##name##_bufferSize(                                           \
      cusparseHandle_t handle, cusparseDirection_t direction, int mb, int nnzb,                   \
      cusparseMatDescr_t descriptor, T* values, const int* offsets, const int* indices, int size, \
      name##Info_t info, int* bytes) {                                                            \
    return sparse::give_int_size(sparse::check_factors(handle, GRIDSPAN_A(T), info), bytes);      \
  }                                                                                               \
  cusparseStatus_t cusparse##letter##name##_bufferSizeExt(                                        \
      cusparseHandle_t handle, cusparseDirection_t direction, int mb, int nnzb,                   \
      cusparseMatDescr_t descriptor, T* values, const int* offsets, const int* indices, int size, \
      name##Info_t info, size_t* bytes) {                                                         \
    return sparse::give_size(sparse::check_factors(handle, GRIDSPAN_A(T), info), bytes);          \
  }                                                                                               \
  cusparseStatus_t cusparse##letter##name##_analysis(                                             \
      cusparseHandle_t handle, cusparseDirection_t direction, int mb, int nnzb,                   \
      cusparseMatDescr_t descriptor, Read* values, const int* offsets, const int* indices,        \
      int size, name##Info_t info, cusparseSolvePolicy_t, void*) {                                \
    return sparse::factor_blocks<T>(handle, GRIDSPAN_A(T), info, false);                          \
  }                                                                                               \
  cusparseStatus_t cusparse##letter##name(                                                        \
      cusparseHandle_t handle, cusparseDirection_t direction, int mb, int nnzb,                   \
      cusparseMatDescr_t descriptor, T* values, const int* offsets, const int* indices, int size, \
      name##Info_t info, cusparseSolvePolicy_t, void*) {                                          \
    return sparse::factor_blocks<T>(handle, GRIDSPAN_A(T), info, true);                           \
  }

#define GRIDSPAN_BOOST(letter, T)                                                              \
  cusparseStatus_t cusparse##letter##bsrilu02_numericBoost(                                    \
      cusparseHandle_t handle, bsrilu02Info_t info, int enable_boost, double* tol, T* value) { \
    return sparse::set_boost<T>(sparse::Check(handle).live(info, "info"), handle, info,        \
                                enable_boost, tol, value);                                     \
  }

extern "C" {

GRIDSPAN_BOOST(S, float)
GRIDSPAN_BOOST(D, double)
GRIDSPAN_BOOST(C, cuComplex)
GRIDSPAN_BOOST(Z, cuDoubleComplex)

cusparseStatus_t cusparseCreateBsrilu02Info(bsrilu02Info_t* info) {
  return sparse::create_pivot(info);
}
cusparseStatus_t cusparseDestroyBsrilu02Info(bsrilu02Info_t info) {
  return sparse::destroy_pivot(info);
}
cusparseStatus_t cusparseXbsrilu02_zeroPivot(cusparseHandle_t handle, bsrilu02Info_t info,
                                             int* position) {
  return sparse::zero_pivot(handle, info, position);
}
cusparseStatus_t cusparseCreateBsric02Info(bsric02Info_t* info) {
  return sparse::create_pivot(info);
}
cusparseStatus_t cusparseDestroyBsric02Info(bsric02Info_t info) {
  return sparse::destroy_pivot(info);
}
cusparseStatus_t cusparseXbsric02_zeroPivot(cusparseHandle_t handle, bsric02Info_t info,
                                            int* position) {
  return sparse::zero_pivot(handle, info, position);
}

GRIDSPAN_INCOMPLETE_BLOCKS(bsrilu02, S, float, float)
GRIDSPAN_INCOMPLETE_BLOCKS(bsrilu02, D, double, double)
GRIDSPAN_INCOMPLETE_BLOCKS(bsrilu02, C, cuComplex, cuComplex)
GRIDSPAN_INCOMPLETE_BLOCKS(bsrilu02, Z, cuDoubleComplex, cuDoubleComplex)
GRIDSPAN_INCOMPLETE_BLOCKS(bsric02, S, float, const float)
GRIDSPAN_INCOMPLETE_BLOCKS(bsric02, D, double, const double)
GRIDSPAN_INCOMPLETE_BLOCKS(bsric02, C, cuComplex, const cuComplex)
GRIDSPAN_INCOMPLETE_BLOCKS(bsric02, Z, cuDoubleComplex, const cuDoubleComplex)

}  // extern "C"

#undef GRIDSPAN_A
#undef GRIDSPAN_BOOST
