// cuBLAS: factors, inverses, systems and least squares of many small matrices, by what they must
// satisfy: products of factors, residuals. Poison between columns; singular matrices; bad
// arguments. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "blas_check.h"

#include <algorithm>
#include <cmath>

namespace {

cublasHandle_t handle;
const cublasOperation_t operations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};

/// Matrices at places that an array of pointers names, with poison between their columns.
template <typename T>
struct Batch {
  Batch(int rows, int columns, int count, int gap = 2)
      : rows(rows),
        columns(columns),
        count(count),
        lead(rows + gap),
        values(static_cast<std::size_t>(lead) * columns * count),
        places(count) {
    values.fill(poison<T>());
    for (int z = 0; z < count; ++z) {
      places.host[z] = values.device + static_cast<std::size_t>(count - 1 - z) * lead * columns;
      for (int j = 0; j < columns; ++j)
        for (int i = 0; i < rows; ++i) at(i, j, z) = random_fraction<T>();
    }
    send();
  }
  void send() { values.to_device(), places.to_device(); }
  void clear() {
    values.fill(poison<T>());
    send();
  }
  std::size_t index(int i, int j, int z) const {
    return i + (j + static_cast<std::size_t>(count - 1 - z) * columns) * lead;
  }
  T& at(int i, int j, int z) { return values.host[index(i, j, z)]; }
  Number operator()(int i, int j, int z) const { return wide(values.host[index(i, j, z)]); }
  T* const* array() const { return places.device; }
  const T* const* const_array() const { return const_cast<const T* const*>(places.device); }
  /// What the device has, in place of what the host has; poison is still where it was.
  void fetch() {
    const std::vector<T> got = values.from_device();
    int changed = 0;
    for (std::size_t i = 0; i < got.size(); ++i)
      if (static_cast<int>(i % lead) >= rows) changed += !same_bits(got[i], values.host[i]);
    EXPECT(changed == 0);
    values.host = got;
  }
  int rows, columns, count, lead;
  Array<T> values;
  Array<T*> places;
};

template <typename Expected, typename Got>
void expect_close(int rows, int columns, int count, double tolerance, Expected expected, Got got,
                  int line) {
  double worst = 0;
  for (int z = 0; z < count; ++z)
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i) {
        const double difference = std::abs(expected(i, j, z) - got(i, j, z));
        worst = difference <= worst ? worst : difference;
      }
  if (!expect(worst <= tolerance, "elements of a batch", line)) std::printf("  off by %g\n", worst);
}
#define EXPECT_CLOSE(...) expect_close(__VA_ARGS__, __LINE__)

Number conjugated(cublasOperation_t op, Number x) { return op == CUBLAS_OP_C ? std::conj(x) : x; }

