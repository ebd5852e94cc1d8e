// cuBLAS: products of general matrices, of all types, batched and grouped.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/gemm.h"

#include "libraries/blas/api/converted_products.h"

#include <cublas_api.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace gridspan::libraries::blas {
namespace {

/// Matrices as a call gives them: one, or a batch at equal distances or behind pointers in device
/// memory.
struct Given {
  const void* base = nullptr;
  const void* const* array = nullptr;
  std::int64_t lead = 0, stride = 0;
};

struct Call {
  Handle handle;
  cublasOperation_t transpose_a, transpose_b;
  std::int64_t m, n, k;
  const void* alpha;
  Given a, b;
  const void* beta;
  Given c;
  std::int64_t batch_count = 1;
};

/// The documented checks.
cublasStatus_t check(const Call& call) {
  return Check(call.handle)
      .operation(call.transpose_a, "transa")
      .operation(call.transpose_b, "transb")
      .size(call.m, "m")
      .size(call.n, "n")
      .size(call.k, "k")
      .size(call.batch_count, "batchCount")
      .lead(call.a.lead, call.transpose_a == CUBLAS_OP_N ? call.m : call.k, "lda")
      .lead(call.b.lead, call.transpose_b == CUBLAS_OP_N ? call.k : call.n, "ldb")
      .lead(call.c.lead, call.m, "ldc")
      .given(call.alpha, "alpha")
      .given(call.beta, "beta")
      .status();
}

template <typename T>
Matrices<const T> operand(const Given& given, cublasOperation_t operation) {
  Matrices<const T> result;
  result.base = static_cast<const T*>(given.base);
  result.array = reinterpret_cast<const T* const*>(given.array);
  result.row = operation == CUBLAS_OP_N ? 1 : given.lead;
  result.column = operation == CUBLAS_OP_N ? given.lead : 1;
  result.batch = given.stride;
  result.conjugates = operation == CUBLAS_OP_C;
  return result;
}

template <typename Sum, typename Scale, typename In, typename Out>
cublasStatus_t run(const Call& call) {
  if (const cublasStatus_t status = check(call); status != CUBLAS_STATUS_SUCCESS) return status;
  if (call.m == 0 || call.n == 0 || call.batch_count == 0) return CUBLAS_STATUS_SUCCESS;
  Gemm<Sum, Scale, In, Out> gemm;
  gemm.m = call.m;
  gemm.n = call.n;
  gemm.k = call.k;
  gemm.batch_count = call.batch_count;
  gemm.alpha = scalar<Scale>(call.handle, call.alpha);
  gemm.beta = scalar<Scale>(call.handle, call.beta);
  gemm.a = operand<In>(call.a, call.transpose_a);
  gemm.b = operand<In>(call.b, call.transpose_b);
  gemm.c.base = static_cast<Out*>(const_cast<void*>(call.c.base));
  gemm.c.array = reinterpret_cast<Out* const*>(const_cast<void* const*>(call.c.array));
  gemm.c.column = call.c.lead;
  gemm.c.batch = call.c.stride;
  gemm.stream = call.handle->stream;
  const bool adds_nothing = call.k == 0 || (!gemm.alpha.place && is_zero(gemm.alpha.value));
  if (adds_nothing && !gemm.beta.place && is_one(gemm.beta.value)) return CUBLAS_STATUS_SUCCESS;
  if constexpr (!std::is_same_v<In, Sum>) {
    // Without memory for them elements are converted one by one.
    const cublasStatus_t status = is_converted_batch(gemm) ? run_converted_batch(gemm)
                                  : is_converted(gemm)     ? run_converted(gemm)
                                                           : CUBLAS_STATUS_ALLOC_FAILED;
    if (status != CUBLAS_STATUS_ALLOC_FAILED) return status;
  }
  return status_of(launch(gemm));
}

template <typename T>
cublasStatus_t run_of(const Call& call) {
  return run<T, T, T, T>(call);
}

/// Half precision throughout; sums are of float, as documented.
template <>
cublasStatus_t run_of<__half>(const Call& call) {
  return run<float, __half, __half, __half>(call);
}

struct Types {
  cudaDataType a, b, c;
};

cublasStatus_t no_types(const Call& call, const Types& types) {
  return Check(call.handle)
      .type(types.a == types.b, types.b, "Btype")
      .type(false, types.c, "Ctype")
      .status();
}

cublasStatus_t run_in_float(const Call& call, const Types& types) {
  if (types.a != types.b) return no_types(call, types);
  const bool gives_float = types.c == CUDA_R_32F, same = types.c == types.a;
  switch (types.a) {
    case CUDA_R_32F:
      if (gives_float) return run_of<float>(call);
      break;
    case CUDA_R_16F:
      if (gives_float) return run<float, float, __half, float>(call);
      if (same) return run<float, float, __half, __half>(call);
      break;
    case CUDA_R_16BF:
      if (gives_float) return run<float, float, __nv_bfloat16, float>(call);
      if (same) return run<float, float, __nv_bfloat16, __nv_bfloat16>(call);
      break;
    case CUDA_R_8I:
      if (gives_float) return run<float, float, signed char, float>(call);
      break;
    case CUDA_C_32F:
      if (same) return run_of<cuComplex>(call);
      break;
    default:
      break;
  }
  return no_types(call, types);
}

cublasStatus_t run_typed(const Call& call, const Types& types, cublasComputeType_t compute) {
  if (const Check check(call.handle); check.failed()) return check.status();
  const auto all = [&](cudaDataType type) {
    return types.a == type && types.b == type && types.c == type;
  };
  switch (compute) {
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
    case CUBLAS_COMPUTE_32F_EMULATED_16BFX9:
      return run_in_float(call, types);
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
      if (all(CUDA_R_64F)) return run_of<double>(call);
      if (all(CUDA_C_64F)) return run_of<cuDoubleComplex>(call);
      break;
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      if (all(CUDA_R_16F)) return run_of<__half>(call);
      break;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      if (types.a == CUDA_R_8I && types.b == CUDA_R_8I && types.c == CUDA_R_32I)
        return run<int, int, signed char, int>(call);
      break;
    default:
      return Check(call.handle).known(false, compute, "computeType", Answers::unsupported).status();
  }
  return no_types(call, types);
}

/// SgemmEx and its like: alpha and beta are of type Scale.
template <typename Scale>
cublasStatus_t run_scaled(const Call& call, const Types& types) {
  const bool is_complex = types.a == CUDA_C_32F;
  Check check(call.handle);
  check.type(is_complex == std::is_same_v<Scale, cuComplex>, types.a, "Atype");
  if (check.failed()) return check.status();
  return run_typed(call, types, CUBLAS_COMPUTE_32F);
}

/// One call for each group; `run_group` takes the call and the group's number. Sizes are in host
/// memory, pointers in device memory, those of a group behind those of the group before.
template <typename Size, typename Run>
cublasStatus_t run_groups(Handle handle, const cublasOperation_t* transpose_a,
                          const cublasOperation_t* transpose_b, const Size* m, const Size* n,
                          const Size* k, const void* const* a, const Size* lda,
                          const void* const* b, const Size* ldb, const void* const* c,
                          const Size* ldc, Size group_count, const Size* group_size,
                          Run run_group) {
  const Check check = Check(handle).size(group_count, "group_count");
  if (check.failed()) return check.status();
  std::int64_t first = 0;
  for (Size g = 0; g < group_count; ++g) {
    Call call{.handle = handle,
              .transpose_a = transpose_a[g],
              .transpose_b = transpose_b[g],
              .m = m[g],
              .n = n[g],
              .k = k[g],
              .alpha = nullptr,
              .a = {.array = a + first, .lead = lda[g]},
              .b = {.array = b + first, .lead = ldb[g]},
              .beta = nullptr,
              .c = {.array = c + first, .lead = ldc[g]},
              .batch_count = group_size[g]};
    if (const cublasStatus_t status = run_group(call, g); status != CUBLAS_STATUS_SUCCESS)
      return status;
    first += group_size[g];
  }
  return CUBLAS_STATUS_SUCCESS;
}

/// Bytes of alpha and beta.
std::size_t scale_size(const Types& types, cublasComputeType_t compute) {
  switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      return sizeof(__half);
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
      return types.c == CUDA_C_64F ? sizeof(cuDoubleComplex) : sizeof(double);
    default:
      return types.c == CUDA_C_32F ? sizeof(cuComplex) : sizeof(float);
  }
}

}  // namespace
}  // namespace gridspan::libraries::blas

