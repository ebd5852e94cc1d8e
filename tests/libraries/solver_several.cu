// cuSOLVER Mg: factors, solutions, inverses and eigenvalues of parts of matrices whose columns lie
// in blocks on several devices. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver_check.h"

#include <cusolverMg.h>

namespace {

constexpr int devices = 3;
cusolverMgHandle_t handle;
cudaLibMgGrid_t grid;

/// rows by columns in blocks of columns, poison where nobody has written.
template <typename T>
struct Spread {
  Spread(int r, int c, int b) : rows(r), columns(c), block(b), host(std::size_t(r) * c) {
    EXPECT(cusolverMgCreateMatrixDesc(&desc, rows, columns, rows, block, Of<T>::type, grid) ==
           CUSOLVER_STATUS_SUCCESS);
    for (T& x : host) x = poison<T>();
    const int blocks = (columns + block - 1) / block;
    for (void*& x : arrays)
      EXPECT(cudaMalloc(&x, std::size_t((blocks + devices - 1) / devices) * block * rows *
                                sizeof(T)) == cudaSuccess);
  }
  Spread(const Spread&) = delete;
  ~Spread() {
    for (void* const x : arrays) cudaFree(x);
    EXPECT(cusolverMgDestroyMatrixDesc(desc) == CUSOLVER_STATUS_SUCCESS);
  }
  T& operator()(int i, int j) { return host[i + std::size_t(j) * rows]; }
  T* column(int j) {
    const int b = j / block;
    return static_cast<T*>(arrays[b % devices]) +
           (std::size_t(b / devices) * block + j % block) * rows;
  }
  void send() {
    for (int j = 0; j < columns; ++j)
      EXPECT(cudaMemcpy(column(j), &(*this)(0, j), rows * sizeof(T), cudaMemcpyHostToDevice) ==
             cudaSuccess);
  }
  std::vector<T> fetch() {
    std::vector<T> result(host.size());
    for (int j = 0; j < columns; ++j)
      EXPECT(cudaMemcpy(&result[std::size_t(j) * rows], column(j), rows * sizeof(T),
                        cudaMemcpyDeviceToHost) == cudaSuccess);
    return result;
  }
  /// What lies outside of n by m from (i, j) on is as it was.
  void expect_rest(const std::vector<T>& now, int i0, int j0, int m, int n) {
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i)
        if (i < i0 || i >= i0 + m || j < j0 || j >= j0 + n)
          EXPECT(same_bits(now[i + std::size_t(j) * rows], (*this)(i, j)));
  }
  int rows, columns, block;
  std::vector<T> host;
  void* arrays[devices] = {};
  cudaLibMgMatrixDesc_t desc = nullptr;
};

void* no_work[devices] = {};
constexpr int n = 23, right = 5, from_row = 3, from_column = 4;  // parts begin there, from 0

template <typename T>
Reference random_matrix(int rows, int columns) {
  Reference a(rows, columns);
  for (Long& x : a.values) x = wide(random_number<T>());
  return a;
}
template <typename T>
void put(Spread<T>& to, const Reference& a, int row, int column) {
  for (int j = 0; j < a.columns; ++j)
    for (int i = 0; i < a.rows; ++i) to(row + i, column + j) = Of<T>::number(a(i, j));
  to.send();
}
template <typename T>
Reference part(const std::vector<T>& all, int lead, int row, int column, int rows, int columns) {
  Reference a(rows, columns);
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i) a(i, j) = wide(all[row + i + std::size_t(column + j) * lead]);
  return a;
}
long double distance(const Reference& a, const Reference& b) {
  long double most = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i)
    most = std::max(most, std::abs(a.values[i] - b.values[i]));
  return most;
}

/// A times its adjoint, and something on the diagonal.
template <typename T>
Reference positive() {
  const Reference a = random_matrix<T>(n, n);
  Reference result = a * a.adjoint();
  for (int i = 0; i < n; ++i) result(i, i) = result(i, i).real() + n;
  for (Long& x : result.values) x = wide(Of<T>::number(x));
  return result;
}

