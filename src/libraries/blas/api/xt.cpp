// cublasXt: products and systems of matrices that lie in any memory, as calls of cuBLAS on copies
// of them. The run time spreads the work over its devices, so there are no tiles to choose.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/api/triangles.h"
#include "libraries/blas/api/work.h"
#include "libraries/blas/kernels/stored.h"

#include <cublasXt.h>

#include <cstddef>
#include <vector>

struct cublasXtContext {
  cublasHandle_t handle = nullptr;
  std::vector<int> devices;
  int block_dimension = 2048;
  cublasXtPinnedMemMode_t pinning = CUBLASXT_PINNING_DISABLED;
  ~cublasXtContext() {
    if (handle) cublasDestroy_v2(handle);
  }
};

namespace gridspan::libraries::blas {
namespace {

using Size = std::int64_t;
using XtHandle = Called<cublasXtHandle_t>;

/// A matrix of the program's, columns by columns in device memory.
template <typename T>
class Copied {
 public:
  Copied(Work& work, const T* from, std::size_t rows, std::size_t columns, std::size_t lead,
         bool reads = true)
      : work_(work),
        rows_(rows),
        columns_(columns),
        lead_(lead),
        place_(work.take<T>(static_cast<Size>(rows * columns))) {
    if (reads) move(place_, rows_, from, lead_);
  }
  T* get() const { return place_; }
  Size lead() const { return std::max<Size>(1, static_cast<Size>(rows_)); }
  void bring_back(T* to) { move(to, lead_, place_, rows_); }