namespace blas = gridspan::libraries::blas;

#define GRIDSPAN_GEMM(name, T, w, I)                                                            \
  cublasStatus_t cublas##name##w(                                                               \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n, I k, \
      const T* alpha, const T* A, I lda, const T* B, I ldb, const T* beta, T* C, I ldc) {       \
    return blas::run_of<T>({handle,                                                             \
                            transa,                                                             \
                            transb,                                                             \
                            m,                                                                  \
                            n,                                                                  \
                            k,                                                                  \
                            alpha,                                                              \
                            {A, nullptr, lda},                                                  \
                            {B, nullptr, ldb},                                                  \
                            beta,                                                               \
                            {C, nullptr, ldc}});                                                \
  }

#define GRIDSPAN_GEMM_BATCHED(name, T, w, I)                                                       \
  cublasStatus_t cublas##name##Batched##w(cublasHandle_t handle, cublasOperation_t transa,         \
                                          cublasOperation_t transb, I m, I n, I k, const T* alpha, \
                                          const T* const A[], I lda, const T* const B[], I ldb,    \
                                          const T* beta, T* const C[], I ldc, I batchCount) {      \
    return blas::run_of<T>({handle,                                                                \
                            transa,                                                                \
                            transb,                                                                \
                            m,                                                                     \
                            n,                                                                     \
                            k,                                                                     \
                            alpha,                                                                 \
                            {nullptr, blas::pointers(A), lda},                                     \
                            {nullptr, blas::pointers(B), ldb},                                     \
                            beta,                                                                  \
                            {nullptr, blas::pointers(C), ldc},                                     \
                            batchCount});                                                          \
  }                                                                                                \
  cublasStatus_t cublas##name##StridedBatched##w(                                                  \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n, I k,    \
      const T* alpha, const T* A, I lda, long long int strideA, const T* B, I ldb,                 \
      long long int strideB, const T* beta, T* C, I ldc, long long int strideC, I batchCount) {    \
    return blas::run_of<T>({handle,                                                                \
                            transa,                                                                \
                            transb,                                                                \
                            m,                                                                     \
                            n,                                                                     \
                            k,                                                                     \
                            alpha,                                                                 \
                            {A, nullptr, lda, strideA},                                            \
                            {B, nullptr, ldb, strideB},                                            \
                            beta,                                                                  \
                            {C, nullptr, ldc, strideC},                                            \
                            batchCount});                                                          \
  }

