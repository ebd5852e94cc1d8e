// cuSPARSE: products of sparse and dense matrices and vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/api/arguments.h"

#include "libraries/sparse/kernels/convert.h"

namespace gridspan::libraries::sparse {

cusparseStatus_t as_type(const cusparseDnMatDescr& matrix, cudaDataType type, bool reads,
                         Workspace& work, cusparseDnMatDescr& made) {
  made = matrix;
  if (matrix.type == type) return CUSPARSE_STATUS_SUCCESS;
  const bool is_column = matrix.order == CUSPARSE_ORDER_COL;
  const std::int64_t length = is_column ? matrix.rows : matrix.columns;
  const std::int64_t lines = is_column ? matrix.columns : matrix.rows;
  made.leading = length;
  made.batch_stride = length * lines;
  made.type = type;
  made.values = work.bytes(bytes_of(type) * made.batch_stride * matrix.batch_count);
  if (!made.values) return CUSPARSE_STATUS_ALLOC_FAILED;
  cudaError_t error = cudaSuccess;
  for (std::int64_t i = 0; reads && error == cudaSuccess && i < matrix.batch_count; ++i)
    error = launch_convert(
        static_cast<char*>(matrix.values) + i * matrix.batch_stride * bytes_of(matrix.type),
        matrix.type, matrix.leading,
        static_cast<char*>(made.values) + i * made.batch_stride * bytes_of(type), type,
        made.leading, length, lines, work.stream());
  return status_of(error);
}

cusparseStatus_t back(const cusparseDnMatDescr& made, const cusparseDnMatDescr& matrix,
                      Workspace& work) {
  if (made.values == matrix.values) return CUSPARSE_STATUS_SUCCESS;
  const std::int64_t lines = matrix.order == CUSPARSE_ORDER_COL ? matrix.columns : matrix.rows;
  cudaError_t error = cudaSuccess;
  for (std::int64_t i = 0; error == cudaSuccess && i < matrix.batch_count; ++i)
    error = launch_convert(
        static_cast<char*>(made.values) + i * made.batch_stride * bytes_of(made.type), made.type,
        made.leading,
        static_cast<char*>(matrix.values) + i * matrix.batch_stride * bytes_of(matrix.type),
        matrix.type, matrix.leading, made.leading, lines, work.stream());
  return status_of(error);
}

namespace {

/// Whether beta, in host memory, is 0: what it would multiply is not read.
bool is_nothing(Handle handle, const void* beta, cudaDataType type) {
  if (handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE) return false;
  return with_type(type, [&](auto zero) {
           return blas::is_zero(*static_cast<const decltype(zero)*>(beta))
                      ? CUSPARSE_STATUS_SUCCESS
                      : CUSPARSE_STATUS_NOT_SUPPORTED;
         }) == CUSPARSE_STATUS_SUCCESS;
}

/// Types of what is read and what is written; results of 16 bits are computed in float.
bool has_types(cudaDataType type, cudaDataType a, cudaDataType b, cudaDataType result) {
  return computes(type, a) && computes(type, b) && (result == type || can_convert(type, result)) &&
         (result == type || bytes_of(result) == 2);
}

/// Operands that are there, of sizes that fit.
template <typename Product>
Check check_operands(const Product& call) {
  Check check(call.handle);
  check.operation(call.operation_a, "opA").operation(call.operation_b, "opB");
  check.given(call.alpha, "alpha").live(call.a, "matA").live(call.b, "matB");
  check.given(call.beta, "beta").live(call.c, "matC");
  if (check.failed()) return check;
  const auto [rows, depth] = shape(call.operation_a, *call.a);
  const auto [depth_b, columns] = shape(call.operation_b, *call.b);
  return check.same(depth_b, depth, "matB", "columns of op(A)")
      .same(call.c->rows, rows, "matC", "rows of op(A)")
      .same(call.c->columns, columns, "matC", "columns of op(B)");
}

struct VectorProduct {
  Handle handle;
  cusparseOperation_t operation;
  const void* alpha;
  cusparseConstSpMatDescr_t a;
  cusparseConstDnVecDescr_t x;
  const void* beta;
  cusparseDnVecDescr_t y;
  cudaDataType type;
};

Check check(const VectorProduct& call) {
  Check check(call.handle);
  check.operation(call.operation, "opA").given(call.alpha, "alpha").live(call.a, "matA");
  check.live(call.x, "vecX").given(call.beta, "beta").live(call.y, "vecY");
  if (check.failed()) return check;
  const auto [rows, columns] = shape(call.operation, *call.a);
  check.same(call.x->size, columns, "vecX", "columns of op(A)");
  check.same(call.y->size, rows, "vecY", "rows of op(A)");
  check.there(has_rows(*call.a) && call.a->batch_count == 1, "matA");
  return check.there(has_types(call.type, call.a->type, call.x->type, call.y->type), "computeType");
}

cusparseStatus_t multiply(const VectorProduct& call) {
  if (const Check arguments = check(call); arguments.failed()) return arguments.status();
  Workspace work(call.handle->stream);
  Rows rows;
  cusparseDnMatDescr x, y;
  cusparseStatus_t status = compressed_rows(*call.a, call.operation, 0, call.type, work, rows);
  if (status == CUSPARSE_STATUS_SUCCESS)
    status = as_type(as_matrix(*call.x), call.type, true, work, x);
  if (status == CUSPARSE_STATUS_SUCCESS)
    status = as_type(as_matrix(*call.y), call.type, !is_nothing(call.handle, call.beta, call.type),
                     work, y);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  status = with_type(call.type, [&](auto zero) {
    using T = decltype(zero);
    return status_of(launch_product<T>(
        rows, scalar<T>(call.handle, call.alpha), Dense<const T>{static_cast<T*>(x.values)}, false,
        scalar<T>(call.handle, call.beta), Dense<T>{static_cast<T*>(y.values)}, 1,
        call.handle->stream));
  });
  return status == CUSPARSE_STATUS_SUCCESS ? back(y, as_matrix(*call.y), work) : status;
}

struct MatrixProduct {
  Handle handle;
  cusparseOperation_t operation_a, operation_b;
  const void* alpha;
  cusparseConstSpMatDescr_t a;
  cusparseConstDnMatDescr_t b;
  const void* beta;
  cusparseDnMatDescr_t c;
  cudaDataType type;
};

Check check(const MatrixProduct& call) {
  Check check = check_operands(call);
  if (check.failed()) return check;
  const int batch = call.c->batch_count;
  const auto fits = [&](int count) { return count == 1 || count == batch; };
  constexpr const char* other_batch = "has another batch than C";
  return check.that(fits(call.a->batch_count), "matA", Answers::invalid, other_batch)
      .that(fits(call.b->batch_count), "matB", Answers::invalid, other_batch)
      .there(has_rows(*call.a), "matA")
      .there(has_types(call.type, call.a->type, call.b->type, call.c->type), "computeType");
}

/// One of a batch, of A's rows.
cusparseStatus_t multiply(const MatrixProduct& call, const Rows& rows,
                          const cusparseDnMatDescr& of_b, const cusparseDnMatDescr& of_c,
                          int batch) {
  return with_type(call.type, [&](auto zero) {
    using T = decltype(zero);
    auto b = dense<const T>(call.operation_b, of_b);
    auto c = dense<T>(CUSPARSE_OPERATION_NON_TRANSPOSE, of_c);
    b.start += of_b.batch_count > 1 ? batch * b.next : 0;
    c.start += batch * c.next;
    const bool conjugates = call.operation_b == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
    return status_of(launch_product<T>(rows, scalar<T>(call.handle, call.alpha), b, conjugates,
                                       scalar<T>(call.handle, call.beta), c, of_c.columns,
                                       call.handle->stream));
  });
}

cusparseStatus_t multiply(const MatrixProduct& call) {
  if (const Check arguments = check(call); arguments.failed()) return arguments.status();
  Workspace work(call.handle->stream);
  cusparseDnMatDescr b, c;
  cusparseStatus_t status = as_type(*call.b, call.type, true, work, b);
  if (status == CUSPARSE_STATUS_SUCCESS)
    status = as_type(*call.c, call.type, !is_nothing(call.handle, call.beta, call.type), work, c);
  Rows rows;
  for (int i = 0; status == CUSPARSE_STATUS_SUCCESS && i < call.c->batch_count; ++i) {
    if (i == 0 || call.a->batch_count > 1)
      status = compressed_rows(*call.a, call.operation_a, i, call.type, work, rows);
    if (status == CUSPARSE_STATUS_SUCCESS) status = multiply(call, rows, b, c, i);
  }
  return status == CUSPARSE_STATUS_SUCCESS ? back(c, *call.c, work) : status;
}

struct SampledProduct {
  Handle handle;
  cusparseOperation_t operation_a, operation_b;
  const void* alpha;
  cusparseConstDnMatDescr_t a, b;
  const void* beta;
  cusparseSpMatDescr_t c;
  cudaDataType type;
};

/// Documented: C is CSR or BSR; no conjugates.
Check check(const SampledProduct& call) {
  Check check = check_operands(call);
  if (check.failed()) return check;
  const bool conjugates = call.operation_a == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ||
                          call.operation_b == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  const bool has_format =
      call.c->format == CUSPARSE_FORMAT_CSR || call.c->format == CUSPARSE_FORMAT_BSR;
  const bool has_all_types = computes(call.type, call.c->type) &&
                             has_types(call.type, call.a->type, call.b->type, call.c->type);
  return check.there(has_format && has_rows(*call.c), "matC")
      .that(!conjugates, "opA", Answers::unsupported, "is conjugated, or opB is")
      .there(has_all_types, "computeType");
}

cusparseStatus_t multiply(const SampledProduct& call) {
  if (const Check arguments = check(call); arguments.failed()) return arguments.status();
  Workspace work(call.handle->stream);
  cusparseDnMatDescr of_a, of_b;
  cusparseStatus_t status = as_type(*call.a, call.type, true, work, of_a);
  if (status == CUSPARSE_STATUS_SUCCESS) status = as_type(*call.b, call.type, true, work, of_b);
  for (int batch = 0; status == CUSPARSE_STATUS_SUCCESS && batch < call.c->batch_count; ++batch) {
    Rows rows;
    status =
        compressed_rows(*call.c, CUSPARSE_OPERATION_NON_TRANSPOSE, batch, call.type, work, rows);
    if (status != CUSPARSE_STATUS_SUCCESS) return status;
    status = with_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      auto a = dense<const T>(call.operation_a, of_a);
      auto b = dense<const T>(call.operation_b, of_b);
      a.start += of_a.batch_count > 1 ? batch * a.next : 0;
      b.start += of_b.batch_count > 1 ? batch * b.next : 0;
      // The matrix's own, or those made of them.
      T* const values = static_cast<T*>(const_cast<void*>(rows.values));
      return status_of(launch_sampled_product<T>(rows, values, scalar<T>(call.handle, call.alpha),
                                                 a, b, shape(call.operation_a, *call.a).second,
                                                 scalar<T>(call.handle, call.beta),
                                                 call.handle->stream));
    });
    if (status == CUSPARSE_STATUS_SUCCESS) status = put_back(rows, call.type, *call.c, batch, work);
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
  return sparse::check(sparse::VectorProduct{handle, operation, alpha, a, x, beta, y, type})
      .status();
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
             sparse::MatrixProduct{handle, operation_a, operation_b, alpha, a, b, beta, c, type})
      .status();
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
             sparse::SampledProduct{handle, operation_a, operation_b, alpha, a, b, beta, c, type})
      .status();
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
