// cuBLAS, level 2: matrices in bands, packed ones and triangles with vectors, updates by vectors;
// packed triangles as full ones, and back. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/stored.h"

#include "libraries/blas/api/triangles.h"
#include "libraries/blas/api/work.h"

namespace gridspan::libraries::blas {
namespace {

using Size = std::int64_t;

template <typename T>
cublasStatus_t multiply_stored(Handle handle, const Stored<T>& m, Size count, Size length,
                               const T* alpha, const T* x, Size x_step, const T* beta, T* y,
                               Size y_step) {
  const Scalar<T> a = scalar<T>(handle, alpha), b = scalar<T>(handle, beta);
  if (!a.place && is_zero(a.value) && !b.place && is_one(b.value)) return CUBLAS_STATUS_SUCCESS;
  return status_of(launch_stored_product<T>(m, count, length, a, vector(length, x, x_step), b,
                                            vector(count, y, y_step), handle->stream));
}

/// y = alpha op(A) x + beta y, of a band of `below` and `above` diagonals.
template <typename T>
cublasStatus_t gbmv(Handle handle, cublasOperation_t operation, Size m, Size n, Size below,
                    Size above, const T* alpha, const T* a, Size lda, const T* x, Size x_step,
                    const T* beta, T* y, Size y_step) {
  Check check(handle);
  check.operation(operation).size(m, "m").size(n, "n").size(below, "kl").size(above, "ku");
  check.at_least(lda, below + above + 1, "lda", " diagonals").step(x_step, "incx");
  check.step(y_step, "incy").given(alpha, "alpha").given(beta, "beta");
  if (check.failed()) return check.status();
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const bool is_whole = operation == CUBLAS_OP_N;
  Stored<T> stored;
  stored.operand = matrix(a, lda, operation);
  stored.storage = Storage::band;
  stored.rows = m;
  stored.columns = n;
  stored.above = above;
  stored.left = is_whole ? below : above;
  stored.right = is_whole ? above : below;
  return multiply_stored<T>(handle, stored, is_whole ? m : n, is_whole ? n : m, alpha, x, x_step,
                            beta, y, y_step);
}

/// A triangle of n rows, in a band of k diagonals beside the main one if it is in bands.
template <typename T>
Stored<T> triangle(Storage storage, Structure structure, cublasFillMode_t fill, Size n, Size k,
                   const T* a, Size lda, cublasOperation_t operation = CUBLAS_OP_N) {
  Stored<T> stored;
  stored.operand = matrix(a, lda, operation);
  stored.operand.structure = structure;
  stored.operand.stored = triangle_of(fill);
  stored.storage = storage;
  stored.rows = stored.columns = n;
  stored.above = fill == CUBLAS_FILL_MODE_UPPER ? k : 0;
  if (storage == Storage::band) stored.left = stored.right = k;
  if (structure == Structure::triangular) {
    const bool is_lower = (fill == CUBLAS_FILL_MODE_LOWER) == (operation == CUBLAS_OP_N);
    (is_lower ? stored.right : stored.left) = 0;
  }
  return stored;
}

void check_storage(Check& check, Storage storage, Size n, Size k, Size lda) {
  if (storage == Storage::full) check.lead(lda, n, "lda");
  if (storage == Storage::band) check.size(k, "k").at_least(lda, k + 1, "lda", " diagonals");
}

/// sbmv, hbmv, spmv, hpmv
template <typename T>
cublasStatus_t symmetric_product(Handle handle, Storage storage, Structure structure,
                                 cublasFillMode_t fill, Size n, Size k, const T* alpha, const T* a,
                                 Size lda, const T* x, Size x_step, const T* beta, T* y,
                                 Size y_step) {
  Check check(handle);
  check.fill(fill).size(n, "n");
  check_storage(check, storage, n, k, lda);
  check.step(x_step, "incx").step(y_step, "incy").given(alpha, "alpha").given(beta, "beta");
  if (check.failed()) return check.status();
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  return multiply_stored<T>(handle, triangle(storage, structure, fill, n, k, a, lda), n, n, alpha,
                            x, x_step, beta, y, y_step);
}

template <typename T>
struct TriangleCall {
  Handle handle;
  Storage storage;
  cublasFillMode_t fill;
  cublasOperation_t operation;
  cublasDiagType_t diagonal;
  Size n, k;
  const T* a;
  Size lda;
  T* x;
  Size step;

