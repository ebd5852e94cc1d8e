// cuSOLVER: QR factors, products with Q, and Q itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/solver/kernels/reflectors.h"

#include "libraries/solver/api/arguments.h"

namespace gridspan::libraries::solver {
namespace {

template <typename T>
std::size_t qr_bytes(Size m, Size n) {
  return static_cast<std::size_t>(qr_room(m, n)) * sizeof(T);
}

void shape(Check& check, Size m, Size n, Size lead) {
  check.size(m, "m").size(n, "n").lead(lead, m, "lda");
}

template <typename T>
cusolverStatus_t geqrf(const char* call, cusolverDnHandle_t handle, Size m, Size n, T* a, Size lead,
                       T* tau, void* work, std::size_t bytes, int* info) {
  Check check(call, handle);
  shape(check, m, n, lead);
  const bool is_empty = m == 0 || n == 0;
  check.that(a || is_empty, "A")
      .that(tau || is_empty, "TAU")
      .that(bytes >= qr_bytes<T>(m, n), "Lwork")
      .that(work || is_empty, "Workspace")
      .given(info, "devInfo");
  if (check.failed()) return check.status();
  Steps steps(handle->stream);
  steps.zero(info, sizeof *info);
  factor_qr<T>(steps, m, n, a, lead, tau, static_cast<T*>(work));
  return status_of(steps.error());
}

template <typename T>
cusolverStatus_t give_qr_room(const char* call, cusolverDnHandle_t handle, Size m, Size n,
                              Size lead, int* count) {
  Check check(call, handle);
  shape(check, m, n, lead);
  check.given(count, "lwork");
  return check.failed() ? check.status() : give_elements<T>(qr_bytes<T>(m, n), count);
}

void q_shape(Check& check, Size m, Size n, Size k, Size lead) {
  check.size(m, "m").that(n >= 0 && n <= m, "n").that(k >= 0 && k <= n, "k").lead(lead, m, "lda");
}

template <typename T>
cusolverStatus_t give_q_room(const char* call, cusolverDnHandle_t handle, Size m, Size n, Size k,
                             Size lead, int* count) {
  Check check(call, handle);
  q_shape(check, m, n, k, lead);
  check.given(count, "lwork");
  if (check.failed()) return check.status();
  return give_elements<T>(static_cast<std::size_t>(form_room(m, n, k)) * sizeof(T), count);
}

template <typename T>
cusolverStatus_t orgqr(const char* call, cusolverDnHandle_t handle, Size m, Size n, Size k, T* a,
                       Size lead, const T* tau, T* work, int count, int* info) {
  Check check(call, handle);
  q_shape(check, m, n, k, lead);
  check.that(a || n == 0, "A")
      .that(tau || k == 0, "tau")
      .that(count >= form_room(m, n, k), "lwork")
      .that(work || n == 0, "work")
      .given(info, "devInfo");
  if (check.failed()) return check.status();
  Steps steps(handle->stream);
  steps.zero(info, sizeof *info);
  form_q<T>(steps, m, n, k, a, lead, tau, work);
  return status_of(steps.error());
}

/// C is m x n, Q has as many rows as that side of it.
struct Product {
  cublasSideMode_t side;
  cublasOperation_t operation;
  Size m, n, k, lead, lead_c;

  Size rows() const { return side == CUBLAS_SIDE_LEFT ? m : n; }
  Size width() const { return side == CUBLAS_SIDE_LEFT ? n : m; }
};

// Of complex numbers there is Q^H, but no Q^T.
template <typename T>
void product_shape(Check& check, const Product& p) {
  check.that(p.side == CUBLAS_SIDE_LEFT || p.side == CUBLAS_SIDE_RIGHT, "side")
      .that(p.operation == CUBLAS_OP_N || p.operation == CUBLAS_OP_C ||
                (p.operation == CUBLAS_OP_T && !Element<T>::is_complex),
            "trans")
      .that(p.m >= 0, "m")
      .that(p.n >= 0, "n")
      .that(p.k >= 0 && p.k <= p.rows(), "k")
      .lead(p.lead, p.rows(), "lda")
      .lead(p.lead_c, p.m, "ldc");
}

template <typename T>
cusolverStatus_t give_product_room(const char* call, cusolverDnHandle_t handle, const Product& p,
                                   int* count) {
  Check check(call, handle);
  product_shape<Inner<T>>(check, p);
  check.given(count, "lwork");
  if (check.failed()) return check.status();
  return give_elements<T>(
      static_cast<std::size_t>(reflectors_room(p.rows(), p.width())) * sizeof(T), count);
}

template <typename T>
cusolverStatus_t ormqr(const char* call, cusolverDnHandle_t handle, const Product& p, const T* a,
                       const T* tau, T* c, T* work, int count, int* info) {
  Check check(call, handle);
  product_shape<T>(check, p);
  const bool is_empty = p.m == 0 || p.n == 0 || p.k == 0;
  check.that(a || is_empty, "A")
      .that(tau || is_empty, "tau")
      .that(c || is_empty, "C")
      .that(count >= reflectors_room(p.rows(), p.width()), "lwork")
      .that(work || is_empty, "work")
      .given(info, "devInfo");
  if (check.failed()) return check.status();
  Steps steps(handle->stream);
  steps.zero(info, sizeof *info);
  apply_reflectors<T>(steps, p.side == CUBLAS_SIDE_LEFT, p.operation != CUBLAS_OP_N,
                      {a, p.lead, p.rows(), p.k, tau}, p.m, p.n, c, p.lead_c, work);
  return status_of(steps.error());
}

}  // namespace
}  // namespace gridspan::libraries::solver

