// cuSOLVER: systems with sparse matrices, orders of their rows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions answer on the host whether a matrix is singular, so they wait in any case: matrices
// in device memory are copied, and solved there. Each is put into band order first, whatever order
// the program asks for, and a QR solution is one by LU with pivots.
#include "libraries/solver/api/sparse_arguments.h"
#include "libraries/solver/api/sparse_factors.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace gridspan::libraries::solver {
namespace {

template <typename T>
cusolverStatus_t solve(Check check, cusolverSpHandle_t handle, Method method, bool on_device,
                       const Csr& a, const T* values, const T* b, Real<T> tolerance, T* x,
                       int* singularity) {
  check_csr(check, a);
  check.that(values || a.count <= 0, "csrValA")
      .that(b || a.rows <= 0, "b")
      .that(x || a.rows <= 0, "x")
      .given(singularity, "singularity");
  if (check.failed()) return check.status();
  return guarded([&] {
    const cudaStream_t stream = handle->stream;
    Pattern pattern;
    const cusolverStatus_t status = take_pattern(check, on_device, a, stream, pattern);
    if (status != CUSOLVER_STATUS_SUCCESS) return status;
    const HostCopy<T> numbers(on_device, values, a.count, stream);
    const HostCopy<T> right(on_device, b, a.rows, stream);
    if (numbers.error() != cudaSuccess) return status_of(numbers.error());
    if (right.error() != cudaSuccess) return status_of(right.error());
    const BandFactors<T> factors(pattern, method, numbers.get(), number<T>(0));
    *singularity = factors.first_singular(tolerance);
    // Of a matrix that is not positive definite there is no factor.
    if (method == Method::cholesky && *singularity >= 0) return CUSOLVER_STATUS_SUCCESS;
    std::vector<T> result(static_cast<std::size_t>(a.rows));
    factors.solve(right.get(), result.data());
    return status_of(give(on_device, result, x, stream));
  });
}

/// Of one pattern, with values and right-hand sides one behind the other. There is nothing that
/// says which of them are singular.
template <typename T>
cusolverStatus_t solve_batched(const Check& given, cusolverSpHandle_t handle, int columns,
                               const Csr& a, const T* values, const T* b, T* x, int batch_count,
                               const csrqrInfo* info) {
  Check check = given;
  check.live(info, "info")
      .size(batch_count, "batchSize")
      .that(columns == a.rows, "n", CUSOLVER_STATUS_NOT_SUPPORTED);
  int singularity = -1;
  for (Size z = 0; z < batch_count && !check.failed(); ++z) {
    const cusolverStatus_t status =
        solve<T>(check, handle, Method::lu, true, a, values ? values + z * a.count : nullptr,
                 b ? b + z * a.rows : nullptr, 0, x ? x + z * a.rows : nullptr, &singularity);
    if (status != CUSOLVER_STATUS_SUCCESS) return status;
  }
  return check.status();
}

cusolverStatus_t order(Check check, const Csr& a, std::vector<int> (*order_of)(const Pattern&),
                       int* p) {
  check_csr(check, a);
  check.that(p || a.rows <= 0, "p");
  if (check.failed()) return check.status();
  return guarded([&] {
    Pattern pattern;
    const cusolverStatus_t status = take_pattern(check, false, a, nullptr, pattern);
    if (status != CUSOLVER_STATUS_SUCCESS) return status;
    const std::vector<int> found = order_of(pattern);
    std::copy(found.begin(), found.end(), p);
    return CUSOLVER_STATUS_SUCCESS;
  });
}

bool is_permutation_of(const int* p, int count) {
  std::vector<char> seen(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    if (p[i] < 0 || p[i] >= count || seen[p[i]]++) return false;
  return true;
}

/// B = A(p, q), in place, columns in order; `map` moves as values have to.
cusolverStatus_t permute(Check check, int rows, int columns, int count,
                         const cusparseMatDescr* descriptor, int* starts, int* indices,
                         const int* p, const int* q, int* map) {
  check_csr(check, {rows, count, descriptor, starts, indices});
  check.size(columns, "n").that(map || count <= 0, "map");
  if (check.failed()) return check.status();
  return guarded([&] {
    const int base = base_of({rows, count, descriptor, starts, indices});
    check.that(p && is_permutation_of(p, rows), "p").that(q && is_permutation_of(q, columns), "q");
    for (int i = 0; !check.failed() && i < rows; ++i)
      check.that(starts[i] >= base && starts[i + 1] >= starts[i] && starts[i + 1] - base <= count,
                 "csrRowPtrA");
    for (int k = 0; !check.failed() && k < count; ++k)
      check.that(indices[k] >= base && indices[k] - base < columns, "csrColIndA");
    if (check.failed()) return check.status();
    std::vector<int> place(static_cast<std::size_t>(columns)), new_starts = {base}, new_map;
    std::vector<std::pair<int, int>> row;  // columns, and where they come from
    std::vector<int> new_indices;
    for (int j = 0; j < columns; ++j) place[q[j]] = j;
    for (int i = 0; i < rows; ++i) {
      row.clear();
      for (int k = starts[p[i]] - base; k < starts[p[i] + 1] - base; ++k)
        row.emplace_back(place[indices[k] - base], k);
      std::sort(row.begin(), row.end());
      for (const auto& [column, from] : row) {
        new_indices.push_back(column + base);
        new_map.push_back(map[from]);
      }
      new_starts.push_back(static_cast<int>(new_indices.size()) + base);
    }
    std::copy(new_starts.begin(), new_starts.end(), starts);
    std::copy(new_indices.begin(), new_indices.end(), indices);
    std::copy(new_map.begin(), new_map.end(), map);
    return CUSOLVER_STATUS_SUCCESS;
  });
}

}  // namespace
}  // namespace gridspan::libraries::solver

