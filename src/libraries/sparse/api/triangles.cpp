// cuSPARSE: solutions of triangular systems.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A triangle is read at each solution, not at its analysis: values may change between them.
#include "libraries/sparse/api/arguments.h"

struct cusparseSpSVDescr {};
struct cusparseSpSMDescr {};

namespace gridspan::libraries::sparse {
namespace {

template <typename Descriptor>
cusparseStatus_t create(Descriptor** descriptor) {
  if (!descriptor) return CUSPARSE_STATUS_INVALID_VALUE;
  return create_live(descriptor) ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

template <typename Descriptor>
cusparseStatus_t destroy(Descriptor* descriptor) {
  if (!descriptor) return CUSPARSE_STATUS_SUCCESS;
  return live<Descriptor>().destroy(descriptor) ? CUSPARSE_STATUS_SUCCESS
                                                : CUSPARSE_STATUS_INVALID_VALUE;
}

/// op(A) X = alpha op(B), into X.
struct Solution {
  cusparseHandle_t handle;
  cusparseOperation_t operation_a, operation_b;
  const void* alpha;
  cusparseConstSpMatDescr_t a;
  cusparseDnMatDescr b, x;
  cudaDataType type;
};

cusparseStatus_t check(const Solution& call) {
  if (!call.alpha || !is_operation(call.operation_a) || !is_operation(call.operation_b))
    return CUSPARSE_STATUS_INVALID_VALUE;
  const auto [rows, columns] = shape(call.operation_b, call.b);
  if (call.a->rows != call.a->columns || rows != call.a->rows || call.x.rows != rows ||
      call.x.columns != columns)
    return CUSPARSE_STATUS_INVALID_VALUE;
  const cudaDataType type = call.a->type;
  const bool is_there = has_rows(*call.a) && computes(type) && call.b.type == type &&
                        call.x.type == type && call.type == type &&
                        call.operation_b != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  return is_there ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_SUPPORTED;
}

cusparseStatus_t solve(const Solution& call) {
  Workspace work(call.handle->stream);
  Rows rows;
  const cusparseStatus_t found = compressed_rows(*call.a, call.operation_a, 0, work, rows);
  if (found != CUSPARSE_STATUS_SUCCESS) return found;
  const bool is_upper = (call.a->fill == CUSPARSE_FILL_MODE_UPPER) == is_plain(call.operation_a);
  return with_type(call.type, [&](auto zero) {
    using T = decltype(zero);
    return status_of(launch_solve<T>(
        rows, is_upper, call.a->diagonal == CUSPARSE_DIAG_TYPE_UNIT,
        scalar<T>(call.handle, call.alpha), dense<const T>(call.operation_b, call.b),
        dense<T>(CUSPARSE_OPERATION_NON_TRANSPOSE, call.x), call.x.columns, call.handle->stream));
  });
}

/// Calls `run` with the system, if its arguments are right.
template <typename Run>
cusparseStatus_t with_vectors(cusparseHandle_t handle, cusparseOperation_t operation,
                              const void* alpha, cusparseConstSpMatDescr_t a,
                              cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                              cudaDataType type, cusparseSpSVDescr_t descriptor, Run run) {
  if (!is_live(handle)) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!is_live(a) || !is_live(x) || !is_live(y) || !is_live(descriptor))
    return CUSPARSE_STATUS_INVALID_VALUE;
  const Solution call = {handle,        operation, CUSPARSE_OPERATION_NON_TRANSPOSE,
                         alpha,         a,         as_matrix(*x),
                         as_matrix(*y), type};
  const cusparseStatus_t status = check(call);
  return status == CUSPARSE_STATUS_SUCCESS ? run(call) : status;
}

template <typename Run>
cusparseStatus_t with_matrices(cusparseHandle_t handle, cusparseOperation_t operation_a,
                               cusparseOperation_t operation_b, const void* alpha,
                               cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                               cusparseDnMatDescr_t c, cudaDataType type,
                               cusparseSpSMDescr_t descriptor, Run run) {
  if (!is_live(handle)) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!is_live(a) || !is_live(b) || !is_live(c) || !is_live(descriptor))
    return CUSPARSE_STATUS_INVALID_VALUE;
  const Solution call = {handle, operation_a, operation_b, alpha, a, *b, *c, type};
  const cusparseStatus_t status = check(call);
  return status == CUSPARSE_STATUS_SUCCESS ? run(call) : status;
}

cusparseStatus_t nothing(const Solution&) { return CUSPARSE_STATUS_SUCCESS; }

}  // namespace
}  // namespace gridspan::libraries::sparse

namespace sparse = gridspan::libraries::sparse;

extern "C" {

cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t* descriptor) {
  return sparse::create(descriptor);
}
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descriptor) {
  return sparse::destroy(descriptor);
}
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t operation,
                                         const void* alpha, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                         cudaDataType type, cusparseSpSVAlg_t,
                                         cusparseSpSVDescr_t descriptor, size_t* size) {
  return sparse::give_size(
      sparse::with_vectors(handle, operation, alpha, a, x, y, type, descriptor, sparse::nothing),
      size);
}
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t operation,
                                       const void* alpha, cusparseConstSpMatDescr_t a,
                                       cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                       cudaDataType type, cusparseSpSVAlg_t,
                                       cusparseSpSVDescr_t descriptor, void*) {
  return sparse::with_vectors(handle, operation, alpha, a, x, y, type, descriptor, sparse::nothing);
}
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t operation,
                                    const void* alpha, cusparseConstSpMatDescr_t a,
                                    cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                    cudaDataType type, cusparseSpSVAlg_t,
                                    cusparseSpSVDescr_t descriptor) {
  return sparse::with_vectors(handle, operation, alpha, a, x, y, type, descriptor, sparse::solve);
}

cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t* descriptor) {
  return sparse::create(descriptor);
}
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t descriptor) {
  return sparse::destroy(descriptor);
}
cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t handle, cusparseOperation_t operation_a,
                                         cusparseOperation_t operation_b, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         cusparseDnMatDescr_t c, cudaDataType type,
                                         cusparseSpSMAlg_t, cusparseSpSMDescr_t descriptor,
                                         size_t* size) {
  return sparse::give_size(sparse::with_matrices(handle, operation_a, operation_b, alpha, a, b, c,
                                                 type, descriptor, sparse::nothing),
                           size);
}
cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t operation_a,
                                       cusparseOperation_t operation_b, const void* alpha,
                                       cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                       cusparseDnMatDescr_t c, cudaDataType type, cusparseSpSMAlg_t,
                                       cusparseSpSMDescr_t descriptor, void*) {
  return sparse::with_matrices(handle, operation_a, operation_b, alpha, a, b, c, type, descriptor,
                               sparse::nothing);
}
cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t operation_a,
                                    cusparseOperation_t operation_b, const void* alpha,
                                    cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                    cusparseDnMatDescr_t c, cudaDataType type, cusparseSpSMAlg_t,
                                    cusparseSpSMDescr_t descriptor) {
  return sparse::with_matrices(handle, operation_a, operation_b, alpha, a, b, c, type, descriptor,
                               sparse::solve);
}

}  // extern "C"