  cublasStatus_t check() const {
    Check check(handle);
    check.fill(fill).operation(operation).diagonal(diagonal).size(n, "n");
    check_storage(check, storage, n, k, lda);
    return check.step(step, "incx").status();
  }
  Stored<T> stored() const {
    Stored<T> result = triangle(storage, Structure::triangular, fill, n, k, a, lda, operation);
    result.operand.has_unit_diagonal = diagonal == CUBLAS_DIAG_UNIT;
    return result;
  }
};

/// x = op(A) x: trmv, tbmv, tpmv. The kernel reads a copy.
template <typename T>
cublasStatus_t triangular_product(const TriangleCall<T>& call) {
  const cublasStatus_t status = call.check();
  if (status != CUBLAS_STATUS_SUCCESS || call.n == 0) return status;
  Work work(call.handle->stream);
  T* const kept = work.take<T>(call.n);
  const Vector<T> x = vector(call.n, call.x, call.step);
  work.step([&] { return launch_copy<T>(call.n, {x.start, x.step}, {kept, 1}, work.stream()); });
  work.step([&] {
    return launch_stored_product<T>(call.stored(), call.n, call.n, Scalar<T>{one<T>(), nullptr},
                                    {kept, 1}, Scalar<T>{zero<T>(), nullptr}, x, work.stream());
  });
  return work.finish();
}

/// op(A) x = b: tbsv, tpsv
template <typename T>
cublasStatus_t triangular_solution(const TriangleCall<T>& call) {
  const cublasStatus_t status = call.check();
  if (status != CUBLAS_STATUS_SUCCESS || call.n == 0) return status;
  return status_of(launch_stored_solve<T>(call.stored(), call.n, vector(call.n, call.x, call.step),
                                          call.handle->stream));
}

/// syr, her, spr, hpr, and of two vectors syr2, her2, spr2, hpr2
template <typename Scale, typename T>
cublasStatus_t update_by_vectors(Handle handle, Storage storage, bool hermitian, bool both,
                                 cublasFillMode_t fill, Size n, const Scale* alpha, const T* x,
                                 Size x_step, const T* y, Size y_step, T* a, Size lda) {
  Check check(handle);
  check.fill(fill).size(n, "n").step(x_step, "incx").step(y_step, "incy");
  check_storage(check, storage, n, 0, lda);
  check.given(alpha, "alpha");
  if (check.failed()) return check.status();
  const Scalar<Scale> factor = scalar<Scale>(handle, alpha);
  if (n == 0 || (!factor.place && is_zero(factor.value))) return CUBLAS_STATUS_SUCCESS;
  return status_of(launch_outer<Scale, T>(storage, triangle_of(fill), hermitian, both, n, factor,
                                          vector(n, x, x_step), vector(n, y, y_step), a, lda,
                                          handle->stream));
}

template <typename T>
cublasStatus_t pack_or_unpack(bool unpacks, Handle handle, cublasFillMode_t fill, Size n, T* a,
                              Size lda, T* packed) {
  const Check check = Check(handle).fill(fill).size(n, "n").lead(lda, n, "lda");
  if (check.failed()) return check.status();
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  return status_of(unpacks ? launch_unpack<T>(triangle_of(fill), n, packed, a, lda, handle->stream)
                           : launch_pack<T>(triangle_of(fill), n, a, lda, packed, handle->stream));
}

}  // namespace
}  // namespace gridspan::libraries::blas

namespace blas = gridspan::libraries::blas;

#define GRIDSPAN_TRIANGLE_OF(name, T, run, storage_, w, I, parameters, k, lda)        \
  cublasStatus_t cublas##name##_v2##w parameters {                                    \
    return blas::run<T>(                                                              \
        {handle, blas::Storage::storage_, uplo, trans, diag, n, k, A, lda, x, incx}); \
  }
#define GRIDSPAN_TRIANGLE(T, I)                                                                  \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, \
   I n, const T* A, I lda, T* x, I incx)
