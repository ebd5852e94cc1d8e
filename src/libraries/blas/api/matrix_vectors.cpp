// cuBLAS, level 2: products of matrices and vectors, and outer products, as products of matrices of
// one column or row. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/api/arguments.h"
#include "libraries/blas/kernels/vectors_gemv.h"

#include <type_traits>

namespace gridspan::libraries::blas {
namespace {

/// A vector, or a batch of vectors at equal distances or behind pointers in device memory.
struct GivenVector {
  const void* base = nullptr;
  const void* const* array = nullptr;
  std::int64_t step = 1, stride = 0;
};

struct GemvCall {
  Handle handle;
  cublasOperation_t operation;
  std::int64_t m, n;
  const void* alpha;
  const void* a;
  const void* const* a_array;
  std::int64_t lda, a_stride;
  GivenVector x;
  const void* beta;
  GivenVector y;
  std::int64_t batch_count = 1;
};

/// As a matrix of one column. A negative step begins at the end: with pointers, at the end that
/// each has.
template <typename T>
Matrices<T> column(const GivenVector& given, std::int64_t count) {
  Matrices<T> result;
  using Pointer = std::remove_const_t<T>*;
  result.base =
      given.base
          ? vector(count, static_cast<Pointer>(const_cast<void*>(given.base)), given.step).start
          : nullptr;
  result.array = reinterpret_cast<T* const*>(const_cast<void* const*>(given.array));
  result.row = given.step;
  result.batch = given.stride;
  return result;
}

/// One product of real numbers.
template <typename T>
Gemv<T> one_gemv(const GemvCall& call) {
  const bool is_whole = call.operation == CUBLAS_OP_N;
  Gemv<T> gemv;
  gemv.is_transposed = !is_whole;
  gemv.rows = call.m;
  gemv.columns = call.n;
  gemv.alpha = scalar<T>(call.handle, call.alpha);
  gemv.beta = scalar<T>(call.handle, call.beta);
  gemv.a = static_cast<const T*>(call.a);
  gemv.lead = call.lda;
  gemv.x = vector(is_whole ? call.n : call.m, static_cast<const T*>(call.x.base), call.x.step);
  gemv.y = vector(is_whole ? call.m : call.n, static_cast<T*>(const_cast<void*>(call.y.base)),
                  call.y.step);
  gemv.stream = call.handle->stream;
  return gemv;
}

template <typename Sum, typename In, typename Out>
cublasStatus_t gemv(const GemvCall& call) {
  Check check(call.handle);
  check.operation(call.operation)
      .size(call.m, "m")
      .size(call.n, "n")
      .lead(call.lda, call.m, "lda")
      .step(call.x.step, "incx")
      .step(call.y.step, "incy")
      .size(call.batch_count, "batchCount")
      .given(call.alpha, "alpha")
      .given(call.beta, "beta");
  if (check.failed()) return check.status();
  if (call.m == 0 || call.n == 0 || call.batch_count == 0) return CUBLAS_STATUS_SUCCESS;
  // The kernel adds steps to each pointer; that of the last element is not known here.
  check.supported(!call.x.array || call.x.step > 0, "incx")
      .supported(!call.x.array || call.y.step > 0, "incy");
  if (check.failed()) return check.status();
  const bool is_whole = call.operation == CUBLAS_OP_N;
  if constexpr (std::is_same_v<In, Out> && std::is_floating_point_v<In>) {
    const Gemv<In> one = one_gemv<In>(call);
    if (call.batch_count == 1 && call.a && is_plain(one)) {
      const bool changes =
          one.alpha.place || one.beta.place || !is_zero(one.alpha.value) || !is_one(one.beta.value);
      return changes ? status_of(launch_gemv(one)) : CUBLAS_STATUS_SUCCESS;
    }
  }
  Gemm<Sum, Sum, In, Out> gemm;
  gemm.m = is_whole ? call.m : call.n;
  gemm.n = 1;
  gemm.k = is_whole ? call.n : call.m;
  gemm.batch_count = call.batch_count;
  gemm.alpha = scalar<Sum>(call.handle, call.alpha);
  gemm.beta = scalar<Sum>(call.handle, call.beta);
  gemm.a.base = static_cast<const In*>(call.a);
  gemm.a.array = reinterpret_cast<const In* const*>(call.a_array);
  gemm.a.row = is_whole ? 1 : call.lda;
  gemm.a.column = is_whole ? call.lda : 1;
  gemm.a.batch = call.a_stride;
  gemm.a.conjugates = call.operation == CUBLAS_OP_C;
  gemm.b = column<const In>(call.x, gemm.k);
  gemm.c = column<Out>(call.y, gemm.m);
  gemm.stream = call.handle->stream;
  const bool adds_nothing = !gemm.alpha.place && is_zero(gemm.alpha.value);
  if (adds_nothing && !gemm.beta.place && is_one(gemm.beta.value)) return CUBLAS_STATUS_SUCCESS;
  return status_of(launch(gemm));
}

/// A = alpha x y^T + A, or y^H.
template <typename T>
cublasStatus_t ger(Handle handle, std::int64_t m, std::int64_t n, const T* alpha, const T* x,
                   std::int64_t x_step, const T* y, std::int64_t y_step, T* a, std::int64_t lda,
                   bool conjugates) {
  Check check(handle);
  check.size(m, "m").size(n, "n").step(x_step, "incx").step(y_step, "incy");
  check.lead(lda, m, "lda").given(alpha, "alpha");
  if (check.failed()) return check.status();
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  Gemm<T, T, T, T> gemm;
  gemm.m = m;
  gemm.n = n;
  gemm.k = 1;
  gemm.alpha = scalar<T>(handle, alpha);
  if (!gemm.alpha.place && is_zero(gemm.alpha.value)) return CUBLAS_STATUS_SUCCESS;
  gemm.beta = {one<T>(), nullptr};
  gemm.a.base = vector(m, x, x_step).start;
  gemm.a.row = x_step;
  gemm.b.base = vector(n, y, y_step).start;
  gemm.b.column = y_step;
  gemm.b.conjugates = conjugates;
  gemm.c.base = a;
  gemm.c.column = lda;
  gemm.stream = handle->stream;
  return status_of(launch(gemm));
}

}  // namespace
}  // namespace gridspan::libraries::blas