template <typename T, typename Getrf, typename Getri, typename Getrs, typename Matinv>
void check_lu(double precision, Getrf getrf, Getri getri, Getrs getrs, Matinv matinv) {
  for (const int n : {1, 2, 7, 31, 33, 67})
    for (const bool has_pivots : {true, false})
      for (const int count : {1, 5}) {
        Batch<T> a(n, n, count);
        for (int z = 0; z < count; ++z)  // without pivots: large diagonals
          for (int i = 0; i < n; ++i)
            a.at(i, i, z) = Of<T>::number(a(i, i, z) + (has_pivots ? 0.0 : double(n)));
        a.send();
        const Batch<T>& kept = a;
        Batch<T> original(n, n, count);
        original.values.host = kept.values.host;
        original.send();
        Array<int> pivots(static_cast<std::size_t>(n) * count), infos(count);
        pivots.fill(-7), infos.fill(-7);
        pivots.to_device(), infos.to_device();
        int* const rows = has_pivots ? pivots.device : nullptr;
        EXPECT(getrf(handle, n, a.array(), a.lead, rows, infos.device, count) ==
               CUBLAS_STATUS_SUCCESS);
        a.fetch();
        for (const int info : infos.from_device()) EXPECT(info == 0);
        const std::vector<int> places = pivots.from_device();
        // P A, row by row.
        std::vector<std::vector<int>> order(count, std::vector<int>(n));
        for (int z = 0; z < count; ++z) {
          for (int i = 0; i < n; ++i) order[z][i] = i;
          for (int i = 0; has_pivots && i < n; ++i) {
            const int other = places[i + z * n] - 1;
            if (!EXPECT(other >= i && other < n)) return;
            std::swap(order[z][i], order[z][other]);
          }
        }
        const double tolerance = precision * n * (has_pivots ? 4 : n);
        EXPECT_CLOSE(
            n, n, count, tolerance,
            [&](int i, int j, int z) { return original(order[z][i], j, z); },
            [&](int i, int j, int z) {
              Number sum = 0;
              for (int l = 0; l <= std::min(i, j); ++l)
                sum += (l == i ? Number(1) : a(i, l, z)) * a(l, j, z);
              return sum;
            });
        if (has_pivots) {  // no multiplier is larger than 1, by |x| + |y|
          int large = 0;
          for (int z = 0; z < count; ++z)
            for (int j = 0; j < n; ++j)
              for (int i = j + 1; i < n; ++i) large += std::abs(a(i, j, z)) > 1.5;
          EXPECT(large == 0);
        }
        for (const cublasOperation_t op : operations) {
          const int width = 3;
          Batch<T> b(n, width, count, 1), x(n, width, count, 1);
          x.values.host = b.values.host;
          x.send();
          int info = -7;
          EXPECT(getrs(handle, op, n, width, a.const_array(), a.lead, rows, x.array(), x.lead,
                       &info, count) == CUBLAS_STATUS_SUCCESS);
          EXPECT(info == 0);
          x.fetch();
          double size = 1;
          for (int z = 0; z < count; ++z)
            for (int j = 0; j < width; ++j)
              for (int i = 0; i < n; ++i) size = std::max(size, std::abs(x(i, j, z)));
          EXPECT_CLOSE(
              n, width, count, precision * n * n * size,
              [&](int i, int j, int z) { return b(i, j, z); },
              [&](int i, int j, int z) {
                Number sum = 0;
                for (int l = 0; l < n; ++l)
                  sum +=
                      (op == CUBLAS_OP_N ? original(i, l, z) : conjugated(op, original(l, i, z))) *
                      x(l, j, z);
                return sum;
              });
        }
        const auto expect_inverse = [&](Batch<T>& inverse) {
          inverse.fetch();
          double size = 1;
          for (int z = 0; z < count; ++z)
            for (int j = 0; j < n; ++j)
              for (int i = 0; i < n; ++i) size = std::max(size, std::abs(inverse(i, j, z)));
          EXPECT_CLOSE(
              n, n, count, precision * n * n * size,
              [&](int i, int j, int) { return Number(i == j ? 1 : 0); },
              [&](int i, int j, int z) {
                Number sum = 0;
                for (int l = 0; l < n; ++l) sum += original(i, l, z) * inverse(l, j, z);
                return sum;
              });
        };
        Batch<T> inverse(n, n, count, 3);
        inverse.clear();
        infos.fill(-7), infos.to_device();
        EXPECT(getri(handle, n, a.const_array(), a.lead, rows, inverse.array(), inverse.lead,
                     infos.device, count) == CUBLAS_STATUS_SUCCESS);
        for (const int info : infos.from_device()) EXPECT(info == 0);
        expect_inverse(inverse);
        inverse.clear();
        infos.fill(-7), infos.to_device();
        const cublasStatus_t status = matinv(handle, n, original.const_array(), original.lead,
                                             inverse.array(), inverse.lead, infos.device, count);
        EXPECT(status == (n <= 32 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE));
        if (n > 32) continue;
        for (const int info : infos.from_device()) EXPECT(info == 0);
        expect_inverse(inverse);
      }
  // Singular ones: the first diagonal element of U that is 0 is named; the others are done.
  Batch<T> a(5, 5, 3);
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 5; ++j) a.at(i, j, 1) = Of<T>::number(i == j ? 2 : 0);
    a.at(i, 3, 1) = Of<T>::number(0);
  }
  a.send();
  Batch<T> factors(5, 5, 3), inverse(5, 5, 3);
  factors.values.host = a.values.host;
  factors.send();
  Array<int> pivots(15), infos(3);
  EXPECT(getrf(handle, 5, factors.array(), factors.lead, pivots.device, infos.device, 3) ==
         CUBLAS_STATUS_SUCCESS);
  EXPECT((infos.from_device() == std::vector<int>{0, 4, 0}));
  EXPECT(getri(handle, 5, factors.const_array(), factors.lead, pivots.device, inverse.array(),
               inverse.lead, infos.device, 3) == CUBLAS_STATUS_SUCCESS);
  EXPECT((infos.from_device() == std::vector<int>{0, 4, 0}));
  EXPECT(matinv(handle, 5, a.const_array(), a.lead, inverse.array(), inverse.lead, infos.device,
                3) == CUBLAS_STATUS_SUCCESS);
  EXPECT((infos.from_device() == std::vector<int>{0, 4, 0}));
  // Bad arguments.
  int info = 0;
  EXPECT(getrf(nullptr, 5, a.array(), 5, nullptr, infos.device, 3) ==
         CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT(getrf(handle, -1, a.array(), 5, nullptr, infos.device, 3) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(getrf(handle, 5, a.array(), 4, nullptr, infos.device, 3) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(getrf(handle, 5, a.array(), 5, nullptr, infos.device, -3) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(getrf(handle, 5, a.array(), 5, nullptr, infos.device, 0) == CUBLAS_STATUS_SUCCESS);
  EXPECT(getri(handle, 5, a.const_array(), 5, nullptr, inverse.array(), 4, infos.device, 3) ==
         CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(getrs(handle, CUBLAS_OP_N, 5, -1, a.const_array(), 5, nullptr, a.array(), 5, &info, 3) ==
             CUBLAS_STATUS_INVALID_VALUE &&
         info < 0);
  EXPECT(getrs(handle, (cublasOperation_t)9, 5, 1, a.const_array(), 5, nullptr, a.array(), 5, &info,
               3) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(getrs(handle, CUBLAS_OP_N, 5, 1, a.const_array(), 5, nullptr, a.array(), 5, nullptr, 3) ==
         CUBLAS_STATUS_INVALID_VALUE);
}

template <typename T, typename Geqrf, typename Gels>
void check_qr(double precision, Geqrf geqrf, Gels gels) {
  for (const auto& [m, n] : {std::pair{1, 1}, {7, 5}, {5, 7}, {67, 31}, {33, 33}})
    for (const int count : {1, 4}) {
      Batch<T> a(m, n, count), original(m, n, count);
      original.values.host = a.values.host;
      original.send();
      const int shorter = std::min(m, n);
      Batch<T> tau(shorter, 1, count, 1);
      tau.clear();
      int info = -7;
      EXPECT(geqrf(handle, m, n, a.array(), a.lead, tau.array(), &info, count) ==
             CUBLAS_STATUS_SUCCESS);
      EXPECT(info == 0);
      a.fetch(), tau.fetch();
      // H(1) H(2) … R is A.
      std::vector<std::vector<Number>> product(count, std::vector<Number>(m * n));
      for (int z = 0; z < count; ++z) {
        auto& r = product[z];
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < m; ++i) r[i + j * m] = i <= j ? a(i, j, z) : 0;
        for (int l = shorter - 1; l >= 0; --l)
          for (int j = 0; j < n; ++j) {
            Number sum = r[l + j * m];
            for (int i = l + 1; i < m; ++i) sum += std::conj(a(i, l, z)) * r[i + j * m];
            sum *= tau(l, 0, z);
            r[l + j * m] -= sum;
            for (int i = l + 1; i < m; ++i) r[i + j * m] -= a(i, l, z) * sum;
          }
      }
      EXPECT_CLOSE(
          m, n, count, precision * m * 4, [&](int i, int j, int z) { return original(i, j, z); },
          [&](int i, int j, int z) { return product[z][i + j * m]; });

      const int width = 3;
      Batch<T> b(m, width, count, 1), x(m, width, count, 1), again(m, n, count);
      x.values.host = b.values.host;
      again.values.host = original.values.host;
      x.send(), again.send();
      Array<int> infos(count);
      infos.fill(-7), infos.to_device();
      const cublasStatus_t status = gels(handle, CUBLAS_OP_N, m, n, width, again.array(),
                                         again.lead, x.array(), x.lead, &info, infos.device, count);
      EXPECT(status == (m >= n ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED));
      if (m < n) continue;
      for (const int one : infos.from_device()) EXPECT(one == 0);
      again.fetch(), x.fetch();
      double size = 1;
      for (int z = 0; z < count; ++z)
        for (int j = 0; j < width; ++j)
          for (int i = 0; i < n; ++i) size = std::max(size, std::abs(x(i, j, z)));
      // What is left is orthogonal to the columns of A.
      EXPECT_CLOSE(
          n, width, count, precision * m * n * 4 * size, [](int, int, int) { return Number(0); },
          [&](int i, int j, int z) {
            Number sum = 0;
            for (int l = 0; l < m; ++l) {
              Number left = b(l, j, z);
              for (int q = 0; q < n; ++q) left -= original(l, q, z) * x(q, j, z);
              sum += std::conj(original(l, i, z)) * left;
            }
            return sum;
          });
    }
  // A column of zeros.
  Batch<T> a(6, 4, 2), c(6, 1, 2);
  for (int i = 0; i < 6; ++i) a.at(i, 2, 1) = Of<T>::number(0);
  a.send();
  Array<int> infos(2);
  int info = -7;
  EXPECT(gels(handle, CUBLAS_OP_N, 6, 4, 1, a.array(), a.lead, c.array(), c.lead, &info,
              infos.device, 2) == CUBLAS_STATUS_SUCCESS);
  EXPECT((infos.from_device() == std::vector<int>{0, 3}));
  EXPECT(gels(handle, CUBLAS_OP_T, 6, 4, 1, a.array(), a.lead, c.array(), c.lead, &info, nullptr,
              2) == CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT(gels(handle, CUBLAS_OP_N, 6, 4, 1, a.array(), 5, c.array(), c.lead, &info, nullptr, 2) ==
             CUBLAS_STATUS_INVALID_VALUE &&
         info < 0);
  EXPECT(geqrf(handle, 6, -4, a.array(), a.lead, c.array(), &info, 2) ==
             CUBLAS_STATUS_INVALID_VALUE &&
         info < 0);
  EXPECT(geqrf(nullptr, 6, 4, a.array(), a.lead, c.array(), &info, 2) ==
         CUBLAS_STATUS_NOT_INITIALIZED);
  print_bits("least squares", c.values.from_device());
}

}  // namespace

int main() {
  EXPECT(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  check_lu<float>(3e-6, cublasSgetrfBatched, cublasSgetriBatched, cublasSgetrsBatched,
                  cublasSmatinvBatched);
  check_lu<double>(3e-14, cublasDgetrfBatched, cublasDgetriBatched, cublasDgetrsBatched,
                   cublasDmatinvBatched);
  check_lu<cuComplex>(3e-6, cublasCgetrfBatched, cublasCgetriBatched, cublasCgetrsBatched,
                      cublasCmatinvBatched);
  check_lu<cuDoubleComplex>(3e-14, cublasZgetrfBatched, cublasZgetriBatched, cublasZgetrsBatched,
                            cublasZmatinvBatched);
  check_qr<float>(3e-6, cublasSgeqrfBatched, cublasSgelsBatched);
  check_qr<double>(3e-14, cublasDgeqrfBatched, cublasDgelsBatched);
  check_qr<cuComplex>(3e-6, cublasCgeqrfBatched, cublasCgelsBatched);
  check_qr<cuDoubleComplex>(3e-14, cublasZgeqrfBatched, cublasZgelsBatched);
  EXPECT(cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS);
  return finish();
}
