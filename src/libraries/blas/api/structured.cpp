// cuBLAS: products and systems of symmetric, Hermitian and triangular matrices, updates of them,
// sums of matrices. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/kernels/structured.h"

#include "libraries/blas/api/structured_products.h"
#include "libraries/blas/api/triangles.h"
#include "libraries/blas/api/work.h"
#include "libraries/blas/kernels/elements.h"

#include <algorithm>
#include <type_traits>

namespace gridspan::libraries::blas {
namespace {

using Size = std::int64_t;

// --- updates: C = alpha op(A) op(B)^T + beta C, or ^H, in a triangle

template <typename Scale, typename BetaScale, typename T>
struct Update {
  Handle handle;
  cublasFillMode_t fill;
  cublasOperation_t operation;
  Size n, k;
  const Scale* alpha;
  const T* a;
  Size lda;
  const T* b;
  Size ldb;
  const BetaScale* beta;
  T* c;
  Size ldc;
  bool hermitian;
};

template <typename Scale, typename BetaScale, typename T>
cublasStatus_t check(const Update<Scale, BetaScale, T>& u) {
  // The transposed form of Hermitian matrices is conjugated, that of symmetric ones is not.
  constexpr bool is_real = std::is_floating_point_v<T>;
  const bool has_operation =
      u.operation == CUBLAS_OP_N ||
      (u.hermitian ? u.operation == CUBLAS_OP_C
                   : u.operation == CUBLAS_OP_T || (is_real && u.operation == CUBLAS_OP_C));
  const Size rows = u.operation == CUBLAS_OP_N ? u.n : u.k;
  return Check(u.handle)
      .fill(u.fill)
      .known(has_operation, u.operation, "trans")
      .size(u.n, "n")
      .size(u.k, "k")
      .lead(u.lda, rows, "lda")
      .lead(u.ldb, rows, "ldb")
      .lead(u.ldc, u.n, "ldc")
      .given(u.alpha, "alpha")
      .given(u.beta, "beta")
      .status();
}

template <typename Scale, typename BetaScale, typename T>
StructuredProduct<Scale, T> product_of(const Update<Scale, BetaScale, T>& u) {
  StructuredProduct<Scale, T> p;
  p.m = p.n = u.n;
  p.k = u.k;
  p.alpha = scalar<Scale>(u.handle, u.alpha);
  const cublasOperation_t other = u.hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
  const bool is_whole = u.operation == CUBLAS_OP_N;
  p.left = matrix(u.a, u.lda, is_whole ? CUBLAS_OP_N : other);
  p.right = matrix(u.b, u.ldb, is_whole ? other : CUBLAS_OP_N);
  p.c = u.c;
  p.c_column = u.ldc;
  p.triangle = triangle_of(u.fill);
  p.has_real_diagonal = u.hermitian;
  p.stream = u.handle->stream;
  return p;
}

template <typename Scale, typename BetaScale, typename T>
bool changes_nothing(const StructuredProduct<Scale, T>& p, const Scalar<BetaScale>& beta) {
  const bool adds_nothing = p.k == 0 || (!p.alpha.place && is_zero(p.alpha.value));
  return p.m == 0 || p.n == 0 || (adds_nothing && !beta.place && is_one(beta.value));
}

/// syrk, herk, syrkx, herkx
template <typename Scale, typename BetaScale, typename T>
cublasStatus_t update(const Update<Scale, BetaScale, T>& u) {
  if (const cublasStatus_t status = check(u); status != CUBLAS_STATUS_SUCCESS) return status;
  const auto product = product_of(u);
  const Scalar<BetaScale> beta = scalar<BetaScale>(u.handle, u.beta);
  if (changes_nothing(product, beta)) return CUBLAS_STATUS_SUCCESS;
  return multiply_structured(product, beta);
}

/// CsyrkEx and its like: A has numbers of float, or pairs of bytes.
template <typename Scale>
cublasStatus_t update_of_type(Handle handle, cublasFillMode_t fill, cublasOperation_t operation,
                              Size n, Size k, const Scale* alpha, const void* a,
                              cudaDataType a_type, Size lda, const Scale* beta, void* c,
                              cudaDataType c_type, Size ldc, bool hermitian) {
  Check types(handle);
  types.type(c_type == CUDA_C_32F, c_type, "Ctype")
      .type(a_type == CUDA_C_32F || a_type == CUDA_C_8I, a_type, "Atype");
  if (types.failed()) return types.status();
  const auto* const numbers = static_cast<const cuComplex*>(a);
  Update<Scale, Scale, cuComplex> u{handle,  fill,     operation, n,
                                    k,       alpha,    numbers,   lda,
                                    numbers, lda,      beta,      static_cast<cuComplex*>(c),
                                    ldc,     hermitian};
  if (const cublasStatus_t status = check(u); status != CUBLAS_STATUS_SUCCESS) return status;
  if (a_type == CUDA_C_32F) return update(u);
  // Complex bytes are columns of twice as many bytes.
  const Size rows = operation == CUBLAS_OP_N ? n : k, columns = operation == CUBLAS_OP_N ? k : n;
  Work work(handle->stream);
  float* const loaded = work.take<float>(2 * rows * columns);
  work.step([&] {
    return launch_load<float>(2 * rows, columns, 1,
                              {a, CUDA_R_8I, {ElementOrder::steps, 1, 2 * lda, 0}, false}, loaded,
                              work.stream());
  });
  if (!work.is_good()) return work.finish();
  u.a = u.b = reinterpret_cast<const cuComplex*>(loaded);
  u.lda = u.ldb = std::max<Size>(1, rows);
  const cublasStatus_t status = update(u);
  const cublasStatus_t freed = work.finish();
  return status == CUBLAS_STATUS_SUCCESS ? freed : status;
}

/// syr2k, her2k: the product of A and B, and that of B and A, with alpha conjugated if Hermitian.
template <typename Scale, typename BetaScale, typename T>
cublasStatus_t update_twice(const Update<Scale, BetaScale, T>& u) {
  if (const cublasStatus_t status = check(u); status != CUBLAS_STATUS_SUCCESS) return status;
  const auto first = product_of(u);
  const Scalar<BetaScale> beta = scalar<BetaScale>(u.handle, u.beta);
  if (changes_nothing(first, beta)) return CUBLAS_STATUS_SUCCESS;
  auto second = first;
  std::swap(second.left.base, second.right.base);
  std::swap(second.left.lead, second.right.lead);
  second.conjugates_alpha = u.hermitian;
  const cublasStatus_t status = multiply_structured(first, beta);
  return status == CUBLAS_STATUS_SUCCESS
             ? multiply_structured(second, Scalar<BetaScale>{one<BetaScale>(), nullptr})
             : status;
}

/// symm, hemm: C = alpha A B + beta C, or B A, with a symmetric or Hermitian A.
template <typename T>
cublasStatus_t symm(Handle handle, Structure structure, cublasSideMode_t side,
                    cublasFillMode_t fill, Size m, Size n, const T* alpha, const T* a, Size lda,
                    const T* b, Size ldb, const T* beta, T* c, Size ldc) {
  const bool is_left = side == CUBLAS_SIDE_LEFT;
  Check check(handle);
  check.side(side).fill(fill).size(m, "m").size(n, "n").lead(lda, is_left ? m : n, "lda");
  check.lead(ldb, m, "ldb").lead(ldc, m, "ldc").given(alpha, "alpha").given(beta, "beta");
  if (check.failed()) return check.status();
  Operand<T> symmetric = matrix(a, lda);
  symmetric.structure = structure;
  symmetric.stored = triangle_of(fill);
  StructuredProduct<T, T> p;
  p.m = m;
  p.n = n;
  p.k = is_left ? m : n;
  p.alpha = scalar<T>(handle, alpha);
  p.left = is_left ? symmetric : matrix(b, ldb);
  p.right = is_left ? matrix(b, ldb) : symmetric;
  p.c = c;
  p.c_column = ldc;
  p.stream = handle->stream;
  const Scalar<T> factor = scalar<T>(handle, beta);
  if (changes_nothing(p, factor)) return CUBLAS_STATUS_SUCCESS;
  return multiply_structured(p, factor);
}

/// y = alpha A x + beta y
template <typename T>
cublasStatus_t symv(Handle handle, Structure structure, cublasFillMode_t fill, Size n,
                    const T* alpha, const T* a, Size lda, const T* x, Size x_step, const T* beta,
                    T* y, Size y_step) {
  Check check(handle);
  check.fill(fill).size(n, "n").lead(lda, n, "lda").step(x_step, "incx").step(y_step, "incy");
  check.given(alpha, "alpha").given(beta, "beta");
  if (check.failed()) return check.status();
  StructuredProduct<T, T> p;
  p.m = p.k = n;
  p.n = 1;
  p.alpha = scalar<T>(handle, alpha);
  p.left = matrix(a, lda);
  p.left.structure = structure;
  p.left.stored = triangle_of(fill);
  p.right = matrix(vector(n, x, x_step).start, x_step, CUBLAS_OP_T);
  p.c = vector(n, y, y_step).start;
  p.c_row = y_step;
  p.stream = handle->stream;
  const Scalar<T> factor = scalar<T>(handle, beta);
  if (changes_nothing(p, factor)) return CUBLAS_STATUS_SUCCESS;
  return status_of(launch_structured(p, factor));
}

// --- triangular matrices

template <typename T>
struct TriangularCall {
  Handle handle;
  cublasSideMode_t side;
  cublasFillMode_t fill;
  cublasOperation_t operation;
  cublasDiagType_t diagonal;
  Size m, n;
  const T* alpha;
  const T* a;
  Size lda, ldb;