#define GRIDSPAN_TRIANGLE_BAND(T, I)                                                             \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, \
   I n, I k, const T* A, I lda, T* x, I incx)
#define GRIDSPAN_TRIANGLE_PACKED(T, I)                                                           \
  (cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, \
   I n, const T* A, T* x, I incx)
#define GRIDSPAN_LEVEL_2(letter, T, w, I)                                                        \
  cublasStatus_t cublas##letter##gbmv_v2##w(cublasHandle_t handle, cublasOperation_t trans, I m, \
                                            I n, I kl, I ku, const T* alpha, const T* A, I lda,  \
                                            const T* x, I incx, const T* beta, T* y, I incy) {   \
    return blas::gbmv<T>(handle, trans, m, n, kl, ku, alpha, A, lda, x, incx, beta, y, incy);    \
  }                                                                                              \
  GRIDSPAN_TRIANGLE_OF(letter##trmv, T, triangular_product, full, w, I, GRIDSPAN_TRIANGLE(T, I), \
                       0, lda)                                                                   \
  GRIDSPAN_TRIANGLE_OF(letter##tbmv, T, triangular_product, band, w, I,                          \
                       GRIDSPAN_TRIANGLE_BAND(T, I), k, lda)                                     \
  GRIDSPAN_TRIANGLE_OF(letter##tpmv, T, triangular_product, packed, w, I,                        \
                       GRIDSPAN_TRIANGLE_PACKED(T, I), 0, 0)                                     \
  GRIDSPAN_TRIANGLE_OF(letter##tbsv, T, triangular_solution, band, w, I,                         \
                       GRIDSPAN_TRIANGLE_BAND(T, I), k, lda)                                     \
  GRIDSPAN_TRIANGLE_OF(letter##tpsv, T, triangular_solution, packed, w, I,                       \
                       GRIDSPAN_TRIANGLE_PACKED(T, I), 0, 0)
#define GRIDSPAN_BAND_PRODUCT(name, T, structure, w, I)                                        \
  cublasStatus_t cublas##name##_v2##w(cublasHandle_t handle, cublasFillMode_t uplo, I n, I k,  \
                                      const T* alpha, const T* A, I lda, const T* x, I incx,   \
                                      const T* beta, T* y, I incy) {                           \
    return blas::symmetric_product<T>(handle, blas::Storage::band, blas::Structure::structure, \
                                      uplo, n, k, alpha, A, lda, x, incx, beta, y, incy);      \
  }
#define GRIDSPAN_PACKED_PRODUCT(name, T, structure, w, I)                                        \
  cublasStatus_t cublas##name##_v2##w(cublasHandle_t handle, cublasFillMode_t uplo, I n,         \
                                      const T* alpha, const T* AP, const T* x, I incx,           \
                                      const T* beta, T* y, I incy) {                             \
    return blas::symmetric_product<T>(handle, blas::Storage::packed, blas::Structure::structure, \
                                      uplo, n, 0, alpha, AP, 0, x, incx, beta, y, incy);         \
  }
#define GRIDSPAN_UPDATES_FULL(one_vector, two_vectors, Scale, T, hermitian, w, I)                  \
  cublasStatus_t cublas##one_vector##_v2##w(cublasHandle_t handle, cublasFillMode_t uplo, I n,     \
                                            const Scale* alpha, const T* x, I incx, T* A, I lda) { \
    return blas::update_by_vectors<Scale, T>(handle, blas::Storage::full, hermitian, false, uplo,  \
                                             n, alpha, x, incx, x, incx, A, lda);                  \
  }                                                                                                \
  cublasStatus_t cublas##two_vectors##_v2##w(cublasHandle_t handle, cublasFillMode_t uplo, I n,    \
                                             const T* alpha, const T* x, I incx, const T* y,       \
                                             I incy, T* A, I lda) {                                \
    return blas::update_by_vectors<T, T>(handle, blas::Storage::full, hermitian, true, uplo, n,    \
                                         alpha, x, incx, y, incy, A, lda);                         \
  }
