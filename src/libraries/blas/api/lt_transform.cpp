// cuBLASLt: matrices from one type and order to another, scaled and added.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/api/lt_matmul.h"
#include "libraries/blas/api/work.h"
#include "libraries/blas/kernels/structured.h"

namespace gridspan::libraries::blas {
namespace {

bool is_transformed_type(std::uint32_t type) {
  switch (type) {
    case CUDA_R_32F:
    case CUDA_R_64F:
    case CUDA_R_16F:
    case CUDA_R_16BF:
    case CUDA_R_8I:
    case CUDA_R_32I:
    case CUDA_R_8F_E4M3:
    case CUDA_R_8F_E5M2:
      return true;
    default:
      return false;
  }
}

struct TransformCall {
  Transform transform;
  const void *alpha, *a;
  const Layout* a_layout;  // null: there is none
  const void *beta, *b;
  const Layout* b_layout;
  void* c;
  Layout c_layout;
  cudaStream_t stream;
};

/// Does op(matrix) have the size of C?
cublasStatus_t check_operand(Check& arguments, const TransformCall& call, const Layout& layout,
                             const char* name, std::int32_t operation) {
  if (!is_operation(static_cast<cublasOperation_t>(operation)))
    return arguments.refuse("transformDesc", "has a transposition that is none");
  if (const cublasStatus_t status = check(arguments, layout, name); status != CUBLAS_STATUS_SUCCESS)
    return status;
  const bool is_whole = operation == CUBLAS_OP_N;
  const bool fits = (is_whole ? layout.rows : layout.columns) == call.c_layout.rows &&
                    (is_whole ? layout.columns : layout.rows) == call.c_layout.columns &&
                    layout.batch_count == call.c_layout.batch_count;
  if (!fits) return arguments.refuse(name, "has not the size and batch of Cdesc");
  return arguments.supported(is_transformed_type(layout.type), name).status();
}

template <typename T>
Scalar<T> factor(Work& work, const TransformCall& call, const void* place) {
  const auto type = static_cast<cudaDataType>(call.transform.scale_type);
  if (call.transform.pointer_mode == CUBLASLT_POINTER_MODE_HOST) {
    if (!place) return {T(0), nullptr};
    if (type == CUDA_R_16F) return {T(__half2float(*static_cast<const __half*>(place))), nullptr};
    if (type == CUDA_R_16BF)
      return {T(__bfloat162float(*static_cast<const __nv_bfloat16*>(place))), nullptr};
    if (type == CUDA_R_64F) return {T(*static_cast<const double*>(place)), nullptr};
    if (type == CUDA_R_32I) return {T(*static_cast<const int*>(place)), nullptr};
    return {T(*static_cast<const float*>(place)), nullptr};
  }
  T* const result = work.take<T>(1);
  work.step([&] {
    return launch_number<T>(Scalar<T>{T(0), nullptr}, place, type, nullptr, nullptr, result,
                            work.stream());
  });
  return {T(0), result};
}

/// Whole numbers of 32 bits are exact in double only.
template <typename T>
cublasStatus_t transform(const TransformCall& call) {
  Work work(call.stream);
  const auto m = static_cast<std::int64_t>(call.c_layout.rows),
             n = static_cast<std::int64_t>(call.c_layout.columns);
  const std::int64_t batch_count = call.c_layout.batch_count;
  const Scalar<T> alpha = factor<T>(work, call, call.alpha);
  const Scalar<T> beta =
      call.b_layout ? factor<T>(work, call, call.beta) : Scalar<T>{T(0), nullptr};
  const auto loaded = [&](const void* base, const Layout* layout, std::int32_t operation,
                          const Scalar<T>& scale) -> T* {
    if (!layout || (!scale.place && is_zero(scale.value))) return nullptr;
    T* const place = work.take<T>(m * n * batch_count);
    work.step([&] {
      return launch_load<T>(m, n, batch_count,
                            {base, static_cast<cudaDataType>(layout->type), placement_of(*layout),
                             operation != CUBLAS_OP_N},
                            place, work.stream());
    });
    return place;
  };
  const T* const a = loaded(call.a, call.a_layout, call.transform.transpose_a, alpha);
  const T* const b = loaded(call.b, call.b_layout, call.transform.transpose_b, beta);
  T* const c = work.take<T>(m * n * batch_count);
  // Products of a batch lie one after the other: columns of one matrix.
  Operand<T> first, second;
  first.base = a ? a : c;
  second.base = b ? b : c;
  first.lead = second.lead = m;
  const Scalar<T> nothing = {T(0), nullptr};
  work.step([&] {
    return launch_geam<T>(m, n * batch_count, a ? alpha : nothing, first, b ? beta : nothing,
                          second, c, m, work.stream());
  });
  work.step([&] {
    return launch_store<T>(
        m, n, batch_count, c, nullptr,
        {call.c, static_cast<cudaDataType>(call.c_layout.type), placement_of(call.c_layout)},
        work.stream());
  });
  return work.finish();
}

cublasStatus_t run_transform(const TransformCall& call) {
  Check arguments("cublasLtMatrixTransform");
  if (!call.a_layout && !call.b_layout) return arguments.refuse("Adesc", "is null, as Bdesc is");
  cublasStatus_t status = check(arguments, call.c_layout, "Cdesc");
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  if (call.a_layout) {
    if (arguments.given(call.a, "A").given(call.alpha, "alpha").failed()) return arguments.status();
    status = check_operand(arguments, call, *call.a_layout, "Adesc", call.transform.transpose_a);
    if (status != CUBLAS_STATUS_SUCCESS) return status;
  }
  if (call.b_layout) {
    if (arguments.given(call.b, "B").given(call.beta, "beta").failed()) return arguments.status();
    status = check_operand(arguments, call, *call.b_layout, "Bdesc", call.transform.transpose_b);
    if (status != CUBLAS_STATUS_SUCCESS) return status;
  }
  if (arguments.given(call.c, "C").failed()) return arguments.status();
  const bool is_host = call.transform.pointer_mode == CUBLASLT_POINTER_MODE_HOST;
  if (!is_host && call.transform.pointer_mode != CUBLASLT_POINTER_MODE_DEVICE)
    return arguments.refuse("transformDesc", "has a pointer mode that is not there",
                            Answers::unsupported);
  switch (call.transform.scale_type) {
    case CUDA_R_32F:
    case CUDA_R_64F:
    case CUDA_R_16F:
    case CUDA_R_16BF:
    case CUDA_R_32I:
      break;
    default:
      return arguments.refuse("transformDesc", "has a type of factors that is not there",
                              Answers::unsupported);
  }
  if (!is_transformed_type(call.c_layout.type))
    return arguments.refuse("Cdesc", "has a type that is not there", Answers::unsupported);
  if (call.c_layout.rows == 0 || call.c_layout.columns == 0 || call.c_layout.batch_count == 0)
    return CUBLAS_STATUS_SUCCESS;
  const auto is_wide = [](std::uint32_t type) { return type == CUDA_R_64F || type == CUDA_R_32I; };
  const bool in_double = is_wide(call.c_layout.type) ||
                         (call.a_layout && is_wide(call.a_layout->type)) ||
                         (call.b_layout && is_wide(call.b_layout->type)) ||
                         is_wide(static_cast<std::uint32_t>(call.transform.scale_type));
  return in_double ? transform<double>(call) : transform<float>(call);
}

}  // namespace
}  // namespace gridspan::libraries::blas

namespace blas = gridspan::libraries::blas;

extern "C" cublasStatus_t cublasLtMatrixTransform(cublasLtHandle_t handle,
                                                  cublasLtMatrixTransformDesc_t transform,
                                                  const void* alpha, const void* A,
                                                  cublasLtMatrixLayout_t a, const void* beta,
                                                  const void* B, cublasLtMatrixLayout_t b, void* C,
                                                  cublasLtMatrixLayout_t c, cudaStream_t stream) {
  const auto check = blas::lt_check(handle).given(transform, "transformDesc").given(c, "Cdesc");
  if (check.failed()) return check.status();
  const auto layout = [](cublasLtMatrixLayout_t x) {
    return x ? &blas::contents<blas::Layout>(x) : nullptr;
  };
  blas::lt_log(blas::LtLog::call, "cublasLtMatrixTransform", "begins");
  const cublasStatus_t status =
      blas::run_transform({blas::contents<blas::Transform>(transform), alpha, A, layout(a), beta, B,
                           layout(b), C, blas::contents<blas::Layout>(c), stream});
  if (status != CUBLAS_STATUS_SUCCESS)
    blas::lt_log(blas::LtLog::error, "cublasLtMatrixTransform", cublasGetStatusName(status));
  return status;
}