  bool is_left() const { return side == CUBLAS_SIDE_LEFT; }
  Check check() const {
    Check check(handle);
    check.side(side).fill(fill).operation(operation).diagonal(diagonal).size(m, "m").size(n, "n");
    return check.lead(lda, is_left() ? m : n, "lda").lead(ldb, m, "ldb").given(alpha, "alpha");
  }
  Operand<T> triangular() const {
    Operand<T> result = matrix(a, lda, operation);
    result.structure = Structure::triangular;
    result.stored = triangle_of(fill);
    result.has_unit_diagonal = diagonal == CUBLAS_DIAG_UNIT;
    return result;
  }
};

/// C = alpha op(A) B, or B op(A). C may be B, of which the kernel then reads a copy.
template <typename T>
cublasStatus_t trmm(const TriangularCall<T>& call, const T* b, T* c, Size ldc) {
  if (const Check check = call.check().lead(ldc, call.m, "ldc"); check.failed())
    return check.status();
  if (call.m == 0 || call.n == 0) return CUBLAS_STATUS_SUCCESS;
  const cudaStream_t stream = call.handle->stream;
  const bool in_place = b == c;
  void* kept = nullptr;
  cudaError_t error = cudaSuccess;
  Size ldb = call.ldb;
  if (in_place) {
    const auto line = static_cast<std::size_t>(call.m) * sizeof(T);
    const auto columns = static_cast<std::size_t>(call.n);
    error = cudaMallocAsync(&kept, line * columns, stream);
    if (error != cudaSuccess) return CUBLAS_STATUS_ALLOC_FAILED;
    error = cudaMemcpy2DAsync(kept, line, b, static_cast<std::size_t>(ldb) * sizeof(T), line,
                              columns, cudaMemcpyDeviceToDevice, stream);
    b = static_cast<const T*>(kept);
    ldb = call.m;
  }
  StructuredProduct<T, T> p;
  p.m = call.m;
  p.n = call.n;
  p.k = call.is_left() ? call.m : call.n;
  p.alpha = scalar<T>(call.handle, call.alpha);
  p.left = call.is_left() ? call.triangular() : matrix(b, ldb);
  p.right = call.is_left() ? matrix(b, ldb) : call.triangular();
  p.c = c;
  p.c_column = ldc;
  p.stream = stream;
  cublasStatus_t status = status_of(error);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = multiply_structured(p, Scalar<T>{zero<T>(), nullptr});
  const cudaError_t freed = in_place ? cudaFreeAsync(kept, stream) : cudaSuccess;
  return status == CUBLAS_STATUS_SUCCESS ? status_of(freed) : status;
}

template <typename T>
T negative_one() {
  if constexpr (std::is_floating_point_v<T>)
    return T(-1);
  else
    return T{-1, 0};
}

/// Rows of a block that is solved by itself.
constexpr Size solved_rows = 64;

/// Many equations: blocks of fixed places, each solved by a thread for each right-hand side, and
/// then subtracted from the equations that are left, which is a product.
template <typename T>
cudaError_t solve_by_blocks(const System<T>& s) {
  const bool forwards = (s.a.stored == Triangle::lower) != s.a.transposed;
  const Size blocks = (s.m + solved_rows - 1) / solved_rows;
  const Size row = s.a.transposed ? s.a.lead : 1, column = s.a.transposed ? 1 : s.a.lead;
  Scalar<T> alpha = s.alpha;
  for (Size step = 0; step < blocks; ++step) {
    const Size first = (forwards ? step : blocks - 1 - step) * solved_rows;
    const Size end = std::min(first + solved_rows, s.m);
    System<T> block = s;
    block.m = end - first;
    block.a.base = s.a.base + first * (s.a.lead + 1);
    block.b = s.b + first * s.b_row;
    block.alpha = alpha;
    if (const cudaError_t error = launch_solve(block); error != cudaSuccess) return error;
    const Size rest = forwards ? s.m - end : first, begin = forwards ? end : 0;
    if (rest == 0) break;
    Gemm<T, T, T, T> gemm;
    gemm.m = rest;
    gemm.n = s.n;
    gemm.k = block.m;
    gemm.alpha = {negative_one<T>(), nullptr};
    gemm.beta = alpha;
    gemm.a.base = s.a.base + begin * row + first * column;
    gemm.a.row = row;
    gemm.a.column = column;
    gemm.a.conjugates = s.a.conjugates;
    gemm.b.base = block.b;
    gemm.b.row = s.b_row;
    gemm.b.column = s.b_column;
    gemm.c.base = s.b + begin * s.b_row;
    gemm.c.row = s.b_row;
    gemm.c.column = s.b_column;
    gemm.stream = s.stream;
    if (s.b_row != 1) {  // by rows: the transposed product by columns
      std::swap(gemm.m, gemm.n);
      std::swap(gemm.a, gemm.b);
      for (auto* const x : {&gemm.a, &gemm.b}) std::swap(x->row, x->column);
      std::swap(gemm.c.row, gemm.c.column);
    }
    if (const cudaError_t error = launch(gemm); error != cudaSuccess) return error;
    alpha = {one<T>(), nullptr};
  }
  return cudaSuccess;
}

template <typename T>
cudaError_t solve_system(const System<T>& s) {
  // Where alpha is 0, A is not read: on the device that is not known here.
  const bool is_large = s.m > 2 * solved_rows && !s.a_array && !s.alpha.place;
  return is_large && !is_zero(s.alpha.value) ? solve_by_blocks(s) : launch_solve(s);
}

template <typename T>
cublasStatus_t trsm(const TriangularCall<T>& call, T* b, const T* const* a_array = nullptr,
                    T* const* b_array = nullptr, Size batch_count = 1) {
  if (const Check check = call.check().size(batch_count, "batchCount"); check.failed())
    return check.status();
  if (call.m == 0 || call.n == 0 || batch_count == 0) return CUBLAS_STATUS_SUCCESS;
  System<T> s;
  s.batch_count = batch_count;
  s.alpha = scalar<T>(call.handle, call.alpha);
  s.a = call.triangular();
  s.a_array = a_array;
  s.b = b;
  s.b_array = b_array;
  s.stream = call.handle->stream;
  if (call.is_left()) {
    s.m = call.m;
    s.n = call.n;
    s.b_column = call.ldb;
  } else {  // X op(A) = B is op(A)^T X^T = B^T
    s.m = call.n;
    s.n = call.m;
    s.a.transposed = !s.a.transposed;
    s.b_row = call.ldb;
    s.b_column = 1;
  }
  return status_of(solve_system(s));
}

template <typename T>
cublasStatus_t trsv(Handle handle, cublasFillMode_t fill, cublasOperation_t operation,
                    cublasDiagType_t diagonal, Size n, const T* a, Size lda, T* x, Size step) {
  const T factor = one<T>();
  const TriangularCall<T> call{
      handle, CUBLAS_SIDE_LEFT,    fill, operation, diagonal, n, 1, &factor, a,
      lda,    std::max<Size>(1, n)};
  if (const Check check = call.check().step(step, "incx"); check.failed()) return check.status();
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  System<T> s;
  s.m = n;
  s.n = 1;
  s.alpha = {factor, nullptr};
  s.a = call.triangular();
  s.b = vector(n, x, step).start;
  s.b_row = step;
  s.stream = handle->stream;
  return status_of(solve_system(s));
}

// --- sums of matrices

template <typename T>
cublasStatus_t geam(Handle handle, cublasOperation_t operation_a, cublasOperation_t operation_b,
                    Size m, Size n, const T* alpha, const T* a, Size lda, const T* beta, const T* b,
                    Size ldb, T* c, Size ldc) {
  const auto is_in_place = [&](cublasOperation_t operation, Size lead) {
    return operation == CUBLAS_OP_N && lead == ldc;
  };
  constexpr const char* lies_elsewhere = "is also an operand, which lies in another way";
  Check check(handle);
  check.operation(operation_a, "transa").operation(operation_b, "transb").size(m, "m");
  check.size(n, "n").lead(lda, operation_a == CUBLAS_OP_N ? m : n, "lda");
  check.lead(ldb, operation_b == CUBLAS_OP_N ? m : n, "ldb").lead(ldc, m, "ldc");
  check.that(a != c || is_in_place(operation_a, lda), "C", Answers::invalid, lies_elsewhere)
      .that(b != c || is_in_place(operation_b, ldb), "C", Answers::invalid, lies_elsewhere)
      .given(alpha, "alpha")
      .given(beta, "beta");
  if (check.failed()) return check.status();
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  return status_of(launch_geam<T>(m, n, scalar<T>(handle, alpha), matrix(a, lda, operation_a),
                                  scalar<T>(handle, beta), matrix(b, ldb, operation_b), c, ldc,
                                  handle->stream));
}

template <typename T>
cublasStatus_t dgmm(Handle handle, cublasSideMode_t side, Size m, Size n, const T* a, Size lda,
                    const T* x, Size step, T* c, Size ldc) {
  Check check(handle);
  check.side(side, "mode").size(m, "m").size(n, "n").lead(lda, m, "lda").lead(ldc, m, "ldc");
  if (check.failed()) return check.status();
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const bool by_rows = side == CUBLAS_SIDE_LEFT;
  return status_of(launch_dgmm<T>(by_rows, m, n, a, lda, vector(by_rows ? m : n, x, step), c, ldc,
                                  handle->stream));
}

}  // namespace
}  // namespace gridspan::libraries::blas