template <typename T>
void check_cholesky(cublasFillMode_t uplo) {
  const Reference a = positive<T>(), x = random_matrix<T>(n, right), b = a * x;
  Spread<T> matrix(from_row + n + 2, from_column + n + 3, 4), sides(n, right + 1, 2);
  put(matrix, a, from_row, from_column);
  put(sides, b, 0, 1);
  const int i = from_row + 1, j = from_column + 1;
  std::int64_t count = 0;
  int info = -7;
  EXPECT(cusolverMgPotrf_bufferSize(handle, uplo, n, matrix.arrays, i, j, matrix.desc, Of<T>::type,
                                    &count) == CUSOLVER_STATUS_SUCCESS);
  EXPECT(cusolverMgPotrf(handle, uplo, n, matrix.arrays, i, j + 9, matrix.desc, Of<T>::type,
                         no_work, count, &info) == CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT(cusolverMgPotrf(handle, uplo, n, matrix.arrays, i, j, matrix.desc, Of<T>::type, no_work,
                         count, &info) == CUSOLVER_STATUS_SUCCESS);
  EXPECT(info == 0);
  const std::vector<T> factored = matrix.fetch();
  matrix.expect_rest(factored, from_row, from_column, n, n);
  const bool is_lower = uplo == CUBLAS_FILL_MODE_LOWER;
  Reference factor = part(factored, matrix.rows, from_row, from_column, n, n);
  for (int q = 0; q < n; ++q)
    for (int p = 0; p < n; ++p)
      if (is_lower ? p < q : p > q) factor(p, q) = 0;
  EXPECT(distance(is_lower ? factor * factor.adjoint() : factor.adjoint() * factor, a) <=
         400 * n * n * epsilon<T>());
  info = -7;
  EXPECT(cusolverMgPotrs(handle, uplo, n, right, matrix.arrays, i, j, matrix.desc, sides.arrays, 1,
                         2, sides.desc, Of<T>::type, no_work, count,
                         &info) == CUSOLVER_STATUS_SUCCESS);
  EXPECT(info == 0);
  const std::vector<T> solved = sides.fetch();
  sides.expect_rest(solved, 0, 1, n, right);
  EXPECT(distance(part(solved, n, 0, 1, n, right), x) <= 400 * n * epsilon<T>());
  EXPECT(cusolverMgPotri(handle, uplo, n, matrix.arrays, i, j, matrix.desc, Of<T>::type, no_work,
                         count, &info) == CUSOLVER_STATUS_SUCCESS);
  EXPECT(info == 0);
  Reference inverse = part(matrix.fetch(), matrix.rows, from_row, from_column, n, n);
  for (int q = 0; q < n; ++q)
    for (int p = 0; p < n; ++p)
      if (is_lower ? p < q : p > q) inverse(p, q) = std::conj(inverse(q, p));
  const Reference product = a * inverse;
  for (int q = 0; q < n; ++q)
    for (int p = 0; p < n; ++p)
      EXPECT(std::abs(product(p, q) - Long(p == q)) <= 4000 * n * epsilon<T>());
}

template <typename T>
void check_lu(cublasOperation_t operation) {
  const Reference a = random_matrix<T>(n, n), x = random_matrix<T>(n, right);
  const Reference b = (operation == CUBLAS_OP_N   ? a
                       : operation == CUBLAS_OP_T ? a.transposed()
                                                  : a.adjoint()) *
                      x;
  Spread<T> matrix(from_row + n + 1, from_column + n, 5), sides(n + 1, right, 1);
  put(matrix, a, from_row, from_column);
  put(sides, b, 1, 0);
  int* pivots[devices];
  for (int*& y : pivots) EXPECT(cudaMalloc(&y, 30 * sizeof(int)) == cudaSuccess);
  std::int64_t count = 0;
  int info = -7;
  const int i = from_row + 1, j = from_column + 1;
  EXPECT(cusolverMgGetrf_bufferSize(handle, n, n, matrix.arrays, i, j, matrix.desc, pivots,
                                    Of<T>::type, &count) == CUSOLVER_STATUS_SUCCESS);
  EXPECT(cusolverMgGetrf(handle, n, n, matrix.arrays, i, j, matrix.desc, pivots, Of<T>::type,
                         no_work, count, &info) == CUSOLVER_STATUS_SUCCESS);
  EXPECT(info == 0);
  const std::vector<T> factored = matrix.fetch();
  matrix.expect_rest(factored, from_row, from_column, n, n);
  info = -7;
  EXPECT(cusolverMgGetrs(handle, operation, n, right, matrix.arrays, i, j, matrix.desc, pivots,
                         sides.arrays, 2, 1, sides.desc, Of<T>::type, no_work, count,
                         &info) == CUSOLVER_STATUS_SUCCESS);
  EXPECT(info == 0);
  const std::vector<T> solved = sides.fetch();
  sides.expect_rest(solved, 1, 0, n, right);
  EXPECT(distance(part(solved, n + 1, 1, 0, n, right), x) <= 20000 * n * epsilon<T>());
  const std::vector<T> used = matrix.fetch();
  EXPECT(std::memcmp(used.data(), factored.data(), used.size() * sizeof(T)) == 0);
  for (int* const y : pivots) cudaFree(y);
}

template <typename T>
void check_eigenvalues() {
  const Reference a = positive<T>();
  Spread<T> matrix(n, n, 3);
  put(matrix, a, 0, 0);
  std::vector<RealOf<T>> values(n);
  std::int64_t count = 0;
  int info = -7;
  EXPECT(cusolverMgSyevd_bufferSize(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n,
                                    matrix.arrays, 1, 1, matrix.desc, values.data(),
                                    Of<T>::real_type, Of<T>::type,
                                    &count) == CUSOLVER_STATUS_SUCCESS);
  EXPECT(cusolverMgSyevd(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, matrix.arrays,
                         1, 1, matrix.desc, values.data(), Of<T>::real_type, Of<T>::type, no_work,
                         count, &info) == CUSOLVER_STATUS_SUCCESS);
  EXPECT(info == 0);
  const Reference vectors = part(matrix.fetch(), n, 0, 0, n, n), product = a * vectors;
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i)
      EXPECT(std::abs(product(i, k) - Long(values[k]) * vectors(i, k)) <=
             1000 * n * n * epsilon<T>());
}