 private:
  void move(T* to, std::size_t to_lead, const T* from, std::size_t from_lead) {
    if (rows_ == 0 || columns_ == 0) return;
    work_.step([&] {
      return cudaMemcpy2DAsync(to, to_lead * sizeof(T), from, from_lead * sizeof(T),
                               rows_ * sizeof(T), columns_, cudaMemcpyDefault, work_.stream());
    });
  }
  Work& work_;
  std::size_t rows_, columns_, lead_;
  T* place_;
};

/// A matrix that a call gives: so many rows in columns that far apart.
struct GivenMatrix {
  const void* place;
  std::size_t rows, columns, lead;
};

Check check_of(const XtHandle& handle) { return Check(handle.call(), handle.handle()); }

/// The documented checks of a matrix.
void check_matrix(Check& check, const GivenMatrix& m, const char* name, const char* lead_name) {
  constexpr auto most = static_cast<std::size_t>(INT32_MAX) * 2;
  check.that(m.rows <= most && m.columns <= most, name, Answers::invalid, "has too many rows")
      .lead(static_cast<Size>(std::min(m.lead, most)), static_cast<Size>(m.rows), lead_name)
      .that(m.place || m.rows == 0 || m.columns == 0, name, Answers::invalid, "is null");
}

/// The result is there when the call returns.
cublasStatus_t finish_xt(Work& work, cublasStatus_t status) {
  const cublasStatus_t freed = work.finish();
  const cublasStatus_t waited = status_of(cudaStreamSynchronize(work.stream()));
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  return freed != CUBLAS_STATUS_SUCCESS ? freed : waited;
}

/// Runs `call` on a result that it reads and writes, or writes only.
template <typename T, typename Call>
cublasStatus_t run_xt(Work& work, T* c, const GivenMatrix& given, bool reads, Call call) {
  Copied<T> result(work, c, given.rows, given.columns, given.lead, reads);
  if (!work.is_good()) return finish_xt(work, CUBLAS_STATUS_SUCCESS);
  const cublasStatus_t status = call(result);
  if (status == CUBLAS_STATUS_SUCCESS) result.bring_back(c);
  return finish_xt(work, status);
}

Size size(std::size_t x) { return static_cast<Size>(x); }

template <typename T, typename Function>
cublasStatus_t xt_gemm(Function function, XtHandle handle, cublasOperation_t transpose_a,
                       cublasOperation_t transpose_b, std::size_t m, std::size_t n, std::size_t k,
                       const T* alpha, const T* a, std::size_t lda, const T* b, std::size_t ldb,
                       const T* beta, T* c, std::size_t ldc) {
  const bool a_is_whole = transpose_a == CUBLAS_OP_N, b_is_whole = transpose_b == CUBLAS_OP_N;
  const GivenMatrix given_a = {a, a_is_whole ? m : k, a_is_whole ? k : m, lda};
  const GivenMatrix given_b = {b, b_is_whole ? k : n, b_is_whole ? n : k, ldb};
  const GivenMatrix given_c = {c, m, n, ldc};
  Check check = check_of(handle);
  check.operation(transpose_a, "transa").operation(transpose_b, "transb");
  check_matrix(check, given_a, "A", "lda");
  check_matrix(check, given_b, "B", "ldb");
  check_matrix(check, given_c, "C", "ldc");
  if (check.given(alpha, "alpha").given(beta, "beta").failed()) return check.status();
  Work work(nullptr);
  Copied<T> x(work, a, given_a.rows, given_a.columns, lda);
  Copied<T> y(work, b, given_b.rows, given_b.columns, ldb);
  return run_xt(work, c, given_c, !is_zero(*beta), [&](const Copied<T>& z) {
    return function(handle->handle, transpose_a, transpose_b, size(m), size(n), size(k), alpha,
                    x.get(), x.lead(), y.get(), y.lead(), beta, z.get(), z.lead());
  });
}

/// syrk, herk
template <typename T, typename Scale, typename Function>
cublasStatus_t xt_rank_k(Function function, XtHandle handle, cublasFillMode_t fill,
                         cublasOperation_t operation, std::size_t n, std::size_t k,
                         const Scale* alpha, const T* a, std::size_t lda, const Scale* beta, T* c,
                         std::size_t ldc) {
  const bool is_whole = operation == CUBLAS_OP_N;
  const GivenMatrix given_a = {a, is_whole ? n : k, is_whole ? k : n, lda};
  const GivenMatrix given_c = {c, n, n, ldc};
  Check check = check_of(handle);
  check.fill(fill).operation(operation);
  check_matrix(check, given_a, "A", "lda");
  check_matrix(check, given_c, "C", "ldc");
  if (check.given(alpha, "alpha").given(beta, "beta").failed()) return check.status();
  Work work(nullptr);
  Copied<T> x(work, a, given_a.rows, given_a.columns, lda);
  return run_xt(work, c, given_c, true, [&](const Copied<T>& z) {
    return function(handle->handle, fill, operation, size(n), size(k), alpha, x.get(), x.lead(),
                    beta, z.get(), z.lead());
  });
}

/// syr2k, her2k, syrkx, herkx
template <typename T, typename Scale, typename Function>
cublasStatus_t xt_rank_2k(Function function, XtHandle handle, cublasFillMode_t fill,
                          cublasOperation_t operation, std::size_t n, std::size_t k, const T* alpha,
                          const T* a, std::size_t lda, const T* b, std::size_t ldb,
                          const Scale* beta, T* c, std::size_t ldc) {
  const bool is_whole = operation == CUBLAS_OP_N;
  const std::size_t rows = is_whole ? n : k, columns = is_whole ? k : n;
  const GivenMatrix given_c = {c, n, n, ldc};
  Check check = check_of(handle);
  check.fill(fill).operation(operation);
  check_matrix(check, {a, rows, columns, lda}, "A", "lda");
  check_matrix(check, {b, rows, columns, ldb}, "B", "ldb");
  check_matrix(check, given_c, "C", "ldc");
  if (check.given(alpha, "alpha").given(beta, "beta").failed()) return check.status();
  Work work(nullptr);
  Copied<T> x(work, a, rows, columns, lda), y(work, b, rows, columns, ldb);
  return run_xt(work, c, given_c, true, [&](const Copied<T>& z) {
    return function(handle->handle, fill, operation, size(n), size(k), alpha, x.get(), x.lead(),
                    y.get(), y.lead(), beta, z.get(), z.lead());
  });
}

/// symm, hemm
template <typename T, typename Function>
cublasStatus_t xt_symm(Function function, XtHandle handle, cublasSideMode_t side,
                       cublasFillMode_t fill, std::size_t m, std::size_t n, const T* alpha,
                       const T* a, std::size_t lda, const T* b, std::size_t ldb, const T* beta,
                       T* c, std::size_t ldc) {
  const std::size_t order = side == CUBLAS_SIDE_LEFT ? m : n;
  const GivenMatrix given_c = {c, m, n, ldc};
  Check check = check_of(handle);
  check.side(side).fill(fill);
  check_matrix(check, {a, order, order, lda}, "A", "lda");
  check_matrix(check, {b, m, n, ldb}, "B", "ldb");
  check_matrix(check, given_c, "C", "ldc");
  if (check.given(alpha, "alpha").given(beta, "beta").failed()) return check.status();
  Work work(nullptr);
  Copied<T> x(work, a, order, order, lda), y(work, b, m, n, ldb);
  return run_xt(work, c, given_c, !is_zero(*beta), [&](const Copied<T>& z) {
    return function(handle->handle, side, fill, size(m), size(n), alpha, x.get(), x.lead(), y.get(),
                    y.lead(), beta, z.get(), z.lead());
  });
}

/// The same with a packed A, which is unpacked first.
template <typename T, typename Function>
cublasStatus_t xt_spmm(Function function, XtHandle handle, cublasSideMode_t side,
                       cublasFillMode_t fill, std::size_t m, std::size_t n, const T* alpha,
                       const T* packed, const T* b, std::size_t ldb, const T* beta, T* c,
                       std::size_t ldc) {
  const std::size_t order = side == CUBLAS_SIDE_LEFT ? m : n, count = order * (order + 1) / 2;
  const GivenMatrix given_c = {c, m, n, ldc};
  Check check = check_of(handle);
  check.side(side).fill(fill).that(order <= static_cast<std::size_t>(INT32_MAX), "AP",
                                   Answers::invalid, "has too many rows");
  check_matrix(check, {packed, 1, count, 1}, "AP", "AP");
  check_matrix(check, {b, m, n, ldb}, "B", "ldb");
  check_matrix(check, given_c, "C", "ldc");
  if (check.given(alpha, "alpha").given(beta, "beta").failed()) return check.status();
  Work work(nullptr);
  Copied<T> x(work, packed, count, 1, count), y(work, b, m, n, ldb);
  T* const whole = work.take<T>(size(order * order));
  if (order > 0)
    work.step([&] {
      return launch_unpack<T>(triangle_of(fill), size(order), x.get(), whole, size(order),
                              work.stream());
    });
  return run_xt(work, c, given_c, !is_zero(*beta), [&](const Copied<T>& z) {
    return function(handle->handle, side, fill, size(m), size(n), alpha, whole,
                    std::max<Size>(1, size(order)), y.get(), y.lead(), beta, z.get(), z.lead());
  });
}

template <typename T, typename Function>
cublasStatus_t xt_trsm(Function function, XtHandle handle, cublasSideMode_t side,
                       cublasFillMode_t fill, cublasOperation_t operation,
                       cublasDiagType_t diagonal, std::size_t m, std::size_t n, const T* alpha,
                       const T* a, std::size_t lda, T* b, std::size_t ldb) {
  const std::size_t order = side == CUBLAS_SIDE_LEFT ? m : n;
  const GivenMatrix given_b = {b, m, n, ldb};
  Check check = check_of(handle);
  check.side(side).fill(fill).operation(operation).diagonal(diagonal);
  check_matrix(check, {a, order, order, lda}, "A", "lda");
  check_matrix(check, given_b, "B", "ldb");
  if (check.given(alpha, "alpha").failed()) return check.status();
  Work work(nullptr);
  Copied<T> x(work, a, order, order, lda);
  return run_xt(work, b, given_b, true, [&](const Copied<T>& z) {
    return function(handle->handle, side, fill, operation, diagonal, size(m), size(n), alpha,
                    x.get(), x.lead(), z.get(), z.lead());
  });
}

template <typename T, typename Function>
cublasStatus_t xt_trmm(Function function, XtHandle handle, cublasSideMode_t side,
                       cublasFillMode_t fill, cublasOperation_t operation,
                       cublasDiagType_t diagonal, std::size_t m, std::size_t n, const T* alpha,
                       const T* a, std::size_t lda, const T* b, std::size_t ldb, T* c,
                       std::size_t ldc) {
  const std::size_t order = side == CUBLAS_SIDE_LEFT ? m : n;
  const GivenMatrix given_c = {c, m, n, ldc};
  Check check = check_of(handle);
  check.side(side).fill(fill).operation(operation).diagonal(diagonal);
  check_matrix(check, {a, order, order, lda}, "A", "lda");
  check_matrix(check, {b, m, n, ldb}, "B", "ldb");
  check_matrix(check, given_c, "C", "ldc");
  if (check.given(alpha, "alpha").failed()) return check.status();
  Work work(nullptr);
  Copied<T> x(work, a, order, order, lda), y(work, b, m, n, ldb);
  return run_xt(work, c, given_c, false, [&](const Copied<T>& z) {
    return function(handle->handle, side, fill, operation, diagonal, size(m), size(n), alpha,
                    x.get(), x.lead(), y.get(), y.lead(), z.get(), z.lead());
  });
}

template <typename Value>
cublasStatus_t get_xt(XtHandle handle, const char* argument, Value cublasXtContext::* field,
                      Value* value) {
  const Check check = check_of(handle).given(value, argument);
  if (check.failed()) return check.status();
  *value = handle->*field;
  return CUBLAS_STATUS_SUCCESS;
}

Check& check_routine(Check& check, cublasXtBlasOp_t routine, cublasXtOpType_t type) {
  return check.known(routine >= CUBLASXT_GEMM && routine < CUBLASXT_ROUTINE_MAX, routine, "blasOp")
      .known(type >= CUBLASXT_FLOAT && type <= CUBLASXT_DOUBLECOMPLEX, type, "type");
}

}  // namespace
}  // namespace gridspan::libraries::blas