namespace blas = gridspan::libraries::blas;

#define GRIDSPAN_UPDATE(name, run, Scale, BetaScale, T, hermitian, w, I)                      \
  cublasStatus_t cublas##name##w(cublasHandle_t handle, cublasFillMode_t uplo,                \
                                 cublasOperation_t trans, I n, I k, const Scale* alpha,       \
                                 const T* A, I lda, const T* B, I ldb, const BetaScale* beta, \
                                 T* C, I ldc) {                                               \
    return blas::run<Scale, BetaScale, T>(                                                    \
        {handle, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc, hermitian});         \
  }
#define GRIDSPAN_RANK_K(name, Scale, T, hermitian, w, I)                                     \
  cublasStatus_t cublas##name##_v2##w(cublasHandle_t handle, cublasFillMode_t uplo,          \
                                      cublasOperation_t trans, I n, I k, const Scale* alpha, \
                                      const T* A, I lda, const Scale* beta, T* C, I ldc) {   \
    return blas::update<Scale, Scale, T>(                                                    \
        {handle, uplo, trans, n, k, alpha, A, lda, A, lda, beta, C, ldc, hermitian});        \
  }
#define GRIDSPAN_RANK_K_EX(name, Scale, hermitian, w, I)                                         \
  cublasStatus_t cublas##name##w(cublasHandle_t handle, cublasFillMode_t uplo,                   \
                                 cublasOperation_t trans, I n, I k, const Scale* alpha,          \
                                 const void* A, cudaDataType Atype, I lda, const Scale* beta,    \
                                 void* C, cudaDataType Ctype, I ldc) {                           \
    return blas::update_of_type<Scale>(handle, uplo, trans, n, k, alpha, A, Atype, lda, beta, C, \
                                       Ctype, ldc, hermitian);                                   \
  }
