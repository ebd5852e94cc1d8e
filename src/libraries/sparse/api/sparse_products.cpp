// cuSPARSE: products of two sparse matrices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of A meet elements of B: all products of a row, in order of columns, then of A's elements,
// are added up. The bits of a result depend on nothing else. Memory: 12 to 24 bytes a product.
#include "libraries/sparse/api/arguments.h"
#include "libraries/support/device_array.h"

struct cusparseSpGEMMDescr {
  gridspan::libraries::DeviceArray offsets, keys, values;  // Products
  gridspan::libraries::DeviceArray starts;                 // of C's rows
  std::int64_t products = 0;
  bool is_computed = false;
};

namespace gridspan::libraries::sparse {
namespace {

struct Call {
  Handle handle;
  cusparseOperation_t operation_a, operation_b;
  const void* alpha;
  cusparseConstSpMatDescr_t a, b;
  const void* beta;
  cusparseSpMatDescr_t c;
  cudaDataType type;
  cusparseSpGEMMDescr_t plan;
};

/// Documented: CSR, neither transposed.
Check check(const Call& call) {
  Check check(call.handle);
  check.given(call.alpha, "alpha").live(call.a, "matA").live(call.b, "matB");
  check.given(call.beta, "beta").live(call.c, "matC").live(call.plan, "spgemmDescr");
  if (check.failed()) return check;
  check.same(call.b->rows, call.a->columns, "matB", "columns of A");
  check.same(call.c->rows, call.a->rows, "matC", "rows of A");
  check.same(call.c->columns, call.b->columns, "matC", "columns of B");
  check.supported(is_plain(call.operation_a), "opA").supported(is_plain(call.operation_b), "opB");
  const auto is_there = [&](const cusparseSpMatDescr& matrix) {
    return matrix.format == CUSPARSE_FORMAT_CSR && has_rows(matrix) && matrix.type == call.type &&
           matrix.offset_type == call.a->offset_type && matrix.index_type == call.a->index_type;
  };
  return check.there(is_there(*call.a), "matA")
      .there(is_there(*call.b), "matB")
      .there(is_there(*call.c), "matC");
}

/// A step whose product was computed, and whose C has arrays.
Check check_computed(const Call& call) {
  return Check(call.handle)
      .that(call.plan->is_computed, "spgemmDescr", Answers::invalid, "has no product yet")
      .that(call.c->offsets, "matC", Answers::invalid, "has no arrays");
}

Rows rows_of(const cusparseSpMatDescr& matrix, Workspace& work) {
  Rows rows;
  compressed_rows(matrix, CUSPARSE_OPERATION_NON_TRANSPOSE, 0, work, rows);  // as it is stored
  return rows;
}

template <typename T>
Products<T> products_of(const cusparseSpGEMMDescr& plan) {
  return {plan.offsets.as<std::int64_t>(), plan.keys.as<std::int64_t>(), plan.values.as<T>()};
}

/// Sums of `count` numbers in place; the last one, waited for.
cusparseStatus_t sum_up(std::int64_t* numbers, std::int64_t count, std::int64_t& last,
                        Workspace& work) {
  auto* const sums = static_cast<std::int64_t*>(work.bytes(8 * (count / 1024 + 2)));
  if (!sums) return CUSPARSE_STATUS_ALLOC_FAILED;
  const cudaStream_t stream = work.stream();
  cudaError_t error = launch_sums(numbers, true, count, sums, stream);
  if (error == cudaSuccess)
    error =
        cudaMemcpyAsync(&last, numbers + count - 1, sizeof last, cudaMemcpyDeviceToHost, stream);
  if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
  return status_of(error);
}

cusparseStatus_t count_products(const Call& call) {
  Workspace work(call.handle->stream);
  cusparseSpGEMMDescr& plan = *call.plan;
  const auto ends = static_cast<std::size_t>(call.a->rows + 1);
  plan.is_computed = false;
  if (!plan.offsets.make(ends * 8)) return CUSPARSE_STATUS_ALLOC_FAILED;
  const cudaError_t error =
      launch_count_products(rows_of(*call.a, work), rows_of(*call.b, work),
                            plan.offsets.as<std::int64_t>(), call.handle->stream);
  if (error != cudaSuccess) return status_of(error);
  return sum_up(plan.offsets.as<std::int64_t>(), call.a->rows + 1, plan.products, work);
}

cusparseStatus_t compute(const Call& call) {
  const cusparseStatus_t counted = count_products(call);
  if (counted != CUSPARSE_STATUS_SUCCESS) return counted;
  Workspace work(call.handle->stream);
  cusparseSpGEMMDescr& plan = *call.plan;
  const auto products = static_cast<std::size_t>(plan.products + 1);
  if (!plan.keys.make(products * 8) ||
      !plan.values.make(products * static_cast<std::size_t>(bytes_of(call.type))) ||
      !plan.starts.make(static_cast<std::size_t>(call.a->rows + 1) * 8))
    return CUSPARSE_STATUS_ALLOC_FAILED;
  const cusparseStatus_t status = with_type(call.type, [&](auto zero) {
    using T = decltype(zero);
    return status_of(launch_multiply<T>(rows_of(*call.a, work), rows_of(*call.b, work),
                                        products_of<T>(plan), plan.starts.as<std::int64_t>(),
                                        call.handle->stream));
  });
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  plan.is_computed = true;
  return sum_up(plan.starts.as<std::int64_t>(), call.a->rows + 1, call.c->count, work);
}

/// Into C's arrays, which are those of the call before: what is in them counts beta times.
cusparseStatus_t copy(const Call& call, bool indices, bool values) {
  if (const Check check = check_computed(call); check.failed()) return check.status();
  Workspace work(call.handle->stream);
  const Rows rows = rows_of(*call.c, work);
  return with_type(call.type, [&](auto zero) {
    using T = decltype(zero);
    return status_of(
        launch_add_up<T>(products_of<T>(*call.plan), call.plan->starts.as<std::int64_t>(),
                         scalar<T>(call.handle, call.alpha), scalar<T>(call.handle, call.beta),
                         rows, call.c->offsets, indices ? call.c->indices : nullptr,
                         values ? static_cast<T*>(call.c->values) : nullptr, call.handle->stream));
  });
}

/// The values of a product whose pattern is known.
cusparseStatus_t compute_again(const Call& call) {
  if (const Check check = check_computed(call); check.failed()) return check.status();
  Workspace work(call.handle->stream);
  auto* const counts = static_cast<std::int64_t*>(work.bytes(8 * (call.a->rows + 1)));
  if (!counts) return CUSPARSE_STATUS_ALLOC_FAILED;
  const cusparseStatus_t status = with_type(call.type, [&](auto zero) {
    using T = decltype(zero);
    return status_of(launch_multiply<T>(rows_of(*call.a, work), rows_of(*call.b, work),
                                        products_of<T>(*call.plan), counts, call.handle->stream));
  });
  return status == CUSPARSE_STATUS_SUCCESS ? copy(call, false, true) : status;
}

/// The steps of a pattern that is used again have no factors: these are not used.
Call pattern_call(Handle handle, cusparseOperation_t operation_a, cusparseOperation_t operation_b,
                  cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c,
                  cusparseSpGEMMDescr_t plan) {
  static const double none[2] = {0, 0};
  const cudaDataType type = is_live(a) ? a->type : CUDA_R_32F;
  return {handle, operation_a, operation_b, none, a, b, none, c, type, plan};
}

}  // namespace
}  // namespace gridspan::libraries::sparse

