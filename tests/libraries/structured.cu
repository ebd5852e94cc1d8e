// cuBLAS: symmetric, Hermitian and triangular matrices, updates of them, sums of matrices, against
// a plain reference, element by element. What a routine may not read, the other triangle, is
// poisoned; what it may not write stays as it was. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#include "blas_check.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace {

const cublasFillMode_t fills[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
const cublasSideMode_t sides[] = {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT};
const cublasOperation_t operations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};

bool is_stored(cublasFillMode_t fill, int i, int j) {
  return fill == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
}

/// A matrix on the host and the device, with poison between its columns.
template <typename T>
struct Matrix : Array<T> {
  Matrix(int rows, int columns, int gap)
      : Array<T>(static_cast<std::size_t>(rows + gap) * columns),
        rows(rows),
        columns(columns),
        lead(rows + gap) {
    this->fill(poison<T>());
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i) at(i, j) = random_number<T>();
    this->to_device();
  }
  T& at(int i, int j) { return this->host[i + j * lead]; }
  Number operator()(int i, int j) { return wide(at(i, j)); }
  Number operator()(cublasOperation_t operation, int i, int j) {
    const Number x = operation == CUBLAS_OP_N ? (*this)(i, j) : (*this)(j, i);
    return operation == CUBLAS_OP_C ? std::conj(x) : x;
  }
  void poison_triangle(cublasFillMode_t stored, bool and_diagonal = false) {
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i)
        if (!is_stored(stored, i, j) || (and_diagonal && i == j)) at(i, j) = poison<T>();
    this->to_device();
  }
  int rows, columns, lead;
};

/// `expected(i, j)` where `covers(i, j)`, the old bits elsewhere.
template <typename T, typename Covers, typename Expected>
void expect_matrix(Matrix<T>& matrix, double tolerance, Covers covers, Expected expected,
                   int line) {
  const std::vector<T> got = matrix.from_device();
  int different = 0;
  for (int j = 0; j < matrix.columns; ++j)
    for (int i = 0; i < matrix.lead; ++i) {
      const T& x = got[i + j * matrix.lead];
      if (i < matrix.rows && covers(i, j)) {
        const Number wanted = expected(i, j);
        different += !(std::abs(wide(x) - wanted) <= tolerance * std::max(1.0, std::abs(wanted)));
      } else {
        different += !same_bits(x, matrix.at(i, j));
      }
    }
  if (!expect(different == 0, "elements of a matrix", line))
    std::printf("  %d different of %d x %d\n", different, matrix.rows, matrix.columns);
}
#define EXPECT_MATRIX(matrix, tolerance, covers, ...) \
  expect_matrix(matrix, tolerance, covers, __VA_ARGS__, __LINE__)
const auto everywhere = [](int, int) { return true; };

template <typename T>
struct Factors {
  Factors(cublasHandle_t handle, T alpha, T beta, bool on_device) : values(2) {
    values.host = {alpha, beta};
    values.to_device();
    EXPECT(cublasSetPointerMode(
               handle, on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST) ==
           CUBLAS_STATUS_SUCCESS);
    alpha_place = on_device ? values.device : values.host.data();
  }
  Array<T> values;
  const T* alpha_place;
  const T* alpha() const { return alpha_place; }
  const T* beta() const { return alpha_place + 1; }
};

// --- updates of a triangle