#define GRIDSPAN_SYMM(name, T, structure, w, I)                                                    \
  cublasStatus_t cublas##name##_v2##w(cublasHandle_t handle, cublasSideMode_t side,                \
                                      cublasFillMode_t uplo, I m, I n, const T* alpha, const T* A, \
                                      I lda, const T* B, I ldb, const T* beta, T* C, I ldc) {      \
    return blas::symm<T>(handle, blas::Structure::structure, side, uplo, m, n, alpha, A, lda, B,   \
                         ldb, beta, C, ldc);                                                       \
  }
#define GRIDSPAN_SYMV(name, T, structure, w, I)                                               \
  cublasStatus_t cublas##name##_v2##w(cublasHandle_t handle, cublasFillMode_t uplo, I n,      \
                                      const T* alpha, const T* A, I lda, const T* x, I incx,  \
                                      const T* beta, T* y, I incy) {                          \
    return blas::symv<T>(handle, blas::Structure::structure, uplo, n, alpha, A, lda, x, incx, \
                         beta, y, incy);                                                      \
  }
#define GRIDSPAN_MATRICES(letter, T, w, I)                                                        \
  cublasStatus_t cublas##letter##trmm_v2##w(cublasHandle_t handle, cublasSideMode_t side,         \
                                            cublasFillMode_t uplo, cublasOperation_t trans,       \
                                            cublasDiagType_t diag, I m, I n, const T* alpha,      \
                                            const T* A, I lda, const T* B, I ldb, T* C, I ldc) {  \
    return blas::trmm<T>({handle, side, uplo, trans, diag, m, n, alpha, A, lda, ldb}, B, C, ldc); \
  }                                                                                               \
  cublasStatus_t cublas##letter##trsm_v2##w(cublasHandle_t handle, cublasSideMode_t side,         \
                                            cublasFillMode_t uplo, cublasOperation_t trans,       \
                                            cublasDiagType_t diag, I m, I n, const T* alpha,      \
                                            const T* A, I lda, T* B, I ldb) {                     \
    return blas::trsm<T>({handle, side, uplo, trans, diag, m, n, alpha, A, lda, ldb}, B);         \
  }                                                                                               \
  cublasStatus_t cublas##letter##trsmBatched##w(                                                  \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                        \
      cublasOperation_t trans, cublasDiagType_t diag, I m, I n, const T* alpha,                   \
      const T* const A[], I lda, T* const B[], I ldb, I batchCount) {                             \
    return blas::trsm<T>({handle, side, uplo, trans, diag, m, n, alpha, nullptr, lda, ldb},       \
                         nullptr, A, B, batchCount);                                              \
  }                                                                                               \
  cublasStatus_t cublas##letter##trsv_v2##w(cublasHandle_t handle, cublasFillMode_t uplo,         \
                                            cublasOperation_t trans, cublasDiagType_t diag, I n,  \
                                            const T* A, I lda, T* x, I incx) {                    \
    return blas::trsv<T>(handle, uplo, trans, diag, n, A, lda, x, incx);                          \
  }                                                                                               \
  cublasStatus_t cublas##letter##geam##w(                                                         \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, I m, I n,        \
      const T* alpha, const T* A, I lda, const T* beta, const T* B, I ldb, T* C, I ldc) {         \
    return blas::geam<T>(handle, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc);      \
  }                                                                                               \
  cublasStatus_t cublas##letter##dgmm##w(cublasHandle_t handle, cublasSideMode_t mode, I m, I n,  \
                                         const T* A, I lda, const T* x, I incx, T* C, I ldc) {    \
    return blas::dgmm<T>(handle, mode, m, n, A, lda, x, incx, C, ldc);                            \
  }
