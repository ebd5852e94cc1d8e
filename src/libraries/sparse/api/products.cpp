// cuSPARSE: products of sparse and dense matrices and vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/api/arguments.h"

namespace gridspan::libraries::sparse {
namespace {

struct VectorProduct {
  cusparseHandle_t handle;
  cusparseOperation_t operation;
  const void* alpha;
  cusparseConstSpMatDescr_t a;
  cusparseConstDnVecDescr_t x;
  const void* beta;
  cusparseDnVecDescr_t y;
  cudaDataType type;
};

cusparseStatus_t check(const VectorProduct& call) {
  if (!is_live(call.handle)) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!is_live(call.a) || !is_live(call.x) || !is_live(call.y) || !call.alpha || !call.beta ||
      !is_operation(call.operation))
    return CUSPARSE_STATUS_INVALID_VALUE;
  const auto [rows, columns] = shape(call.operation, *call.a);
  if (call.x->size != columns || call.y->size != rows) return CUSPARSE_STATUS_INVALID_VALUE;
  const cudaDataType type = call.a->type;
  const bool is_there = has_rows(*call.a) && call.x->type == type && call.y->type == type &&
                        call.type == type && call.a->batch_count == 1;
  return is_there ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_SUPPORTED;
}

cusparseStatus_t multiply(const VectorProduct& call) {
  const cusparseStatus_t status = check(call);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  Workspace work(call.handle->stream);
  Rows rows;
  const cusparseStatus_t found = compressed_rows(*call.a, call.operation, 0, work, rows);
  if (found != CUSPARSE_STATUS_SUCCESS) return found;
  return with_type(call.type, [&](auto zero) {
    using T = decltype(zero);
    return status_of(launch_product<T>(
        rows, scalar<T>(call.handle, call.alpha), Dense<const T>{static_cast<T*>(call.x->values)},
        false, scalar<T>(call.handle, call.beta), Dense<T>{static_cast<T*>(call.y->values)}, 1,
        call.handle->stream));
  });
}

struct MatrixProduct {
  cusparseHandle_t handle;
  cusparseOperation_t operation_a, operation_b;
  const void* alpha;
  cusparseConstSpMatDescr_t a;
  cusparseConstDnMatDescr_t b;
  const void* beta;
  cusparseDnMatDescr_t c;
  cudaDataType type;
};

cusparseStatus_t check(const MatrixProduct& call) {
  if (!is_live(call.handle)) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!is_live(call.a) || !is_live(call.b) || !is_live(call.c) || !call.alpha || !call.beta ||
      !is_operation(call.operation_a) || !is_operation(call.operation_b))
    return CUSPARSE_STATUS_INVALID_VALUE;
  const auto [rows, depth] = shape(call.operation_a, *call.a);
  const auto [depth_b, columns] = shape(call.operation_b, *call.b);
  if (depth != depth_b || call.c->rows != rows || call.c->columns != columns)
    return CUSPARSE_STATUS_INVALID_VALUE;
  const int batch = call.c->batch_count;
  const auto fits = [&](int count) { return count == 1 || count == batch; };
  if (!fits(call.a->batch_count) || !fits(call.b->batch_count))
    return CUSPARSE_STATUS_INVALID_VALUE;
  const cudaDataType type = call.a->type;
  const bool is_there =
      has_rows(*call.a) && call.b->type == type && call.c->type == type && call.type == type;
  return is_there ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_SUPPORTED;
}

/// One of a batch, of A's rows.
cusparseStatus_t multiply(const MatrixProduct& call, const Rows& rows, int batch) {
  return with_type(call.type, [&](auto zero) {
    using T = decltype(zero);
    auto b = dense<const T>(call.operation_b, *call.b);
    auto c = dense<T>(CUSPARSE_OPERATION_NON_TRANSPOSE, *call.c);
    b.start += call.b->batch_count > 1 ? batch * b.next : 0;
    c.start += batch * c.next;
    const bool conjugates = call.operation_b == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
    return status_of(launch_product<T>(rows, scalar<T>(call.handle, call.alpha), b, conjugates,
                                       scalar<T>(call.handle, call.beta), c, call.c->columns,
                                       call.handle->stream));
  });
}

cusparseStatus_t multiply(const MatrixProduct& call) {
  cusparseStatus_t status = check(call);
  Workspace work(status == CUSPARSE_STATUS_SUCCESS ? call.handle->stream : nullptr);
  Rows rows;
  for (int i = 0; status == CUSPARSE_STATUS_SUCCESS && i < call.c->batch_count; ++i) {
    if (i == 0 || call.a->batch_count > 1)
      status = compressed_rows(*call.a, call.operation_a, i, work, rows);
    if (status == CUSPARSE_STATUS_SUCCESS) status = multiply(call, rows, i);
  }
  return status;
}

struct SampledProduct {
  cusparseHandle_t handle;
  cusparseOperation_t operation_a, operation_b;
  const void* alpha;
  cusparseConstDnMatDescr_t a, b;
  const void* beta;
  cusparseSpMatDescr_t c;
  cudaDataType type;
};