using namespace gridspan::libraries;  // NOLINT(google-build-using-namespace): the C functions

#define GRIDSPAN_XT(letter, T)                                                                     \
  cublasStatus_t cublasXt##letter##gemm(cublasXtHandle_t handle, cublasOperation_t transa,         \
                                        cublasOperation_t transb, size_t m, size_t n, size_t k,    \
                                        const T* alpha, const T* A, size_t lda, const T* B,        \
                                        size_t ldb, const T* beta, T* C, size_t ldc) {             \
    return blas::xt_gemm<T>(cublas##letter##gemm_v2_64, handle, transa, transb, m, n, k, alpha, A, \
                            lda, B, ldb, beta, C, ldc);                                            \
  }                                                                                                \
  GRIDSPAN_XT_RANK_K(letter##syrk, T, T)                                                           \
  GRIDSPAN_XT_RANK_2K(letter##syr2k, letter##syr2k_v2, T, T)                                       \
  GRIDSPAN_XT_RANK_2K(letter##syrkx, letter##syrkx, T, T)                                          \
  GRIDSPAN_XT_SYMM(letter##symm, T)                                                                \
  cublasStatus_t cublasXt##letter##spmm(                                                           \
      cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, size_t m, size_t n,   \
      const T* alpha, const T* AP, const T* B, size_t ldb, const T* beta, T* C, size_t ldc) {      \
    return blas::xt_spmm<T>(cublas##letter##symm_v2_64, handle, side, uplo, m, n, alpha, AP, B,    \
                            ldb, beta, C, ldc);                                                    \
  }                                                                                                \
  cublasStatus_t cublasXt##letter##trsm(cublasXtHandle_t handle, cublasSideMode_t side,            \
                                        cublasFillMode_t uplo, cublasOperation_t trans,            \
                                        cublasDiagType_t diag, size_t m, size_t n, const T* alpha, \
                                        const T* A, size_t lda, T* B, size_t ldb) {                \
    return blas::xt_trsm<T>(cublas##letter##trsm_v2_64, handle, side, uplo, trans, diag, m, n,     \
                            alpha, A, lda, B, ldb);                                                \
  }                                                                                                \
  cublasStatus_t cublasXt##letter##trmm(                                                           \
      cublasXtHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                       \
      cublasOperation_t trans, cublasDiagType_t diag, size_t m, size_t n, const T* alpha,          \
      const T* A, size_t lda, const T* B, size_t ldb, T* C, size_t ldc) {                          \
    return blas::xt_trmm<T>(cublas##letter##trmm_v2_64, handle, side, uplo, trans, diag, m, n,     \
                            alpha, A, lda, B, ldb, C, ldc);                                        \
  }
#define GRIDSPAN_XT_RANK_K(name, Scale, T)                                                       \
  cublasStatus_t cublasXt##name(cublasXtHandle_t handle, cublasFillMode_t uplo,                  \
                                cublasOperation_t trans, size_t n, size_t k, const Scale* alpha, \
                                const T* A, size_t lda, const Scale* beta, T* C, size_t ldc) {   \
    return blas::xt_rank_k<T, Scale>(cublas##name##_v2_64, handle, uplo, trans, n, k, alpha, A,  \
                                     lda, beta, C, ldc);                                         \
  }