#define GRIDSPAN_SYMMETRIC(letter, T, w, I)                             \
  GRIDSPAN_RANK_K(letter##syrk, T, T, false, w, I)                      \
  GRIDSPAN_UPDATE(letter##syrkx, update, T, T, T, false, w, I)          \
  GRIDSPAN_UPDATE(letter##syr2k_v2, update_twice, T, T, T, false, w, I) \
  GRIDSPAN_SYMM(letter##symm, T, symmetric, w, I)                       \
  GRIDSPAN_SYMV(letter##symv, T, symmetric, w, I)                       \
  GRIDSPAN_MATRICES(letter, T, w, I)
#define GRIDSPAN_HERMITIAN(letter, T, R, w, I)                         \
  GRIDSPAN_RANK_K(letter##herk, R, T, true, w, I)                      \
  GRIDSPAN_UPDATE(letter##herkx, update, T, R, T, true, w, I)          \
  GRIDSPAN_UPDATE(letter##her2k_v2, update_twice, T, R, T, true, w, I) \
  GRIDSPAN_SYMM(letter##hemm, T, hermitian, w, I)                      \
  GRIDSPAN_SYMV(letter##hemv, T, hermitian, w, I)

extern "C" {

GRIDSPAN_SIZES(GRIDSPAN_SYMMETRIC, S, float)
GRIDSPAN_SIZES(GRIDSPAN_SYMMETRIC, D, double)
GRIDSPAN_SIZES(GRIDSPAN_SYMMETRIC, C, cuComplex)
GRIDSPAN_SIZES(GRIDSPAN_SYMMETRIC, Z, cuDoubleComplex)
GRIDSPAN_SIZES(GRIDSPAN_RANK_K_EX, CsyrkEx, cuComplex, false)
GRIDSPAN_SIZES(GRIDSPAN_RANK_K_EX, Csyrk3mEx, cuComplex, false)
GRIDSPAN_SIZES(GRIDSPAN_RANK_K_EX, CherkEx, float, true)
GRIDSPAN_SIZES(GRIDSPAN_RANK_K_EX, Cherk3mEx, float, true)
GRIDSPAN_SIZES(GRIDSPAN_HERMITIAN, C, cuComplex, float)
GRIDSPAN_SIZES(GRIDSPAN_HERMITIAN, Z, cuDoubleComplex, double)

}  // extern "C"