/// Documented: C is CSR; no conjugates.
cusparseStatus_t check(const SampledProduct& call) {
  if (!is_live(call.handle)) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (!is_live(call.a) || !is_live(call.b) || !is_live(call.c) || !call.alpha || !call.beta ||
      !is_operation(call.operation_a) || !is_operation(call.operation_b))
    return CUSPARSE_STATUS_INVALID_VALUE;
  const auto [rows, depth] = shape(call.operation_a, *call.a);
  const auto [depth_b, columns] = shape(call.operation_b, *call.b);
  if (depth != depth_b || call.c->rows != rows || call.c->columns != columns)
    return CUSPARSE_STATUS_INVALID_VALUE;
  const cudaDataType type = call.c->type;
  const bool conjugates = call.operation_a == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ||
                          call.operation_b == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  const bool is_there = call.c->format == CUSPARSE_FORMAT_CSR && has_rows(*call.c) && !conjugates &&
                        call.a->type == type && call.b->type == type && call.type == type;
  return is_there ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_SUPPORTED;
}

cusparseStatus_t multiply(const SampledProduct& call) {
  cusparseStatus_t status = check(call);
  for (int batch = 0; batch < (status == CUSPARSE_STATUS_SUCCESS ? call.c->batch_count : 0);
       ++batch) {
    Workspace work(call.handle->stream);
    Rows rows;
    compressed_rows(*call.c, CUSPARSE_OPERATION_NON_TRANSPOSE, batch, work, rows);
    status = with_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      auto a = dense<const T>(call.operation_a, *call.a);
      auto b = dense<const T>(call.operation_b, *call.b);
      a.start += call.a->batch_count > 1 ? batch * a.next : 0;
      b.start += call.b->batch_count > 1 ? batch * b.next : 0;
      T* const values = static_cast<T*>(call.c->values) + batch * call.c->value_stride;
      return status_of(launch_sampled_product<T>(rows, values, scalar<T>(call.handle, call.alpha),
                                                 a, b, shape(call.operation_a, *call.a).second,
                                                 scalar<T>(call.handle, call.beta),
                                                 call.handle->stream));
    });
  }
  return status;
}

}  // namespace
}  // namespace gridspan::libraries::sparse

namespace sparse = gridspan::libraries::sparse;

extern "C" {

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t operation,
                                         const void* alpha, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t x, const void* beta,
                                         cusparseDnVecDescr_t y, cudaDataType type,
                                         cusparseSpMVAlg_t, size_t* size) {
  return sparse::give_size(
      sparse::check(sparse::VectorProduct{handle, operation, alpha, a, x, beta, y, type}), size);
}

cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t operation,
                                         const void* alpha, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t x, const void* beta,
                                         cusparseDnVecDescr_t y, cudaDataType type,
                                         cusparseSpMVAlg_t, void*) {
  return sparse::check(sparse::VectorProduct{handle, operation, alpha, a, x, beta, y, type});
}

cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t operation,
                              const void* alpha, cusparseConstSpMatDescr_t a,
                              cusparseConstDnVecDescr_t x, const void* beta, cusparseDnVecDescr_t y,
                              cudaDataType type, cusparseSpMVAlg_t, void*) {
  return sparse::multiply(sparse::VectorProduct{handle, operation, alpha, a, x, beta, y, type});
}

cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t operation_a,
                                         cusparseOperation_t operation_b, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void* beta, cusparseDnMatDescr_t c,
                                         cudaDataType type, cusparseSpMMAlg_t, size_t* size) {
  return sparse::give_size(sparse::check(sparse::MatrixProduct{handle, operation_a, operation_b,
                                                               alpha, a, b, beta, c, type}),
                           size);
}

cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t operation_a,
                                         cusparseOperation_t operation_b, const void* alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void* beta, cusparseDnMatDescr_t c,
                                         cudaDataType type, cusparseSpMMAlg_t, void*) {
  return sparse::check(
      sparse::MatrixProduct{handle, operation_a, operation_b, alpha, a, b, beta, c, type});
}

cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t operation_a,
                              cusparseOperation_t operation_b, const void* alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                              const void* beta, cusparseDnMatDescr_t c, cudaDataType type,
                              cusparseSpMMAlg_t, void*) {
  return sparse::multiply(
      sparse::MatrixProduct{handle, operation_a, operation_b, alpha, a, b, beta, c, type});
}

cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t operation_a,
                                          cusparseOperation_t operation_b, const void* alpha,
                                          cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                                          const void* beta, cusparseSpMatDescr_t c,
                                          cudaDataType type, cusparseSDDMMAlg_t, size_t* size) {
  return sparse::give_size(sparse::check(sparse::SampledProduct{handle, operation_a, operation_b,
                                                                alpha, a, b, beta, c, type}),
                           size);
}

cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t operation_a,
                                          cusparseOperation_t operation_b, const void* alpha,
                                          cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                                          const void* beta, cusparseSpMatDescr_t c,
                                          cudaDataType type, cusparseSDDMMAlg_t, void*) {
  return sparse::check(
      sparse::SampledProduct{handle, operation_a, operation_b, alpha, a, b, beta, c, type});
}

cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t operation_a,
                               cusparseOperation_t operation_b, const void* alpha,
                               cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                               const void* beta, cusparseSpMatDescr_t c, cudaDataType type,
                               cusparseSDDMMAlg_t, void*) {
  return sparse::multiply(
      sparse::SampledProduct{handle, operation_a, operation_b, alpha, a, b, beta, c, type});
}

}  // extern "C"
