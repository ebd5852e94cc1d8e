// cuSPARSE: vectors with few elements.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/api/arguments.h"

namespace gridspan::libraries::sparse {
namespace {

Check check(Handle handle, cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y) {
  Check check(handle);
  if (check.live(x, "vecX").live(y, "vecY").failed()) return check;
  return check.same(y->size, x->size, "vecY", "vecX").there(x->type == y->type, "vecY");
}

template <typename T>
Few<T> few(const cusparseSpVecDescr& x) {
  return {x.count, x.indices, static_cast<T*>(x.values), x.index_type == CUSPARSE_INDEX_64I,
          x.base == CUSPARSE_INDEX_BASE_ONE};
}

/// Calls `run` with a number of the vectors' type.
template <typename Run>
cusparseStatus_t with_vectors(Handle handle, cusparseConstSpVecDescr_t x,
                              cusparseConstDnVecDescr_t y, Run run) {
  Check arguments = check(handle, x, y);
  if (!arguments.failed()) arguments.there(computes(x->type), "vecX");
  return arguments.failed() ? arguments.status() : with_type(x->type, run);
}

/// A copy to host memory is waited for; one that becomes part of a graph is not.
cudaError_t wait_for_copy(cudaStream_t stream) {
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  const cudaError_t error = cudaStreamIsCapturing(stream, &capture);
  if (error != cudaSuccess || capture != cudaStreamCaptureStatusNone) return error;
  return cudaStreamSynchronize(stream);
}

/// A result in host memory is waited for.
template <typename T>
cusparseStatus_t dot(cusparseHandle_t handle, cusparseOperation_t operation,
                     cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y, T* result) {
  const bool conjugates = operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  const T* const from = static_cast<const T*>(y->values);
  const cudaStream_t stream = handle->stream;
  if (handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE)
    return status_of(launch_dot<T>(few<const T>(*x), conjugates, from, result, stream));
  Workspace work(stream);
  T* const place = static_cast<T*>(work.bytes(sizeof(T)));
  if (!place) return CUSPARSE_STATUS_ALLOC_FAILED;
  cudaError_t error = launch_dot<T>(few<const T>(*x), conjugates, from, place, stream);
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(result, place, sizeof(T), cudaMemcpyDeviceToHost, stream);
  const cudaError_t waited = wait_for_copy(stream);
  return status_of(error != cudaSuccess ? error : waited);
}

}  // namespace
}  // namespace gridspan::libraries::sparse

using namespace gridspan::libraries::sparse;  // NOLINT(google-build-using-namespace)

extern "C" {

cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void* alpha,
                               cusparseConstSpVecDescr_t x, const void* beta,
                               cusparseDnVecDescr_t y) {
  if (const auto factors = Check(__func__).given(alpha, "alpha").given(beta, "beta");
      factors.failed())
    return factors.status();
  return with_vectors(handle, x, y, [&](auto zero) {
    using T = decltype(zero);
    return status_of(launch_axpby<T>(scalar<T>(handle, alpha), few<const T>(*x),
                                     scalar<T>(handle, beta), static_cast<T*>(y->values), y->size,
                                     handle->stream));
  });
}

cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void* c, const void* s,
                             cusparseSpVecDescr_t x, cusparseDnVecDescr_t y) {
  if (const auto factors = Check(__func__).given(c, "c_coeff").given(s, "s_coeff");
      factors.failed())
    return factors.status();
  return with_vectors(handle, x, y, [&](auto zero) {
    using T = decltype(zero);
    return status_of(launch_rotation<T>(scalar<T>(handle, c), scalar<T>(handle, s), few<T>(*x),
                                        static_cast<T*>(y->values), handle->stream));
  });
}

cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y,
                                cusparseSpVecDescr_t x) {
  return with_vectors(handle, x, y, [&](auto zero) {
    using T = decltype(zero);
    return status_of(
        launch_gather<T>(static_cast<const T*>(y->values), few<T>(*x), handle->stream));
  });
}

cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x,
                                 cusparseDnVecDescr_t y) {
  return with_vectors(handle, x, y, [&](auto zero) {
    using T = decltype(zero);
    return status_of(
        launch_scatter<T>(few<const T>(*x), static_cast<T*>(y->values), handle->stream));
  });
}

cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t,
                                         cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,
                                         const void*, cudaDataType, size_t* size) {
  return give_size(check(handle, x, y), size);
}

cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t operation,
                              cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,
                              void* result, cudaDataType type, void*) {
  return with_vectors(handle, x, y, [&](auto zero) {
    using T = decltype(zero);
    const auto check =
        Check("cusparseSpVV").given(result, "result").there(type == x->type, "computeType");
    if (check.failed()) return check.status();
    return dot<T>(handle, operation, x, y, static_cast<T*>(result));
  });
}

}  // extern "C"