#define GRIDSPAN_GEMM_GROUPED(letter, T, w, I)                                                   \
  cublasStatus_t cublas##letter##gemmGroupedBatched##w(                                          \
      cublasHandle_t handle, const cublasOperation_t transa[], const cublasOperation_t transb[], \
      const I m[], const I n[], const I k[], const T alpha[], const T* const A[], const I lda[], \
      const T* const B[], const I ldb[], const T beta[], T* const C[], const I ldc[],            \
      I group_count, const I group_size[]) {                                                     \
    return blas::run_groups(handle, transa, transb, m, n, k, blas::pointers(A), lda,             \
                            blas::pointers(B), ldb, blas::pointers(C), ldc, group_count,         \
                            group_size, [&](blas::Call& call, I g) {                             \
                              call.alpha = alpha + g;                                            \
                              call.beta = beta + g;                                              \
                              return blas::run_of<T>(call);                                      \
                            });                                                                  \
  }

// With element types as arguments, and a fixed type of computation.
#define GRIDSPAN_GEMM_OF_TYPES(name, T, w, I)                                                      \
  cublasStatus_t cublas##name##w(                                                                  \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n, I k,    \
      const T* alpha, const void* A, cudaDataType Atype, I lda, const void* B, cudaDataType Btype, \
      I ldb, const T* beta, void* C, cudaDataType Ctype, I ldc) {                                  \
    return blas::run_scaled<T>({handle,                                                            \
                                transa,                                                            \
                                transb,                                                            \
                                m,                                                                 \
                                n,                                                                 \
                                k,                                                                 \
                                alpha,                                                             \
                                {A, nullptr, lda},                                                 \
                                {B, nullptr, ldb},                                                 \
                                beta,                                                              \
                                {C, nullptr, ldc}},                                                \
                               {Atype, Btype, Ctype});                                             \
  }