namespace blas = gridspan::libraries::blas;

#define GRIDSPAN_GEMV(letter, T, w, I)                                                           \
  cublasStatus_t cublas##letter##gemv_v2##w(cublasHandle_t handle, cublasOperation_t trans, I m, \
                                            I n, const T* alpha, const T* A, I lda, const T* x,  \
                                            I incx, const T* beta, T* y, I incy) {               \
    return blas::gemv<T, T, T>({handle,                                                          \
                                trans,                                                           \
                                m,                                                               \
                                n,                                                               \
                                alpha,                                                           \
                                A,                                                               \
                                nullptr,                                                         \
                                lda,                                                             \
                                0,                                                               \
                                {x, nullptr, incx},                                              \
                                beta,                                                            \
                                {y, nullptr, incy}});                                            \
  }
#define GRIDSPAN_GEMV_BATCHED(name, T, In, Out, w, I)                                              \
  cublasStatus_t cublas##name##gemvBatched##w(cublasHandle_t handle, cublasOperation_t trans, I m, \
                                              I n, const T* alpha, const In* const A[], I lda,     \
                                              const In* const x[], I incx, const T* beta,          \
                                              Out* const y[], I incy, I batchCount) {              \
    return blas::gemv<T, In, Out>({handle,                                                         \
                                   trans,                                                          \
                                   m,                                                              \
                                   n,                                                              \
                                   alpha,                                                          \
                                   nullptr,                                                        \
                                   blas::pointers(A),                                              \
                                   lda,                                                            \
                                   0,                                                              \
                                   {nullptr, blas::pointers(x), incx},                             \
                                   beta,                                                           \
                                   {nullptr, blas::pointers(y), incy},                             \
                                   batchCount});                                                   \
  }                                                                                                \
  cublasStatus_t cublas##name##gemvStridedBatched##w(                                              \
      cublasHandle_t handle, cublasOperation_t trans, I m, I n, const T* alpha, const In* A,       \
      I lda, long long int strideA, const In* x, I incx, long long int stridex, const T* beta,     \
      Out* y, I incy, long long int stridey, I batchCount) {                                       \
    return blas::gemv<T, In, Out>({handle,                                                         \
                                   trans,                                                          \
                                   m,                                                              \
                                   n,                                                              \
                                   alpha,                                                          \
                                   A,                                                              \
                                   nullptr,                                                        \
                                   lda,                                                            \
                                   strideA,                                                        \
                                   {x, nullptr, incx, stridex},                                    \
                                   beta,                                                           \
                                   {y, nullptr, incy, stridey},                                    \
                                   batchCount});                                                   \
  }
#define GRIDSPAN_GER(name, T, conjugates, w, I)                                                    \
  cublasStatus_t cublas##name##_v2##w(cublasHandle_t handle, I m, I n, const T* alpha, const T* x, \
                                      I incx, const T* y, I incy, T* A, I lda) {                   \
    return blas::ger<T>(handle, m, n, alpha, x, incx, y, incy, A, lda, conjugates);                \
  }

extern "C" {

GRIDSPAN_SIZES(GRIDSPAN_GEMV, S, float)
GRIDSPAN_SIZES(GRIDSPAN_GEMV, D, double)
GRIDSPAN_SIZES(GRIDSPAN_GEMV, C, cuComplex)
GRIDSPAN_SIZES(GRIDSPAN_GEMV, Z, cuDoubleComplex)
GRIDSPAN_SIZES(GRIDSPAN_GEMV_BATCHED, S, float, float, float)
GRIDSPAN_SIZES(GRIDSPAN_GEMV_BATCHED, D, double, double, double)
GRIDSPAN_SIZES(GRIDSPAN_GEMV_BATCHED, C, cuComplex, cuComplex, cuComplex)
GRIDSPAN_SIZES(GRIDSPAN_GEMV_BATCHED, Z, cuDoubleComplex, cuDoubleComplex, cuDoubleComplex)
GRIDSPAN_SIZES(GRIDSPAN_GEMV_BATCHED, HSH, float, __half, __half)
GRIDSPAN_SIZES(GRIDSPAN_GEMV_BATCHED, HSS, float, __half, float)
GRIDSPAN_SIZES(GRIDSPAN_GEMV_BATCHED, TST, float, __nv_bfloat16, __nv_bfloat16)
GRIDSPAN_SIZES(GRIDSPAN_GEMV_BATCHED, TSS, float, __nv_bfloat16, float)
GRIDSPAN_SIZES(GRIDSPAN_GER, Sger, float, false)
GRIDSPAN_SIZES(GRIDSPAN_GER, Dger, double, false)
GRIDSPAN_SIZES(GRIDSPAN_GER, Cgeru, cuComplex, false)
GRIDSPAN_SIZES(GRIDSPAN_GER, Cgerc, cuComplex, true)
GRIDSPAN_SIZES(GRIDSPAN_GER, Zgeru, cuDoubleComplex, false)
GRIDSPAN_SIZES(GRIDSPAN_GER, Zgerc, cuDoubleComplex, true)

}  // extern "C"