template <typename T>
void check_all() {
  check_cholesky<T>(CUBLAS_FILL_MODE_LOWER);
  check_cholesky<T>(CUBLAS_FILL_MODE_UPPER);
  for (const cublasOperation_t operation : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C})
    check_lu<T>(operation);
  check_eigenvalues<T>();
}

}  // namespace

int main() {
  int ids[devices] = {0, 0, 0};
  EXPECT(cusolverMgCreate(&handle) == CUSOLVER_STATUS_SUCCESS);
  EXPECT(cusolverMgDeviceSelect(handle, devices, ids) == CUSOLVER_STATUS_SUCCESS);
  EXPECT(cusolverMgCreateDeviceGrid(&grid, 2, devices, ids, CUDALIBMG_GRID_MAPPING_COL_MAJOR) ==
         CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT(cusolverMgCreateDeviceGrid(&grid, 1, devices, ids, CUDALIBMG_GRID_MAPPING_COL_MAJOR) ==
         CUSOLVER_STATUS_SUCCESS);
  check_all<float>();
  check_all<double>();
  check_all<cuComplex>();
  check_all<cuDoubleComplex>();
  EXPECT(cusolverMgDestroyGrid(grid) == CUSOLVER_STATUS_SUCCESS);
  EXPECT(cusolverMgDestroyGrid(grid) == CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT(cusolverMgDestroy(handle) == CUSOLVER_STATUS_SUCCESS);
  return finish();
}