template <typename T, typename Scale, typename Call>
void check_rank_k(cublasHandle_t handle, bool hermitian, Call call) {
  int round = 0;
  const cublasOperation_t other = hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
  for (const cublasFillMode_t fill : fills)
    for (const bool is_whole : {true, false})
      for (const auto& [n, k] : {std::pair{1, 1}, {37, 19}, {5, 70}, {9, 0}, {129, 40}}) {
        const double beta = ++round % 3;
        const Scale alpha = Of<Scale>::number(Number(-2, Of<Scale>::is_complex ? 1 : 0));
        const Factors<Scale> factors(handle, alpha, Of<Scale>::number(beta), round % 2);
        Matrix<T> a(is_whole ? n : k, is_whole ? k : n, 2), c(n, n, 3);
        // A Hermitian matrix has a real diagonal.
        if (hermitian)
          for (int i = 0; i < n; ++i) c.at(i, i) = Of<T>::number(c(i, i).real());
        c.poison_triangle(fill);
        if (beta == 0) c.fill(poison<T>()), c.to_device();
        EXPECT(call(handle, fill, is_whole ? CUBLAS_OP_N : other, n, k, factors.alpha(), a.device,
                    a.lead, factors.beta(), c.device, c.lead) == CUBLAS_STATUS_SUCCESS);
        EXPECT_MATRIX(
            c, 0, [&](int i, int j) { return is_stored(fill, i, j); },
            [&](int i, int j) {
              Number sum = 0;
              for (int l = 0; l < k; ++l)
                sum += is_whole ? a(i, l) * (hermitian ? std::conj(a(j, l)) : a(j, l))
                                : (hermitian ? std::conj(a(l, i)) : a(l, i)) * a(l, j);
              Number result = wide(alpha) * sum + (beta == 0 ? 0 : beta * c(i, j));
              return hermitian && i == j ? Number(result.real()) : result;
            });
      }
  const Scale one = Of<Scale>::number(1);
  const auto bad = [&](cublasFillMode_t fill, cublasOperation_t op, int n, int k, int lda,
                       int ldc) {
    return call(handle, fill, op, n, k, &one, static_cast<const T*>(nullptr), lda, &one,
                static_cast<T*>(nullptr), ldc);
  };
  EXPECT(bad(CUBLAS_FILL_MODE_FULL, CUBLAS_OP_N, 1, 1, 1, 1) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(bad(CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, -1, 1, 1, 1) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(bad(CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 2, 1, 1, 2) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(bad(CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 2, 1, 2, 1) == CUBLAS_STATUS_INVALID_VALUE);
  if (Of<T>::is_complex)
    EXPECT(bad(CUBLAS_FILL_MODE_LOWER, hermitian ? CUBLAS_OP_T : CUBLAS_OP_C, 1, 1, 1, 1) ==
           CUBLAS_STATUS_INVALID_VALUE);
}

/// syr2k, her2k (`both`) and syrkx, herkx, of which the program says that the result is symmetric.
template <typename T, typename BetaScale, typename Call>
void check_two(cublasHandle_t handle, bool hermitian, bool both, Call call) {
  int round = 0;
  const cublasOperation_t other = hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
  const auto turned = [&](Number x) { return hermitian ? std::conj(x) : x; };
  for (const cublasFillMode_t fill : fills)
    for (const bool is_whole : {true, false})
      for (const auto& [n, k] : {std::pair{1, 1}, {37, 19}, {5, 70}, {130, 33}}) {
        const double beta = ++round % 3;
        const bool on_device = round % 2;
        const Number alpha(-2, Of<T>::is_complex ? 1 : 0);
        const Factors<BetaScale> second(handle, Of<BetaScale>::number(0),
                                        Of<BetaScale>::number(beta), on_device);
        const Factors<T> first(handle, Of<T>::number(alpha), Of<T>::number(0), on_device);
        Matrix<T> a(is_whole ? n : k, is_whole ? k : n, 2),
            b(is_whole ? n : k, is_whole ? k : n, 1), c(n, n, 3);
        // Sums with A in place of B: only these are Hermitian if there is one product.
        Matrix<T>& partner = both ? b : a;
        // A Hermitian matrix has a real diagonal.
        if (hermitian)
          for (int i = 0; i < n; ++i) c.at(i, i) = Of<T>::number(c(i, i).real());
        c.poison_triangle(fill);
        if (beta == 0) c.fill(poison<T>()), c.to_device();
        EXPECT(call(handle, fill, is_whole ? CUBLAS_OP_N : other, n, k, first.alpha(), a.device,
                    a.lead, partner.device, partner.lead, second.beta(), c.device,
                    c.lead) == CUBLAS_STATUS_SUCCESS);
        EXPECT_MATRIX(
            c, 0, [&](int i, int j) { return is_stored(fill, i, j); },
            [&](int i, int j) {
              Number result = beta == 0 ? 0 : beta * c(i, j);
              const auto x = [&](Matrix<T>& m, int row, int l) {
                return is_whole ? m(row, l) : turned(m(l, row));
              };
              const auto y = [&](Matrix<T>& m, int row, int l) {
                return is_whole ? turned(m(row, l)) : m(l, row);
              };
              for (int l = 0; l < k; ++l) {
                result += alpha * x(a, i, l) * y(partner, j, l);
                if (both) result += turned(alpha) * x(partner, i, l) * y(a, j, l);
              }
              return hermitian && i == j ? Number(result.real()) : result;
            });
      }
}

// --- products with a symmetric, Hermitian or triangular matrix

template <typename T, typename Symm, typename Symv>
void check_symm(cublasHandle_t handle, bool hermitian, Symm symm, Symv symv) {
  int round = 0;
  for (const cublasFillMode_t fill : fills)
    for (const auto& [m, n] : {std::pair{1, 1}, {37, 29}, {4, 65}, {129, 66}}) {
      for (const cublasSideMode_t side : sides) {
        const double beta = ++round % 3;
        const Number alpha(-1, Of<T>::is_complex ? 1 : 0);
        const Factors<T> factors(handle, Of<T>::number(alpha), Of<T>::number(beta), round % 2);
        const int order = side == CUBLAS_SIDE_LEFT ? m : n;
        Matrix<T> a(order, order, 2), b(m, n, 1), c(m, n, 3);
        a.poison_triangle(fill);
        if (beta == 0) c.fill(poison<T>()), c.to_device();
        EXPECT(symm(handle, side, fill, m, n, factors.alpha(), a.device, a.lead, b.device, b.lead,
                    factors.beta(), c.device, c.lead) == CUBLAS_STATUS_SUCCESS);
        const auto element = [&](int i, int j) {
          const Number x = is_stored(fill, i, j) ? a(i, j)
                           : hermitian           ? std::conj(a(j, i))
                                                 : a(j, i);
          return hermitian && i == j ? Number(x.real()) : x;
        };
        EXPECT_MATRIX(c, 0, everywhere, [&](int i, int j) {
          Number sum = 0;
          for (int l = 0; l < order; ++l)
            sum += side == CUBLAS_SIDE_LEFT ? element(i, l) * b(l, j) : b(i, l) * element(l, j);
          return alpha * sum + (beta == 0 ? 0 : beta * c(i, j));
        });
        if (side == CUBLAS_SIDE_RIGHT) continue;
        // With vectors: a column with a step, and one that begins at its end.
        Matrix<T> x(2, m, 0), y(1, m, 0);
        EXPECT(symv(handle, fill, m, factors.alpha(), a.device, a.lead, x.device, 2, factors.beta(),
                    y.device, -1) == CUBLAS_STATUS_SUCCESS);
        EXPECT_MATRIX(y, 0, everywhere, [&](int, int place) {
          const int i = m - 1 - place;
          Number sum = 0;
          for (int l = 0; l < m; ++l) sum += element(i, l) * x(0, l);
          return alpha * sum + beta * y(0, place);
        });
      }
    }
}

template <typename T, typename Trmm, typename Trsm, typename Batched, typename Trsv>
void check_triangular(cublasHandle_t handle, double tolerance, Trmm trmm, Trsm trsm,
                      Batched batched, Trsv trsv) {
  int round = 0;
  for (const cublasFillMode_t fill : fills)
    for (const cublasOperation_t op : operations)
      for (const cublasDiagType_t diagonal : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT})
        for (const cublasSideMode_t side : sides)
          for (const auto& [m, n] : {std::pair{1, 1}, {37, 29}, {5, 141}, {201, 3}, {130, 67}}) {
            ++round;
            const Number alpha(-2, Of<T>::is_complex ? 1 : 0);
            const Factors<T> factors(handle, Of<T>::number(alpha), Of<T>::number(0),
                                     round % 3 == 0);
            const int order = side == CUBLAS_SIDE_LEFT ? m : n;
            Matrix<T> a(order, order, 2), b(m, n, 1), c(m, n, 3);
            c.fill(poison<T>()), c.to_device();
            a.poison_triangle(fill, diagonal == CUBLAS_DIAG_UNIT);
            const auto stored = [&](int i, int j) {
              if (i == j && diagonal == CUBLAS_DIAG_UNIT) return Number(1);
              return is_stored(fill, i, j) ? a(i, j) : Number(0);
            };
            const auto element = [&](int i, int j) {
              const Number x = op == CUBLAS_OP_N ? stored(i, j) : stored(j, i);
              return op == CUBLAS_OP_C ? std::conj(x) : x;
            };
            const auto product = [&](int i, int j) {
              Number sum = 0;
              for (int l = 0; l < order; ++l)
                sum += side == CUBLAS_SIDE_LEFT ? element(i, l) * b(l, j) : b(i, l) * element(l, j);
              return alpha * sum;
            };
            EXPECT(trmm(handle, side, fill, op, diagonal, m, n, factors.alpha(), a.device, a.lead,
                        b.device, b.lead, c.device, c.lead) == CUBLAS_STATUS_SUCCESS);
            EXPECT_MATRIX(c, 0, everywhere, product);
            Matrix<T> d(m, n, 1);
            d.host = b.host, d.to_device();
            EXPECT(trmm(handle, side, fill, op, diagonal, m, n, factors.alpha(), a.device, a.lead,
                        d.device, d.lead, d.device, d.lead) == CUBLAS_STATUS_SUCCESS);
            EXPECT_MATRIX(d, 0, everywhere, product);

            // A matrix whose system is well-conditioned.
            for (T& x : a.host) x = Of<T>::number(wide(x) / (2.0 * order));
            for (int i = 0; i < order; ++i)
              if (diagonal == CUBLAS_DIAG_NON_UNIT)
                a.at(i, i) = Of<T>::number(Number(i % 2 ? 2 : -1, Of<T>::is_complex ? 1 : 0));
            a.to_device();
            // X as a plain solver finds it, by equations in the order that op(A) has.
            const bool forwards = (fill == CUBLAS_FILL_MODE_LOWER) == (op == CUBLAS_OP_N);
            std::vector<Number> x(m * n);
            for (int free = 0; free < (side == CUBLAS_SIDE_LEFT ? n : m); ++free)
              for (int step = 0; step < order; ++step) {
                const bool ascends = (side == CUBLAS_SIDE_LEFT) == forwards;
                const int r = ascends ? step : order - 1 - step;
                const auto at = [&](int l) -> Number& {
                  return side == CUBLAS_SIDE_LEFT ? x[l + free * m] : x[free + l * m];
                };
                Number value = alpha * (side == CUBLAS_SIDE_LEFT ? b(r, free) : b(free, r));
                for (int l = 0; l < order; ++l)
                  if (ascends ? l < r : l > r)
                    value -= (side == CUBLAS_SIDE_LEFT ? element(r, l) : element(l, r)) * at(l);
                at(r) = value / element(r, r);
              }
            Matrix<T> e(m, n, 1), f(m, n, 1);
            e.host = f.host = b.host;
            e.to_device(), f.to_device();
            EXPECT(trsm(handle, side, fill, op, diagonal, m, n, factors.alpha(), a.device, a.lead,
                        e.device, e.lead) == CUBLAS_STATUS_SUCCESS);
            const auto solution = [&](int i, int j) { return x[i + j * m]; };
            EXPECT_MATRIX(e, tolerance, everywhere, solution);
            if (order > 128) print_bits("solutions by blocks", e.from_device());
            e.host = b.host, e.to_device();
            Array<const T*> pa(2);
            Array<T*> pb(2);
            pa.host = {a.device, a.device}, pb.host = {f.device, e.device};
            pa.to_device(), pb.to_device();
            EXPECT(batched(handle, side, fill, op, diagonal, m, n, factors.alpha(), pa.device,
                           a.lead, pb.device, e.lead, 2) == CUBLAS_STATUS_SUCCESS);
            EXPECT_MATRIX(e, tolerance, everywhere, solution);
            EXPECT_MATRIX(f, tolerance, everywhere, solution);
            if (side == CUBLAS_SIDE_RIGHT) continue;
            Matrix<T> v(1, m, 2);
            for (int i = 0; i < m; ++i) v.at(0, i) = b.at(i, 0);
            v.to_device();
            EXPECT(trsv(handle, fill, op, diagonal, m, a.device, a.lead, v.device, v.lead) ==
                   CUBLAS_STATUS_SUCCESS);
            EXPECT_MATRIX(v, tolerance, everywhere,
                          [&](int, int i) { return solution(i, 0) / alpha; });
          }
  // alpha of 0 reads nothing.
  Matrix<T> a(5, 5, 0), b(5, 3, 2);
  a.fill(poison<T>()), a.to_device();
  b.fill(poison<T>()), b.to_device();
  const Factors<T> nothing(handle, Of<T>::number(0), Of<T>::number(0), true);
  EXPECT(trsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT,
              5, 3, nothing.alpha(), a.device, 5, b.device, b.lead) == CUBLAS_STATUS_SUCCESS);
  EXPECT_MATRIX(b, 0, everywhere, [](int, int) { return Number(0); });
  const auto bad = [&](cublasSideMode_t side, cublasDiagType_t diagonal, int m, int n, int lda,
                       int ldb) {
    return trsm(handle, side, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, diagonal, m, n, nothing.alpha(),
                a.device, lda, b.device, ldb);
  };
  EXPECT(bad((cublasSideMode_t)2, CUBLAS_DIAG_UNIT, 1, 1, 1, 1) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(bad(CUBLAS_SIDE_LEFT, (cublasDiagType_t)2, 1, 1, 1, 1) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(bad(CUBLAS_SIDE_LEFT, CUBLAS_DIAG_UNIT, 2, 1, 1, 2) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(bad(CUBLAS_SIDE_RIGHT, CUBLAS_DIAG_UNIT, 1, 2, 1, 1) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(bad(CUBLAS_SIDE_LEFT, CUBLAS_DIAG_UNIT, 2, 1, 2, 1) == CUBLAS_STATUS_INVALID_VALUE);
}

// --- sums and scalings

template <typename T, typename Geam, typename Dgmm>
void check_sums(cublasHandle_t handle, Geam geam, Dgmm dgmm) {
  int round = 0;
  for (const auto& [m, n] : {std::pair{1, 1}, {37, 29}, {3, 90}}) {
    for (const cublasOperation_t ta : operations)
      for (const cublasOperation_t tb : operations) {
        ++round;
        const double alpha = round % 3 - 1, beta = round % 4 - 1;
        const Factors<T> factors(handle, Of<T>::number(alpha), Of<T>::number(beta), round % 2);
        Matrix<T> a(ta == CUBLAS_OP_N ? m : n, ta == CUBLAS_OP_N ? n : m, 2),
            b(tb == CUBLAS_OP_N ? m : n, tb == CUBLAS_OP_N ? n : m, 1), c(m, n, 3);
        c.fill(poison<T>()), c.to_device();
        if (alpha == 0) a.fill(poison<T>()), a.to_device();
        if (beta == 0) b.fill(poison<T>()), b.to_device();
        EXPECT(geam(handle, ta, tb, m, n, factors.alpha(), a.device, a.lead, factors.beta(),
                    b.device, b.lead, c.device, c.lead) == CUBLAS_STATUS_SUCCESS);
        EXPECT_MATRIX(c, 0, everywhere, [&](int i, int j) {
          return (alpha == 0 ? 0 : alpha * a(ta, i, j)) + (beta == 0 ? 0 : beta * b(tb, i, j));
        });
      }
    for (const cublasSideMode_t side : sides) {
      Matrix<T> a(m, n, 2), x(1, side == CUBLAS_SIDE_LEFT ? m : n, 2), c(m, n, 3);
      c.fill(poison<T>()), c.to_device();
      EXPECT(dgmm(handle, side, m, n, a.device, a.lead, x.device, x.lead, c.device, c.lead) ==
             CUBLAS_STATUS_SUCCESS);
      EXPECT_MATRIX(c, 0, everywhere,
                    [&](int i, int j) { return a(i, j) * x(0, side == CUBLAS_SIDE_LEFT ? i : j); });
    }
  }
  Matrix<T> a(9, 9, 0);
  const T one = Of<T>::number(1);
  EXPECT(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST) == CUBLAS_STATUS_SUCCESS);
  EXPECT(geam(handle, CUBLAS_OP_T, CUBLAS_OP_N, 9, 9, &one, a.device, 9, &one, a.device, 9,
              a.device, 9) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(geam(handle, CUBLAS_OP_N, CUBLAS_OP_N, 9, 9, &one, a.device, 9, &one, a.device, 9,
              a.device, 9) == CUBLAS_STATUS_SUCCESS);
  EXPECT_MATRIX(a, 0, everywhere, [&](int i, int j) { return 2.0 * a(i, j); });
}

}  // namespace

int main() {
  cublasHandle_t handle;
  EXPECT(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  check_rank_k<float, float>(handle, false, cublasSsyrk);
  check_rank_k<double, double>(handle, false, cublasDsyrk);
  check_rank_k<cuComplex, cuComplex>(handle, false, cublasCsyrk);
  check_rank_k<cuDoubleComplex, cuDoubleComplex>(handle, false, cublasZsyrk_64);
  check_rank_k<cuComplex, float>(handle, true, cublasCherk);
  check_rank_k<cuDoubleComplex, double>(handle, true, cublasZherk);
  check_two<float, float>(handle, false, true, cublasSsyr2k);
  check_two<double, double>(handle, false, true, cublasDsyr2k);
  check_two<cuComplex, cuComplex>(handle, false, true, cublasCsyr2k);
  check_two<cuDoubleComplex, cuDoubleComplex>(handle, false, true, cublasZsyr2k);
  check_two<cuComplex, float>(handle, true, true, cublasCher2k);
  check_two<cuDoubleComplex, double>(handle, true, true, cublasZher2k);
  check_two<float, float>(handle, false, false, cublasSsyrkx);
  check_two<double, double>(handle, false, false, cublasDsyrkx);
  check_two<cuComplex, cuComplex>(handle, false, false, cublasCsyrkx);
  check_two<cuDoubleComplex, cuDoubleComplex>(handle, false, false, cublasZsyrkx);
  check_two<cuComplex, float>(handle, true, false, cublasCherkx);
  check_two<cuDoubleComplex, double>(handle, true, false, cublasZherkx);
  check_symm<float>(handle, false, cublasSsymm, cublasSsymv);
  check_symm<double>(handle, false, cublasDsymm, cublasDsymv);
  check_symm<cuComplex>(handle, false, cublasCsymm, cublasCsymv);
  check_symm<cuDoubleComplex>(handle, false, cublasZsymm, cublasZsymv);
  check_symm<cuComplex>(handle, true, cublasChemm, cublasChemv);
  check_symm<cuDoubleComplex>(handle, true, cublasZhemm, cublasZhemv);
  check_triangular<float>(handle, 1e-4, cublasStrmm, cublasStrsm, cublasStrsmBatched, cublasStrsv);
  check_triangular<double>(handle, 1e-12, cublasDtrmm, cublasDtrsm, cublasDtrsmBatched,
                           cublasDtrsv);
  check_triangular<cuComplex>(handle, 1e-4, cublasCtrmm, cublasCtrsm, cublasCtrsmBatched,
                              cublasCtrsv);
  check_triangular<cuDoubleComplex>(handle, 1e-12, cublasZtrmm, cublasZtrsm, cublasZtrsmBatched,
                                    cublasZtrsv);
  check_sums<float>(handle, cublasSgeam, cublasSdgmm);
  check_sums<double>(handle, cublasDgeam, cublasDdgmm);
  check_sums<cuComplex>(handle, cublasCgeam, cublasCdgmm);
  check_sums<cuDoubleComplex>(handle, cublasZgeam, cublasZdgmm);
  EXPECT(cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS);
  return finish();
}