namespace solver = gridspan::libraries::solver;
using solver::inner;

#define GRIDSPAN_QR(letter, T, gqr, mqr)                                                           \
  cusolverStatus_t cusolverDn##letter##geqrf_bufferSize(cusolverDnHandle_t handle, int m, int n,   \
                                                        T*, int lda, int* lwork) {                 \
    return solver::give_qr_room<T>("cusolverDn" #letter "geqrf_bufferSize", handle, m, n, lda,     \
                                   lwork);                                                         \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##geqrf(cusolverDnHandle_t handle, int m, int n, T* A,        \
                                             int lda, T* TAU, T* Workspace, int Lwork,             \
                                             int* devInfo) {                                       \
    return solver::geqrf("cusolverDn" #letter "geqrf", handle, m, n, inner(A), lda, inner(TAU),    \
                         Workspace, Lwork < 0 ? 0 : Lwork * sizeof(T), devInfo);                   \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##gqr##_bufferSize(                                           \
      cusolverDnHandle_t handle, int m, int n, int k, const T*, int lda, const T*, int* lwork) {   \
    return solver::give_q_room<T>("cusolverDn" #letter #gqr "_bufferSize", handle, m, n, k, lda,   \
                                  lwork);                                                          \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##gqr(cusolverDnHandle_t handle, int m, int n, int k, T* A,   \
                                           int lda, const T* tau, T* work, int lwork, int* info) { \
    return solver::orgqr("cusolverDn" #letter #gqr, handle, m, n, k, inner(A), lda, inner(tau),    \
                         inner(work), lwork, info);                                                \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##mqr##_bufferSize(                                           \
      cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n,     \
      int k, const T*, int lda, const T*, const T*, int ldc, int* lwork) {                         \
    return solver::give_product_room<T>("cusolverDn" #letter #mqr "_bufferSize", handle,           \
                                        {side, trans, m, n, k, lda, ldc}, lwork);                  \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##mqr(                                                        \
      cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n,     \
      int k, const T* A, int lda, const T* tau, T* C, int ldc, T* work, int lwork, int* devInfo) { \
    return solver::ormqr("cusolverDn" #letter #mqr, handle, {side, trans, m, n, k, lda, ldc},      \
                         inner(A), inner(tau), inner(C), inner(work), lwork, devInfo);             \
  }

extern "C" {

GRIDSPAN_QR(S, float, orgqr, ormqr)
GRIDSPAN_QR(D, double, orgqr, ormqr)
GRIDSPAN_QR(C, cuComplex, ungqr, unmqr)
GRIDSPAN_QR(Z, cuDoubleComplex, ungqr, unmqr)

cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t,
                                             int64_t m, int64_t n, cudaDataType dataTypeA,
                                             const void*, int64_t lda, cudaDataType dataTypeTau,
                                             const void*, cudaDataType computeType,
                                             size_t* workspaceInBytesOnDevice,
                                             size_t* workspaceInBytesOnHost) {
  solver::Check check("cusolverDnXgeqrf_bufferSize", handle);
  solver::shape(check, m, n, lda);
  check.that(dataTypeTau == dataTypeA, "dataTypeTau")
      .that(computeType == dataTypeA, "computeType")
      .that(workspaceInBytesOnDevice && workspaceInBytesOnHost, "workspaceInBytesOnDevice");
  if (check.failed()) return check.status();
  return solver::with_type(dataTypeA, [&](auto x) {
    return solver::give_bytes(check, solver::qr_bytes<decltype(x)>(m, n), workspaceInBytesOnDevice,
                              workspaceInBytesOnHost);
  });
}

cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t m,
                                  int64_t n, cudaDataType dataTypeA, void* A, int64_t lda,
                                  cudaDataType dataTypeTau, void* tau, cudaDataType computeType,
                                  void* bufferOnDevice, size_t workspaceInBytesOnDevice, void*,
                                  size_t, int* info) {
  solver::Check check("cusolverDnXgeqrf", handle);
  check.that(dataTypeTau == dataTypeA, "dataTypeTau").that(computeType == dataTypeA, "computeType");
  if (check.failed()) return check.status();
  return solver::with_type(dataTypeA, [&](auto x) {
    using T = decltype(x);
    return solver::geqrf("cusolverDnXgeqrf", handle, m, n, static_cast<T*>(A), lda,
                         static_cast<T*>(tau), bufferOnDevice, workspaceInBytesOnDevice, info);
  });
}

}  // extern "C"