namespace sparse = gridspan::libraries::sparse;
using namespace gridspan::libraries;  // NOLINT(google-build-using-namespace): the C functions

extern "C" {

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t* plan) {
  if (const auto check = sparse::Check(__func__).given(plan, "descr"); check.failed())
    return check.status();
  return create_live(plan) ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t plan) {
  if (!plan) return CUSPARSE_STATUS_SUCCESS;
  return live<cusparseSpGEMMDescr>().destroy(plan)
             ? CUSPARSE_STATUS_SUCCESS
             : sparse::Check(__func__).no_object(plan, "descr");
}

// Without a buffer, the first call of a step asks for its size.
cusparseStatus_t cusparseSpGEMM_workEstimation(
    cusparseHandle_t handle, cusparseOperation_t operation_a, cusparseOperation_t operation_b,
    const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void* beta,
    cusparseSpMatDescr_t c, cudaDataType type, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t plan,
    size_t* size, void* buffer) {
  const sparse::Call call = {handle, operation_a, operation_b, alpha, a, b, beta, c, type, plan};
  const cusparseStatus_t status = sparse::give_size(sparse::check(call), size);
  return status == CUSPARSE_STATUS_SUCCESS && buffer ? sparse::count_products(call) : status;
}

cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t plan, int64_t* count) {
  const auto check = sparse::Check(__func__).live(plan, "spgemmDescr").given(count, "num_prods");
  if (check.failed()) return check.status();
  *count = plan->products;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpGEMM_estimateMemory(
    cusparseHandle_t handle, cusparseOperation_t operation_a, cusparseOperation_t operation_b,
    const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void* beta,
    cusparseSpMatDescr_t c, cudaDataType type, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t plan,
    float, size_t* size3, void*, size_t* size2) {
  const sparse::Call call = {handle, operation_a, operation_b, alpha, a, b, beta, c, type, plan};
  const auto check = sparse::check(call);
  const cusparseStatus_t status = sparse::give_size(check, size3);
  return size2 && status == CUSPARSE_STATUS_SUCCESS ? sparse::give_size(check, size2) : status;
}

cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t operation_a,
                                        cusparseOperation_t operation_b, const void* alpha,
                                        cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                        const void* beta, cusparseSpMatDescr_t c, cudaDataType type,
                                        cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t plan,
                                        size_t* size, void* buffer) {
  const sparse::Call call = {handle, operation_a, operation_b, alpha, a, b, beta, c, type, plan};
  const cusparseStatus_t status = sparse::give_size(sparse::check(call), size);
  return status == CUSPARSE_STATUS_SUCCESS && buffer ? sparse::compute(call) : status;
}

cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t operation_a,
                                     cusparseOperation_t operation_b, const void* alpha,
                                     cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                     const void* beta, cusparseSpMatDescr_t c, cudaDataType type,
                                     cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t plan) {
  const sparse::Call call = {handle, operation_a, operation_b, alpha, a, b, beta, c, type, plan};
  const auto check = sparse::check(call);
  return check.failed() ? check.status() : sparse::copy(call, true, true);
}

// The pattern of C, then values as often as they change.
cusparseStatus_t cusparseSpGEMMreuse_workEstimation(
    cusparseHandle_t handle, cusparseOperation_t operation_a, cusparseOperation_t operation_b,
    cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, cusparseSpMatDescr_t c,
    cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t plan, size_t* size, void*) {
  return sparse::give_size(
      sparse::check(sparse::pattern_call(handle, operation_a, operation_b, a, b, c, plan)), size);
}

// Without a buffer, the first call asks for the sizes.
cusparseStatus_t cusparseSpGEMMreuse_nnz(cusparseHandle_t handle, cusparseOperation_t operation_a,
                                         cusparseOperation_t operation_b,
                                         cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                         cusparseSpMatDescr_t c, cusparseSpGEMMAlg_t,
                                         cusparseSpGEMMDescr_t plan, size_t* size2, void* buffer2,
                                         size_t* size3, void* buffer3, size_t* size4,
                                         void* buffer4) {
  const sparse::Call call = sparse::pattern_call(handle, operation_a, operation_b, a, b, c, plan);
  const auto check = sparse::check(call);
  cusparseStatus_t status = check.status();
  for (size_t* const size : {size2, size3, size4})
    if (status == CUSPARSE_STATUS_SUCCESS) status = sparse::give_size(check, size);
  const bool has_buffers = buffer2 || buffer3 || buffer4;
  return status == CUSPARSE_STATUS_SUCCESS && has_buffers ? sparse::compute(call) : status;
}

cusparseStatus_t cusparseSpGEMMreuse_copy(cusparseHandle_t handle, cusparseOperation_t operation_a,
                                          cusparseOperation_t operation_b,
                                          cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                          cusparseSpMatDescr_t c, cusparseSpGEMMAlg_t,
                                          cusparseSpGEMMDescr_t plan, size_t* size, void* buffer) {
  const sparse::Call call = sparse::pattern_call(handle, operation_a, operation_b, a, b, c, plan);
  const cusparseStatus_t status = sparse::give_size(sparse::check(call), size);
  return status == CUSPARSE_STATUS_SUCCESS && buffer ? sparse::copy(call, true, false) : status;
}

cusparseStatus_t cusparseSpGEMMreuse_compute(
    cusparseHandle_t handle, cusparseOperation_t operation_a, cusparseOperation_t operation_b,
    const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void* beta,
    cusparseSpMatDescr_t c, cudaDataType type, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t plan) {
  const sparse::Call call = {handle, operation_a, operation_b, alpha, a, b, beta, c, type, plan};
  const auto check = sparse::check(call);
  return check.failed() ? check.status() : sparse::compute_again(call);
}

}  // extern "C"