#define GRIDSPAN_UPDATES_PACKED(one_vector, two_vectors, Scale, T, hermitian, w, I)               \
  cublasStatus_t cublas##one_vector##_v2##w(cublasHandle_t handle, cublasFillMode_t uplo, I n,    \
                                            const Scale* alpha, const T* x, I incx, T* AP) {      \
    return blas::update_by_vectors<Scale, T>(handle, blas::Storage::packed, hermitian, false,     \
                                             uplo, n, alpha, x, incx, x, incx, AP, 0);            \
  }                                                                                               \
  cublasStatus_t cublas##two_vectors##_v2##w(cublasHandle_t handle, cublasFillMode_t uplo, I n,   \
                                             const T* alpha, const T* x, I incx, const T* y,      \
                                             I incy, T* AP) {                                     \
    return blas::update_by_vectors<T, T>(handle, blas::Storage::packed, hermitian, true, uplo, n, \
                                         alpha, x, incx, y, incy, AP, 0);                         \
  }
#define GRIDSPAN_PACKING(letter, T)                                                         \
  cublasStatus_t cublas##letter##tpttr(cublasHandle_t handle, cublasFillMode_t uplo, int n, \
                                       const T* AP, T* A, int lda) {                        \
    return blas::pack_or_unpack<T>(true, handle, uplo, n, A, lda, const_cast<T*>(AP));      \
  }                                                                                         \
  cublasStatus_t cublas##letter##trttp(cublasHandle_t handle, cublasFillMode_t uplo, int n, \
                                       const T* A, int lda, T* AP) {                        \
    return blas::pack_or_unpack<T>(false, handle, uplo, n, const_cast<T*>(A), lda, AP);     \
  }
#define GRIDSPAN_SYMMETRIC_VECTORS(letter, T, w, I)         \
  GRIDSPAN_BAND_PRODUCT(letter##sbmv, T, symmetric, w, I)   \
  GRIDSPAN_PACKED_PRODUCT(letter##spmv, T, symmetric, w, I) \
  GRIDSPAN_UPDATES_PACKED(letter##spr, letter##spr2, T, T, false, w, I)
#define GRIDSPAN_HERMITIAN_VECTORS(letter, T, R, w, I)               \
  GRIDSPAN_BAND_PRODUCT(letter##hbmv, T, hermitian, w, I)            \
  GRIDSPAN_PACKED_PRODUCT(letter##hpmv, T, hermitian, w, I)          \
  GRIDSPAN_UPDATES_FULL(letter##her, letter##her2, R, T, true, w, I) \
  GRIDSPAN_UPDATES_PACKED(letter##hpr, letter##hpr2, R, T, true, w, I)

extern "C" {

GRIDSPAN_SIZES(GRIDSPAN_LEVEL_2, S, float)
GRIDSPAN_SIZES(GRIDSPAN_LEVEL_2, D, double)
GRIDSPAN_SIZES(GRIDSPAN_LEVEL_2, C, cuComplex)
GRIDSPAN_SIZES(GRIDSPAN_LEVEL_2, Z, cuDoubleComplex)
GRIDSPAN_SIZES(GRIDSPAN_UPDATES_FULL, Ssyr, Ssyr2, float, float, false)
GRIDSPAN_SIZES(GRIDSPAN_UPDATES_FULL, Dsyr, Dsyr2, double, double, false)
GRIDSPAN_SIZES(GRIDSPAN_UPDATES_FULL, Csyr, Csyr2, cuComplex, cuComplex, false)
GRIDSPAN_SIZES(GRIDSPAN_UPDATES_FULL, Zsyr, Zsyr2, cuDoubleComplex, cuDoubleComplex, false)
GRIDSPAN_SIZES(GRIDSPAN_SYMMETRIC_VECTORS, S, float)
GRIDSPAN_SIZES(GRIDSPAN_SYMMETRIC_VECTORS, D, double)
GRIDSPAN_SIZES(GRIDSPAN_HERMITIAN_VECTORS, C, cuComplex, float)
GRIDSPAN_SIZES(GRIDSPAN_HERMITIAN_VECTORS, Z, cuDoubleComplex, double)
GRIDSPAN_PACKING(S, float)
GRIDSPAN_PACKING(D, double)
GRIDSPAN_PACKING(C, cuComplex)
GRIDSPAN_PACKING(Z, cuDoubleComplex)

}  // extern "C"
