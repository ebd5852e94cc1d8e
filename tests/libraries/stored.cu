// cuBLAS, level 2: matrices in bands, packed ones, triangles and updates by vectors, against a
// plain reference on the matrix that they stand for. What is not stored is poisoned.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "blas_vectors.h"

#include <functional>

namespace {

const cublasFillMode_t fills[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
const cublasOperation_t operations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
const cublasDiagType_t diagonals[] = {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT};
enum Storage { full, band, packed };

bool is_in(cublasFillMode_t fill, int i, int j) {
  return fill == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
}

/// A triangle of a matrix, or a band of it, with poison around.
template <typename T>
struct Triangle : Array<T> {
  Triangle(Storage storage, cublasFillMode_t fill, int n, int k)
      : Array<T>(storage == packed ? n * (n + 1) / 2
                                   : static_cast<std::size_t>(storage == full ? n + 2 : k + 3) * n),
        storage(storage),
        fill(fill),
        n(n),
        k(storage == band ? k : n),
        lead(storage == full   ? n + 2
             : storage == band ? k + 3
                               : 0) {
    Array<T>::fill(poison<T>());
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        if (has(i, j)) at(i, j) = random_number<T>();
    this->to_device();
  }
  bool has(int i, int j) const { return is_in(fill, i, j) && std::abs(i - j) <= k; }
  std::size_t place(int i, int j) const {
    if (storage == full) return i + j * static_cast<std::size_t>(lead);
    if (storage == band)
      return (fill == CUBLAS_FILL_MODE_LOWER ? i - j : k + i - j) +
             j * static_cast<std::size_t>(lead);
    std::size_t before = 0;  // elements of the columns before
    for (int l = 0; l < j; ++l) before += fill == CUBLAS_FILL_MODE_LOWER ? n - l : l + 1;
    return before + (fill == CUBLAS_FILL_MODE_LOWER ? i - j : i);
  }
  T& at(int i, int j) { return this->host[place(i, j)]; }
  Number triangular(cublasOperation_t op, cublasDiagType_t diagonal, int i, int j) {
    if (op != CUBLAS_OP_N) std::swap(i, j);
    if (!has(i, j)) return 0;
    if (i == j && diagonal == CUBLAS_DIAG_UNIT) return 1;
    const Number x = wide(at(i, j));
    return op == CUBLAS_OP_C ? std::conj(x) : x;
  }
  Number symmetric(bool hermitian, int i, int j) {
    if (std::abs(i - j) > k) return 0;
    const Number x = has(i, j) ? wide(at(i, j)) : wide(at(j, i));
    if (!hermitian) return x;
    return i == j ? Number(x.real()) : has(i, j) ? x : std::conj(x);
  }
  Storage storage;
  cublasFillMode_t fill;
  int n, k, lead;
};

struct Shape {
  int n, k;
};
const Shape shapes[] = {{1, 0}, {2, 1}, {37, 5}, {131, 17}, {29, 28}};

// --- general bands

template <typename T, typename Gbmv>
void check_gbmv(cublasHandle_t handle, Gbmv gbmv) {
  int round = 0;
  for (const auto& [m, n, kl, ku] :
       {std::tuple{1, 1, 0, 0}, {37, 29, 3, 7}, {5, 91, 2, 1}, {83, 11, 0, 9}, {13, 13, 12, 12}})
    for (const cublasOperation_t op : operations)
      for (const int step : steps) {
        const int lead = kl + ku + 3, rows = op == CUBLAS_OP_N ? m : n,
                  length = op == CUBLAS_OP_N ? n : m;
        Array<T> a(static_cast<std::size_t>(lead) * n);
        a.fill(poison<T>());
        const auto has = [&](int i, int j) { return i - j <= kl && j - i <= ku; };
        const auto at = [&](int i, int j) -> T& { return a.host[ku + i - j + j * lead]; };
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < m; ++i)
            if (has(i, j)) at(i, j) = random_number<T>();
        a.to_device();
        const double beta = ++round % 3;
        Vector<T> x(length, step), y(rows, steps[round % 3], beta != 0);
        const bool on_device = round % 2;
        const Factor<T> alpha(handle, Of<T>::number(-2), on_device),
            factor(handle, Of<T>::number(beta), on_device);
        EXPECT(gbmv(handle, op, m, n, kl, ku, alpha, a.device, lead, x.device, step, factor,
                    y.device, y.step) == CUBLAS_STATUS_SUCCESS);
        EXPECT_ELEMENTS(y, [&](int i) {
          Number sum = 0;
          for (int l = 0; l < length; ++l) {
            const int row = op == CUBLAS_OP_N ? i : l, column = op == CUBLAS_OP_N ? l : i;
            if (!has(row, column)) continue;
            const Number element = wide(at(row, column));
            sum += (op == CUBLAS_OP_C ? std::conj(element) : element) * wide(x[l]);
          }
          return -2.0 * sum + (beta == 0 ? 0 : beta * wide(y[i]));
        });
      }
  Vector<T> x(5, 1);
  const Factor<T> one(handle, Of<T>::number(1), false);
  EXPECT(gbmv(handle, CUBLAS_OP_N, 5, 5, 1, 1, one, x.device, 2, x.device, 1, one, x.device, 1) ==
         CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(gbmv(handle, CUBLAS_OP_N, 5, 5, -1, 1, one, x.device, 3, x.device, 1, one, x.device, 1) ==
         CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(gbmv(handle, CUBLAS_OP_N, 5, 5, 1, 1, one, x.device, 3, x.device, 0, one, x.device, 1) ==
         CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(gbmv(nullptr, CUBLAS_OP_N, 5, 5, 1, 1, one, x.device, 3, x.device, 1, one, x.device, 1) ==
         CUBLAS_STATUS_NOT_INITIALIZED);
}

// --- symmetric and Hermitian bands, and packed ones

template <typename T, typename Call>
void check_symmetric(cublasHandle_t handle, Storage storage, bool hermitian, Call call) {
  int round = 0;
  for (const auto& [n, k] : shapes)
    for (const cublasFillMode_t fill : fills)
      for (const int step : steps) {
        const double beta = ++round % 3;
        Triangle<T> a(storage, fill, n, k);
        Vector<T> x(n, step), y(n, steps[round % 3], beta != 0);
        const bool on_device = round % 2;
        const Factor<T> alpha(handle, Of<T>::number(Number(-2, Of<T>::is_complex ? 1 : 0)),
                              on_device),
            factor(handle, Of<T>::number(beta), on_device);
        const Number factor_a = Number(-2, Of<T>::is_complex ? 1 : 0);
        EXPECT(call(handle, fill, n, k, alpha, a.device, a.lead, x.device, step, factor, y.device,
                    y.step) == CUBLAS_STATUS_SUCCESS);
        EXPECT_ELEMENTS(y, [&, n = n](int i) {
          Number sum = 0;
          for (int l = 0; l < n; ++l) sum += a.symmetric(hermitian, i, l) * wide(x[l]);
          return factor_a * sum + (beta == 0 ? 0 : beta * wide(y[i]));
        });
      }
  Vector<T> x(5, 1);
  const Factor<T> one(handle, Of<T>::number(1), false);
  EXPECT(call(handle, (cublasFillMode_t)7, 5, 1, one, x.device, 2, x.device, 1, one, x.device, 1) ==
         CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(call(handle, fills[0], -5, 1, one, x.device, 2, x.device, 1, one, x.device, 1) ==
         CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(call(handle, fills[0], 5, 1, one, x.device, 2, x.device, 1, one, x.device, 0) ==
         CUBLAS_STATUS_INVALID_VALUE);
}

// --- triangles: products and systems

template <typename T, typename Product, typename Solve>
void check_triangles(cublasHandle_t handle, Storage storage, double tolerance, Product product,
                     Solve solve) {
  int round = 0;
  for (const auto& [n, k] : shapes)
    for (const cublasFillMode_t fill : fills)
      for (const cublasOperation_t op : operations)
        for (const cublasDiagType_t diagonal : diagonals) {
          Triangle<T> a(storage, fill, n, k);
          if (diagonal == CUBLAS_DIAG_UNIT)
            for (int i = 0; i < n; ++i) a.at(i, i) = poison<T>();
          a.to_device();
          Vector<T> x(n, steps[++round % 3]);
          EXPECT(product(handle, fill, op, diagonal, n, k, a.device, a.lead, x.device, x.step) ==
                 CUBLAS_STATUS_SUCCESS);
          EXPECT_ELEMENTS(x, [&, n = n](int i) {
            Number sum = 0;
            for (int l = 0; l < n; ++l) sum += a.triangular(op, diagonal, i, l) * wide(x[l]);
            return sum;
          });
          // A well-conditioned system.
          for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i)
              if (a.has(i, j) && i != j) a.at(i, j) = Of<T>::number(wide(a.at(i, j)) / (2.0 * n));
          for (int i = 0; i < n; ++i)
            if (diagonal == CUBLAS_DIAG_NON_UNIT)
              a.at(i, i) = Of<T>::number(Number(i % 2 ? 2 : -1, Of<T>::is_complex ? 1 : 0));
          a.to_device();
          Vector<T> b(n, x.step);
          std::vector<Number> solution(n);
          const bool forwards = (fill == CUBLAS_FILL_MODE_LOWER) == (op == CUBLAS_OP_N);
          for (int turn = 0; turn < n; ++turn) {
            const int i = forwards ? turn : n - 1 - turn;
            Number value = wide(b[i]);
            for (int l = 0; l < n; ++l)
              if (forwards ? l < i : l > i) value -= a.triangular(op, diagonal, i, l) * solution[l];
            solution[i] = value / a.triangular(op, diagonal, i, i);
          }
          EXPECT(solve(handle, fill, op, diagonal, n, k, a.device, a.lead, b.device, b.step) ==
                 CUBLAS_STATUS_SUCCESS);
          EXPECT_NEAR(b, tolerance, [&](int i) { return solution[i]; });
        }
  Vector<T> x(5, 1);
  for (const auto& call : {std::function<cublasStatus_t(int, int, cublasDiagType_t)>(
                               [&](int n, int step, cublasDiagType_t diagonal) {
                                 return product(handle, fills[0], operations[0], diagonal, n, 1,
                                                x.device, 9, x.device, step);
                               }),
                           std::function<cublasStatus_t(int, int, cublasDiagType_t)>(
                               [&](int n, int step, cublasDiagType_t diagonal) {
                                 return solve(handle, fills[0], operations[0], diagonal, n, 1,
                                              x.device, 9, x.device, step);
                               })}) {
    EXPECT(call(-1, 1, CUBLAS_DIAG_UNIT) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(call(2, 0, CUBLAS_DIAG_UNIT) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(call(2, 1, (cublasDiagType_t)5) == CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(call(0, 1, CUBLAS_DIAG_UNIT) == CUBLAS_STATUS_SUCCESS);
  }
}

// --- updates

template <typename T, typename Scale, typename One, typename Two>
void check_updates(cublasHandle_t handle, Storage storage, bool hermitian, One one, Two two) {
  int round = 0;
  for (const int n : {1, 2, 37, 70})
    for (const cublasFillMode_t fill : fills)
      for (const int step : steps) {
        const bool on_device = ++round % 2;
        const auto conj = [&](Number x) { return hermitian ? std::conj(x) : x; };
        for (const bool both : {false, true}) {
          Triangle<T> a(storage, fill, n, 0);
          if (hermitian)
            for (int i = 0; i < n; ++i) a.at(i, i) = Of<T>::number(wide(a.at(i, i)).real());
          a.to_device();
          Vector<T> x(n, step), y(n, steps[round % 3]);
          const bool is_complex_factor = both ? Of<T>::is_complex : Of<Scale>::is_complex;
          const Number alpha(-2, is_complex_factor ? 1 : 0);
          if (both) {
            const Factor<T> factor(handle, Of<T>::number(alpha), on_device);
            EXPECT(two(handle, fill, n, factor, x.device, step, y.device, y.step, a.device,
                       a.lead) == CUBLAS_STATUS_SUCCESS);
          } else {
            const Factor<Scale> factor(handle, Of<Scale>::number(alpha), on_device);
            EXPECT(one(handle, fill, n, factor, x.device, step, a.device, a.lead) ==
                   CUBLAS_STATUS_SUCCESS);
          }
          std::vector<T> got = a.from_device();
          int different = 0;
          for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
              if (!a.has(i, j)) continue;
              const Number first = wide(both ? y[j] : x[j]);
              Number wanted = wide(a.at(i, j)) + alpha * wide(x[i]) * conj(first);
              if (both) wanted += conj(alpha) * wide(y[i]) * conj(wide(x[j]));
              different += wide(got[a.place(i, j)]) != wanted;
              got[a.place(i, j)] = a.at(i, j);
            }
          for (std::size_t i = 0; i < got.size(); ++i) different += !same_bits(got[i], a.host[i]);
          EXPECT(different == 0);
        }
      }
  // Nothing is added: nothing is read.
  Vector<T> x(5, 1);
  const Factor<Scale> nothing(handle, Of<Scale>::number(0), false);
  EXPECT(one(handle, fills[0], 5, nothing, static_cast<const T*>(nullptr), 1,
             static_cast<T*>(nullptr), 5) == CUBLAS_STATUS_SUCCESS);
  EXPECT(one(handle, fills[0], -5, nothing, x.device, 1, x.device, 5) ==
         CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(one(handle, fills[0], 5, nothing, x.device, 0, x.device, 5) ==
         CUBLAS_STATUS_INVALID_VALUE);
}

template <typename T, typename Unpack, typename Pack>
void check_packing(cublasHandle_t handle, Unpack unpack, Pack pack) {
  for (const int n : {1, 2, 37, 70})
    for (const cublasFillMode_t fill : fills) {
      Triangle<T> in_packed(packed, fill, n, 0), in_full(full, fill, n, 0),
          back(packed, fill, n, 0);
      EXPECT(unpack(handle, fill, n, in_packed.device, in_full.device, in_full.lead) ==
             CUBLAS_STATUS_SUCCESS);
      const std::vector<T> got = in_full.from_device();
      int different = 0;
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
          different += !same_bits(got[in_full.place(i, j)],
                                  in_full.has(i, j) ? in_packed.at(i, j) : in_full.at(i, j));
      EXPECT(different == 0);
      EXPECT(pack(handle, fill, n, in_full.device, in_full.lead, back.device) ==
             CUBLAS_STATUS_SUCCESS);
      const std::vector<T> again = back.from_device();
      EXPECT(std::memcmp(again.data(), in_packed.host.data(), again.size() * sizeof(T)) == 0);
      EXPECT(unpack(handle, fill, n, in_packed.device, in_full.device, n - 1) ==
             CUBLAS_STATUS_INVALID_VALUE);
    }
}

/// CsyrkEx and its like: of complex numbers, and of pairs of bytes.
template <typename Scale, typename Call>
void check_typed_rank_k(cublasHandle_t handle, bool hermitian, Call call) {
  EXPECT(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST) == CUBLAS_STATUS_SUCCESS);
  const int n = 23, k = 13;
  const cublasOperation_t other = hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
  for (const bool bytes : {false, true})
    for (const cublasFillMode_t fill : fills)
      for (const cublasOperation_t op : {CUBLAS_OP_N, other}) {
        const int rows = op == CUBLAS_OP_N ? n : k, columns = op == CUBLAS_OP_N ? k : n;
        Array<cuComplex> a(static_cast<std::size_t>(rows + 2) * columns), c(n * n);
        Array<char> short_a(a.host.size() * 2);
        a.random(), c.random();
        for (std::size_t i = 0; i < a.host.size(); ++i) {
          short_a.host[2 * i] = static_cast<char>(a.host[i].x);
          short_a.host[2 * i + 1] = static_cast<char>(a.host[i].y);
        }
        a.to_device(), c.to_device(), short_a.to_device();
        const Scale alpha = Of<Scale>::number(-2), beta = Of<Scale>::number(0);
        EXPECT(call(handle, fill, op, n, k, &alpha,
                    bytes ? static_cast<void*>(short_a.device) : static_cast<void*>(a.device),
                    bytes ? CUDA_C_8I : CUDA_C_32F, rows + 2, &beta, c.device, CUDA_C_32F,
                    n) == CUBLAS_STATUS_SUCCESS);
        const std::vector<cuComplex> got = c.from_device();
        int different = 0;
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < n; ++i) {
            Number sum = 0;
            for (int l = 0; l < k; ++l) {
              const auto at = [&](int r, int q) { return wide(a.host[r + q * (rows + 2)]); };
              const Number x = op == CUBLAS_OP_N ? at(i, l) : at(l, i),
                           y = op == CUBLAS_OP_N ? at(j, l) : at(l, j);
              // (A A^H) or (A^H A)
              sum += !hermitian ? x * y : op == CUBLAS_OP_N ? x * std::conj(y) : std::conj(x) * y;
            }
            different +=
                wide(got[i + j * n]) != (is_in(fill, i, j) ? -2.0 * sum : wide(c.host[i + j * n]));
          }
        EXPECT(different == 0);
      }
  const Scale one = Of<Scale>::number(1);
  EXPECT(call(handle, fills[0], CUBLAS_OP_N, 1, 1, &one, nullptr, CUDA_R_32F, 1, &one, nullptr,
              CUDA_C_32F, 1) == CUBLAS_STATUS_NOT_SUPPORTED);
}

/// Forms without k, or without a leading dimension, as those that have both.
#define FULL(function)                                                                         \
  [](auto h, auto fill, auto op, auto diagonal, int n, int, auto a, int lead, auto x, int s) { \
    return function(h, fill, op, diagonal, n, a, lead, x, s);                                  \
  }
#define PACKED(function)                                                                  \
  [](auto h, auto fill, auto op, auto diagonal, int n, int, auto a, int, auto x, int s) { \
    return function(h, fill, op, diagonal, n, a, x, s);                                   \
  }
#define PACKED_PRODUCT(function)                                                                  \
  [](auto h, auto fill, int n, int, const auto& alpha, auto a, int, auto x, int s, const auto& b, \
     auto y, int t) { return function(h, fill, n, alpha, a, x, s, b, y, t); }
#define PACKED_ONE(function)                                                    \
  [](auto h, auto fill, int n, const auto& alpha, auto x, int s, auto a, int) { \
    return function(h, fill, n, alpha, x, s, a);                                \
  }
#define PACKED_TWO(function)                                                                   \
  [](auto h, auto fill, int n, const auto& alpha, auto x, int s, auto y, int t, auto a, int) { \
    return function(h, fill, n, alpha, x, s, y, t, a);                                         \
  }

}  // namespace

int main() {
  cublasHandle_t handle;
  EXPECT(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  check_gbmv<float>(handle, cublasSgbmv);
  check_gbmv<double>(handle, cublasDgbmv_64);
  check_gbmv<cuComplex>(handle, cublasCgbmv);
  check_gbmv<cuDoubleComplex>(handle, cublasZgbmv);
  check_symmetric<float>(handle, band, false, cublasSsbmv);
  check_symmetric<double>(handle, band, false, cublasDsbmv_64);
  check_symmetric<cuComplex>(handle, band, true, cublasChbmv);
  check_symmetric<cuDoubleComplex>(handle, band, true, cublasZhbmv);
  check_symmetric<float>(handle, packed, false, PACKED_PRODUCT(cublasSspmv));
  check_symmetric<double>(handle, packed, false, PACKED_PRODUCT(cublasDspmv));
  check_symmetric<cuComplex>(handle, packed, true, PACKED_PRODUCT(cublasChpmv));
  check_symmetric<cuDoubleComplex>(handle, packed, true, PACKED_PRODUCT(cublasZhpmv_64));
  check_triangles<float>(handle, full, 1e-5, FULL(cublasStrmv), FULL(cublasStrsv));
  check_triangles<double>(handle, full, 1e-13, FULL(cublasDtrmv_64), FULL(cublasDtrsv));
  check_triangles<cuComplex>(handle, full, 1e-5, FULL(cublasCtrmv), FULL(cublasCtrsv));
  check_triangles<cuDoubleComplex>(handle, full, 1e-13, FULL(cublasZtrmv), FULL(cublasZtrsv));
  check_triangles<float>(handle, band, 1e-5, cublasStbmv, cublasStbsv);
  check_triangles<double>(handle, band, 1e-13, cublasDtbmv, cublasDtbsv_64);
  check_triangles<cuComplex>(handle, band, 1e-5, cublasCtbmv, cublasCtbsv);
  check_triangles<cuDoubleComplex>(handle, band, 1e-13, cublasZtbmv, cublasZtbsv);
  check_triangles<float>(handle, packed, 1e-5, PACKED(cublasStpmv), PACKED(cublasStpsv));
  check_triangles<double>(handle, packed, 1e-13, PACKED(cublasDtpmv), PACKED(cublasDtpsv));
  check_triangles<cuComplex>(handle, packed, 1e-5, PACKED(cublasCtpmv), PACKED(cublasCtpsv));
  check_triangles<cuDoubleComplex>(handle, packed, 1e-13, PACKED(cublasZtpmv_64),
                                   PACKED(cublasZtpsv_64));
  check_updates<float, float>(handle, full, false, cublasSsyr, cublasSsyr2);
  check_updates<double, double>(handle, full, false, cublasDsyr, cublasDsyr2_64);
  check_updates<cuComplex, cuComplex>(handle, full, false, cublasCsyr, cublasCsyr2);
  check_updates<cuDoubleComplex, cuDoubleComplex>(handle, full, false, cublasZsyr, cublasZsyr2);
  check_updates<cuComplex, float>(handle, full, true, cublasCher, cublasCher2);
  check_updates<cuDoubleComplex, double>(handle, full, true, cublasZher, cublasZher2);
  check_updates<float, float>(handle, packed, false, PACKED_ONE(cublasSspr),
                              PACKED_TWO(cublasSspr2));
  check_updates<double, double>(handle, packed, false, PACKED_ONE(cublasDspr),
                                PACKED_TWO(cublasDspr2));
  check_updates<cuComplex, float>(handle, packed, true, PACKED_ONE(cublasChpr),
                                  PACKED_TWO(cublasChpr2));
  check_updates<cuDoubleComplex, double>(handle, packed, true, PACKED_ONE(cublasZhpr),
                                         PACKED_TWO(cublasZhpr2));
  check_packing<float>(handle, cublasStpttr, cublasStrttp);
  check_packing<double>(handle, cublasDtpttr, cublasDtrttp);
  check_packing<cuComplex>(handle, cublasCtpttr, cublasCtrttp);
  check_packing<cuDoubleComplex>(handle, cublasZtpttr, cublasZtrttp);
  check_typed_rank_k<cuComplex>(handle, false, cublasCsyrkEx);
  check_typed_rank_k<cuComplex>(handle, false, cublasCsyrk3mEx);
  check_typed_rank_k<float>(handle, true, cublasCherkEx);
  check_typed_rank_k<float>(handle, true, cublasCherk3mEx);
  EXPECT(cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS);
  return finish();
}