#define GRIDSPAN_GEMM_EX(name, w, I)                                                              \
  cublasStatus_t cublas##name##Ex##w(                                                             \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n, I k,   \
      const void* alpha, const void* A, cudaDataType Atype, I lda, const void* B,                 \
      cudaDataType Btype, I ldb, const void* beta, void* C, cudaDataType Ctype, I ldc,            \
      cublasComputeType_t computeType, cublasGemmAlgo_t) {                                        \
    return blas::run_typed({handle,                                                               \
                            transa,                                                               \
                            transb,                                                               \
                            m,                                                                    \
                            n,                                                                    \
                            k,                                                                    \
                            alpha,                                                                \
                            {A, nullptr, lda},                                                    \
                            {B, nullptr, ldb},                                                    \
                            beta,                                                                 \
                            {C, nullptr, ldc}},                                                   \
                           {Atype, Btype, Ctype}, computeType);                                   \
  }                                                                                               \
  cublasStatus_t cublas##name##BatchedEx##w(                                                      \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n, I k,   \
      const void* alpha, const void* const A[], cudaDataType Atype, I lda, const void* const B[], \
      cudaDataType Btype, I ldb, const void* beta, void* const C[], cudaDataType Ctype, I ldc,    \
      I batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t) {                          \
    return blas::run_typed({handle,                                                               \
                            transa,                                                               \
                            transb,                                                               \
                            m,                                                                    \
                            n,                                                                    \
                            k,                                                                    \
                            alpha,                                                                \
                            {nullptr, A, lda},                                                    \
                            {nullptr, B, ldb},                                                    \
                            beta,                                                                 \
                            {nullptr, blas::pointers(C), ldc},                                    \
                            batchCount},                                                          \
                           {Atype, Btype, Ctype}, computeType);                                   \
  }                                                                                               \
  cublasStatus_t cublas##name##StridedBatchedEx##w(                                               \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n, I k,   \
      const void* alpha, const void* A, cudaDataType Atype, I lda, long long int strideA,         \
      const void* B, cudaDataType Btype, I ldb, long long int strideB, const void* beta, void* C, \
      cudaDataType Ctype, I ldc, long long int strideC, I batchCount,                             \
      cublasComputeType_t computeType, cublasGemmAlgo_t) {                                        \
    return blas::run_typed({handle,                                                               \
                            transa,                                                               \
                            transb,                                                               \
                            m,                                                                    \
                            n,                                                                    \
                            k,                                                                    \
                            alpha,                                                                \
                            {A, nullptr, lda, strideA},                                           \
                            {B, nullptr, ldb, strideB},                                           \
                            beta,                                                                 \
                            {C, nullptr, ldc, strideC},                                           \
                            batchCount},                                                          \
                           {Atype, Btype, Ctype}, computeType);                                   \
  }                                                                                               \
  cublasStatus_t cublas##name##GroupedBatchedEx##w(                                               \
      cublasHandle_t handle, const cublasOperation_t transa[], const cublasOperation_t transb[],  \
      const I m[], const I n[], const I k[], const void* alpha, const void* const A[],            \
      cudaDataType_t Atype, const I lda[], const void* const B[], cudaDataType_t Btype,           \
      const I ldb[], const void* beta, void* const C[], cudaDataType_t Ctype, const I ldc[],      \
      I group_count, const I group_size[], cublasComputeType_t computeType) {                     \
    const blas::Types types{Atype, Btype, Ctype};                                                 \
    const std::size_t size = blas::scale_size(types, computeType);                                \
    return blas::run_groups(handle, transa, transb, m, n, k, A, lda, B, ldb, blas::pointers(C),   \
                            ldc, group_count, group_size, [&](blas::Call& call, I g) {            \
                              const std::size_t offset = static_cast<std::size_t>(g) * size;      \
                              call.alpha = static_cast<const char*>(alpha) + offset;              \
                              call.beta = static_cast<const char*>(beta) + offset;                \
                              return blas::run_typed(call, types, computeType);                   \
                            });                                                                   \
  }

extern "C" {

GRIDSPAN_SIZES(GRIDSPAN_GEMM, Sgemm_v2, float)
GRIDSPAN_SIZES(GRIDSPAN_GEMM, Dgemm_v2, double)
GRIDSPAN_SIZES(GRIDSPAN_GEMM, Cgemm_v2, cuComplex)
GRIDSPAN_SIZES(GRIDSPAN_GEMM, Zgemm_v2, cuDoubleComplex)
GRIDSPAN_SIZES(GRIDSPAN_GEMM, Hgemm, __half)
GRIDSPAN_SIZES(GRIDSPAN_GEMM, Cgemm3m, cuComplex)
GRIDSPAN_SIZES(GRIDSPAN_GEMM, Zgemm3m, cuDoubleComplex)
GRIDSPAN_SIZES(GRIDSPAN_GEMM_BATCHED, Sgemm, float)
GRIDSPAN_SIZES(GRIDSPAN_GEMM_BATCHED, Dgemm, double)
GRIDSPAN_SIZES(GRIDSPAN_GEMM_BATCHED, Cgemm, cuComplex)
GRIDSPAN_SIZES(GRIDSPAN_GEMM_BATCHED, Zgemm, cuDoubleComplex)
GRIDSPAN_SIZES(GRIDSPAN_GEMM_BATCHED, Hgemm, __half)
GRIDSPAN_SIZES(GRIDSPAN_GEMM_BATCHED, Cgemm3m, cuComplex)
GRIDSPAN_SIZES(GRIDSPAN_GEMM_GROUPED, S, float)
GRIDSPAN_SIZES(GRIDSPAN_GEMM_GROUPED, D, double)
GRIDSPAN_SIZES(GRIDSPAN_GEMM_OF_TYPES, SgemmEx, float)
GRIDSPAN_SIZES(GRIDSPAN_GEMM_OF_TYPES, CgemmEx, cuComplex)
GRIDSPAN_SIZES(GRIDSPAN_GEMM_OF_TYPES, Cgemm3mEx, cuComplex)
GRIDSPAN_SIZES(GRIDSPAN_GEMM_EX, Gemm)

}  // extern "C"
