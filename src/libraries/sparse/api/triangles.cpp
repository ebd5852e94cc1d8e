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
cusparseStatus_t create(Descriptor** descriptor, const char* call = __builtin_FUNCTION()) {
  if (const Check check = Check(call).given(descriptor, "descr"); check.failed())
    return check.status();
  return create_live(descriptor) ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

template <typename Descriptor>
cusparseStatus_t destroy(Descriptor* descriptor, const char* call = __builtin_FUNCTION()) {
  if (!descriptor) return CUSPARSE_STATUS_SUCCESS;
  return live<Descriptor>().destroy(descriptor) ? CUSPARSE_STATUS_SUCCESS
                                                : Check(call).no_object(descriptor, "descr");
}

/// op(A) X = alpha op(B), into X.
struct Solution {
  Handle handle;
  cusparseOperation_t operation_a, operation_b;
  const void* alpha;
  cusparseConstSpMatDescr_t a;
  cusparseDnMatDescr b, x;
  cudaDataType type;
};

/// `b` and `x` are what the function calls them.
void check_solution(Check& check, const Solution& call, const char* b, const char* x) {
  check.given(call.alpha, "alpha").operation(call.operation_a, "opA");
  check.operation(call.operation_b, "opB");
  if (check.failed()) return;
  const auto [rows, columns] = shape(call.operation_b, call.b);
  check.same(call.a->columns, call.a->rows, "matA", "its rows");
  check.same(rows, call.a->rows, b, "rows of A");
  check.same(call.x.rows, rows, x, "rows of the right side");
  check.same(call.x.columns, columns, x, "columns of the right side");
  const cudaDataType type = call.a->type;
  check.there(has_rows(*call.a) && computes(type), "matA").there(call.b.type == type, b);
  check.there(call.x.type == type, x).there(call.type == type, "computeType");
  check.supported(call.operation_b != CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, "opB");
}

cusparseStatus_t solve(const Solution& call, const Check&) {
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
cusparseStatus_t with_vectors(Handle handle, cusparseOperation_t operation, const void* alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                              cusparseDnVecDescr_t y, cudaDataType type,
                              cusparseSpSVDescr_t descriptor, Run run) {
  Check check(handle);
  check.live(a, "matA").live(x, "vecX").live(y, "vecY").live(descriptor, "spsvDescr");
  if (check.failed()) return check.status();
  const Solution call = {handle,        operation, CUSPARSE_OPERATION_NON_TRANSPOSE,
                         alpha,         a,         as_matrix(*x),
                         as_matrix(*y), type};
  check_solution(check, call, "vecX", "vecY");
  return check.failed() ? check.status() : run(call, check);
}

template <typename Run>
cusparseStatus_t with_matrices(Handle handle, cusparseOperation_t operation_a,
                               cusparseOperation_t operation_b, const void* alpha,
                               cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                               cusparseDnMatDescr_t c, cudaDataType type,
                               cusparseSpSMDescr_t descriptor, Run run) {
  Check check(handle);
  check.live(a, "matA").live(b, "matB").live(c, "matC").live(descriptor, "spsmDescr");
  if (check.failed()) return check.status();
  const Solution call = {handle, operation_a, operation_b, alpha, a, *b, *c, type};
  check_solution(check, call, "matB", "matC");
  return check.failed() ? check.status() : run(call, check);
}

cusparseStatus_t nothing(const Solution&, const Check& check) { return check.status(); }

/// What answers how much room is needed.
auto giving(std::size_t* size) {
  return [size](const Solution&, const Check& check) { return give_size(check, size); };
}

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
  return sparse::with_vectors(handle, operation, alpha, a, x, y, type, descriptor,
                              sparse::giving(size));
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
  return sparse::with_matrices(handle, operation_a, operation_b, alpha, a, b, c, type, descriptor,
                               sparse::giving(size));
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