namespace solver = gridspan::libraries::solver;
using solver::inner;

#define GRIDSPAN_SYSTEM(letter, T, R, name, method, on_device)                                 \
  cusolverStatus_t cusolverSp##letter##name(cusolverSpHandle_t handle, int m, int nnz,         \
                                            const cusparseMatDescr_t descrA, const T* csrValA, \
                                            const int* csrRowPtrA, const int* csrColIndA,      \
                                            const T* b, R tol, int, T* x, int* singularity) {  \
    return solver::solve({"cusolverSp" #letter #name, handle}, handle, solver::Method::method, \
                         on_device, {m, nnz, descrA, csrRowPtrA, csrColIndA}, inner(csrValA),  \
                         inner(b), tol, inner(x), singularity);                                \
  }
#define GRIDSPAN_SYSTEMS(letter, T, R)                      \
  GRIDSPAN_SYSTEM(letter, T, R, csrlsvluHost, lu, false)    \
  GRIDSPAN_SYSTEM(letter, T, R, csrlsvqr, lu, true)         \
  GRIDSPAN_SYSTEM(letter, T, R, csrlsvqrHost, lu, false)    \
  GRIDSPAN_SYSTEM(letter, T, R, csrlsvchol, cholesky, true) \
  GRIDSPAN_SYSTEM(letter, T, R, csrlsvcholHost, cholesky, false)
#define GRIDSPAN_BATCHED(letter, T)                                                              \
  cusolverStatus_t cusolverSp##letter##csrqrBufferInfoBatched(                                   \
      cusolverSpHandle_t handle, int m, int, int nnz, const cusparseMatDescr_t descrA, const T*, \
      const int* csrRowPtrA, const int* csrColIndA, int batchSize, csrqrInfo_t info,             \
      size_t* internalDataInBytes, size_t* workspaceInBytes) {                                   \
    solver::Check check("cusolverSp" #letter "csrqrBufferInfoBatched", handle);                  \
    solver::check_csr(check, {m, nnz, descrA, csrRowPtrA, csrColIndA});                          \
    check.size(batchSize, "batchSize")                                                           \
        .that(gridspan::libraries::is_live(info), "info")                                        \
        .that(internalDataInBytes&& workspaceInBytes, "internalDataInBytes");                    \
    if (!check.failed()) *internalDataInBytes = *workspaceInBytes = 16;                          \
    return check.status();                                                                       \
  }                                                                                              \
  cusolverStatus_t cusolverSp##letter##csrqrsvBatched(                                           \
      cusolverSpHandle_t handle, int m, int n, int nnz, const cusparseMatDescr_t descrA,         \
      const T* csrValA, const int* csrRowPtrA, const int* csrColIndA, const T* b, T* x,          \
      int batchSize, csrqrInfo_t info, void*) {                                                  \
    return solver::solve_batched({"cusolverSp" #letter "csrqrsvBatched", handle}, handle, n,     \
                                 {m, nnz, descrA, csrRowPtrA, csrColIndA}, inner(csrValA),       \
                                 inner(b), inner(x), batchSize, info);                           \
  }
#define GRIDSPAN_ORDER(name, order_of)                                                             \
  cusolverStatus_t cusolverSpX##name(cusolverSpHandle_t handle, int n, int nnzA,                   \
                                     const cusparseMatDescr_t descrA, const int* csrRowPtrA,       \
                                     const int* csrColIndA, int* p) {                              \
    return solver::order({"cusolverSpX" #name, handle}, {n, nnzA, descrA, csrRowPtrA, csrColIndA}, \
                         solver::order_of, p);                                                     \
  }

extern "C" {

GRIDSPAN_SYSTEMS(S, float, float)
GRIDSPAN_SYSTEMS(D, double, double)
GRIDSPAN_SYSTEMS(C, cuComplex, float)
GRIDSPAN_SYSTEMS(Z, cuDoubleComplex, double)

GRIDSPAN_BATCHED(S, float)
GRIDSPAN_BATCHED(D, double)
GRIDSPAN_BATCHED(C, cuComplex)
GRIDSPAN_BATCHED(Z, cuDoubleComplex)

cusolverStatus_t cusolverSpXcsrqrAnalysisBatched(cusolverSpHandle_t handle, int m, int, int nnzA,
                                                 const cusparseMatDescr_t descrA,
                                                 const int* csrRowPtrA, const int* csrColIndA,
                                                 csrqrInfo_t info) {
  solver::Check check("cusolverSpXcsrqrAnalysisBatched", handle);
  solver::check_csr(check, {m, nnzA, descrA, csrRowPtrA, csrColIndA});
  return check.that(gridspan::libraries::is_live(info), "info").status();
}

GRIDSPAN_ORDER(csrsymrcmHost, order_to_band)
GRIDSPAN_ORDER(csrsymmdqHost, order_to_few)
GRIDSPAN_ORDER(csrsymamdHost, order_to_few)

cusolverStatus_t cusolverSpXcsrmetisndHost(cusolverSpHandle_t handle, int n, int nnzA,
                                           const cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                           const int* csrColIndA, const int64_t*, int* p) {
  return solver::order({"cusolverSpXcsrmetisndHost", handle},
                       {n, nnzA, descrA, csrRowPtrA, csrColIndA}, solver::order_to_few, p);
}

cusolverStatus_t cusolverSpXcsrissymHost(cusolverSpHandle_t handle, int m, int nnzA,
                                         const cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                         const int* csrEndPtrA, const int* csrColIndA, int* issym) {
  solver::Check check("cusolverSpXcsrissymHost", handle);
  const solver::Csr a = {m, nnzA, descrA, csrRowPtrA, csrColIndA};
  solver::check_csr(check, a);
  check.given(csrEndPtrA, "csrEndPtrA").given(issym, "issym");
  if (check.failed()) return check.status();
  return solver::guarded([&] {
    solver::Pattern pattern;
    check.that(solver::read_pattern(m, nnzA, solver::base_of(a), csrRowPtrA, csrEndPtrA, csrColIndA,
                                    pattern),
               "csrRowPtrA");
    if (!check.failed()) *issym = solver::has_symmetric_pattern(pattern);
    return check.status();
  });
}

cusolverStatus_t cusolverSpXcsrperm_bufferSizeHost(cusolverSpHandle_t handle, int m, int n,
                                                   int nnzA, const cusparseMatDescr_t descrA,
                                                   const int* csrRowPtrA, const int* csrColIndA,
                                                   const int*, const int*,
                                                   size_t* bufferSizeInBytes) {
  solver::Check check("cusolverSpXcsrperm_bufferSizeHost", handle);
  solver::check_csr(check, {m, nnzA, descrA, csrRowPtrA, csrColIndA});
  check.size(n, "n").given(bufferSizeInBytes, "bufferSizeInBytes");
  if (!check.failed()) *bufferSizeInBytes = 16;  // ours has its own
  return check.status();
}

cusolverStatus_t cusolverSpXcsrpermHost(cusolverSpHandle_t handle, int m, int n, int nnzA,
                                        const cusparseMatDescr_t descrA, int* csrRowPtrA,
                                        int* csrColIndA, const int* p, const int* q, int* map,
                                        void*) {
  return solver::permute({"cusolverSpXcsrpermHost", handle}, m, n, nnzA, descrA, csrRowPtrA,
                         csrColIndA, p, q, map);
}

}  // extern "C"