#define GRIDSPAN_XT_RANK_2K(name, function, Scale, T)                                              \
  cublasStatus_t cublasXt##name(cublasXtHandle_t handle, cublasFillMode_t uplo,                    \
                                cublasOperation_t trans, size_t n, size_t k, const T* alpha,       \
                                const T* A, size_t lda, const T* B, size_t ldb, const Scale* beta, \
                                T* C, size_t ldc) {                                                \
    return blas::xt_rank_2k<T, Scale>(cublas##function##_64, handle, uplo, trans, n, k, alpha, A,  \
                                      lda, B, ldb, beta, C, ldc);                                  \
  }
#define GRIDSPAN_XT_SYMM(name, T)                                                                  \
  cublasStatus_t cublasXt##name(cublasXtHandle_t handle, cublasSideMode_t side,                    \
                                cublasFillMode_t uplo, size_t m, size_t n, const T* alpha,         \
                                const T* A, size_t lda, const T* B, size_t ldb, const T* beta,     \
                                T* C, size_t ldc) {                                                \
    return blas::xt_symm<T>(cublas##name##_v2_64, handle, side, uplo, m, n, alpha, A, lda, B, ldb, \
                            beta, C, ldc);                                                         \
  }

extern "C" {

cublasStatus_t cublasXtCreate(cublasXtHandle_t* handle) {
  if (const auto check = blas::Check(__func__).given(handle, "handle"); check.failed())
    return check.status();
  cublasHandle_t inner = nullptr;
  const cublasStatus_t status = cublasCreate_v2(&inner);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  if (!create_live(handle)) {
    cublasDestroy_v2(inner);
    return CUBLAS_STATUS_ALLOC_FAILED;
  }
  (*handle)->handle = inner;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle) {
  return live<cublasXtContext>().destroy(handle)
             ? CUBLAS_STATUS_SUCCESS
             : blas::Check(__func__).no_object(handle, "handle", CUBLAS_STATUS_NOT_INITIALIZED);
}
cublasStatus_t cublasXtGetNumBoards(int nbDevices, int deviceId[], int* nbBoards) {
  blas::Check check(__func__);
  check.size(nbDevices, "nbDevices").given(nbBoards, "nbBoards");
  if (nbDevices > 0) check.given(deviceId, "deviceId");
  if (check.failed()) return check.status();
  *nbBoards = nbDevices;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtMaxBoards(int* nbGpuBoards) {
  if (const auto check = blas::Check(__func__).given(nbGpuBoards, "nbGpuBoards"); check.failed())
    return check.status();
  return blas::status_of(cudaGetDeviceCount(nbGpuBoards));
}
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int nbDevices, int deviceId[]) {
  blas::Check check(__func__, handle);
  if (check.failed()) return check.status();
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) return CUBLAS_STATUS_EXECUTION_FAILED;
  check.at_least(nbDevices, 1, "nbDevices").given(deviceId, "deviceId");
  for (int i = 0; !check.failed() && i < nbDevices; ++i)
    check.that(deviceId[i] >= 0 && deviceId[i] < count, "deviceId", CUBLAS_STATUS_INVALID_VALUE,
               "names a device that is not there");
  if (check.failed()) return check.status();
  handle->devices.assign(deviceId, deviceId + nbDevices);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int blockDim) {
  const auto check = blas::Check(__func__, handle).at_least(blockDim, 1, "blockDim");
  if (check.failed()) return check.status();
  handle->block_dimension = blockDim;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int* blockDim) {
  return blas::get_xt(handle, "blockDim", &cublasXtContext::block_dimension, blockDim);
}
cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t* mode) {
  return blas::get_xt(handle, "mode", &cublasXtContext::pinning, mode);
}
cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode) {
  const bool is_mode = mode == CUBLASXT_PINNING_DISABLED || mode == CUBLASXT_PINNING_ENABLED;
  const auto check = blas::Check(__func__, handle).known(is_mode, mode, "mode");
  if (check.failed()) return check.status();
  handle->pinning = mode;
  return CUBLAS_STATUS_SUCCESS;
}
// Work for a BLAS of the program's on the host: taken by our own kernels instead.
cublasStatus_t cublasXtSetCpuRoutine(cublasXtHandle_t handle, cublasXtBlasOp_t routine,
                                     cublasXtOpType_t type, void*) {
  blas::Check check(__func__, handle);
  return blas::check_routine(check, routine, type).status();
}
cublasStatus_t cublasXtSetCpuRatio(cublasXtHandle_t handle, cublasXtBlasOp_t routine,
                                   cublasXtOpType_t type, float ratio) {
  blas::Check check(__func__, handle);
  return blas::check_routine(check, routine, type)
      .that(ratio >= 0 && ratio <= 1, "ratio", CUBLAS_STATUS_INVALID_VALUE, "is not within 0 to 1")
      .status();
}

GRIDSPAN_XT(S, float)
GRIDSPAN_XT(D, double)
GRIDSPAN_XT(C, cuComplex)
GRIDSPAN_XT(Z, cuDoubleComplex)
GRIDSPAN_XT_RANK_K(Cherk, float, cuComplex)
GRIDSPAN_XT_RANK_K(Zherk, double, cuDoubleComplex)
GRIDSPAN_XT_RANK_2K(Cher2k, Cher2k_v2, float, cuComplex)
GRIDSPAN_XT_RANK_2K(Zher2k, Zher2k_v2, double, cuDoubleComplex)
GRIDSPAN_XT_RANK_2K(Cherkx, Cherkx, float, cuComplex)
GRIDSPAN_XT_RANK_2K(Zherkx, Zherkx, double, cuDoubleComplex)
GRIDSPAN_XT_SYMM(Chemm, cuComplex)
GRIDSPAN_XT_SYMM(Zhemm, cuDoubleComplex)

}  // extern "C"
