// cuSOLVER: least squares and eigenvalues of sparse matrices, diagonals without zeros, orders with
// few elements. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver_sparse_check.h"

#include <set>

namespace {

template <typename T>
struct Calls;
#define CALLS(letter, T)                                                 \
  template <>                                                            \
  struct Calls<T> {                                                      \
    static constexpr auto least = cusolverSp##letter##csrlsqvqrHost;     \
    static constexpr auto diagonal = cusolverSp##letter##csrzfdHost;     \
    static constexpr auto next_host = cusolverSp##letter##csreigvsiHost; \
    static constexpr auto next = cusolverSp##letter##csreigvsi;          \
    static constexpr auto count = cusolverSp##letter##csreigsHost;       \
  };
CALLS(S, float)
CALLS(D, double)
CALLS(C, cuComplex)
CALLS(Z, cuDoubleComplex)

/// A few elements in each row of m x n; column `twin`, if there is one, is twice column 0.
template <typename T>
Reference tall_matrix(int m, int n, int twin) {
  Reference a(m, n);
  for (int i = 0; i < m; ++i) {
    a(i, i % n) = wide(random_number<T>()) + Long(2);
    for (int extra = 0; extra < 2; ++extra)
      a(i, static_cast<int>((random_fraction() + 1) * n / 2) % n) = wide(random_number<T>());
  }
  for (Long& x : a.values) x = wide(Of<T>::number(x));
  if (twin > 0)
    for (int i = 0; i < m; ++i) a(i, twin) = Long(2) * a(i, 0);
  return a;
}

template <typename T>
void check_least_squares(cusolverSpHandle_t handle, std::vector<T>& results) {
  struct Shape {
    int m, n, twin;
  };
  for (const auto& [m, n, twin] :
       {Shape{1, 1, 0}, {13, 1, 0}, {9, 9, 0}, {37, 11, 0}, {67, 29, 0}, {37, 11, 4}, {5, 12, 0}})
    for (const int base : {0, 1}) {
      const Reference whole = tall_matrix<T>(m, n, twin);
      const Sparse<T> a(whole, base);
      Matrix<T> b(random_matrix<T>(m, 1), 0);
      const Reference right = b.result();
      std::vector<T> x(n, poison<T>());
      std::vector<int> p(n, -7);
      int rank = -7;
      RealOf<T> shortest = -7;
      const auto tolerance = static_cast<RealOf<T>>(64 * epsilon<T>());
      EXPECT_OK(Calls<T>::least(handle, m, n, a.count, a.descriptor, a.value_array->host.data(),
                                a.offsets.host.data(), a.column_array->host.data(), b.host.data(),
                                tolerance, &rank, x.data(), p.data(), &shortest));
      EXPECT(rank == std::min(m, n) - (twin > 0));
      EXPECT(is_permutation_of(p, n));
      Reference got(n, 1);
      for (int j = 0; j < n; ++j) got(j, 0) = wide(x[j]);
      for (int k = rank; k < n; ++k) EXPECT(got(p[k], 0) == Long(0));
      Reference rest = whole * got;
      long double length = 0;
      for (int i = 0; i < m; ++i) {
        rest(i, 0) -= right(i, 0);
        length += std::norm(rest(i, 0));
      }
      // What is left has nothing of the columns of A.
      const long double scale = std::max(1.0L, largest(got));
      EXPECT(close(whole.adjoint() * rest, Reference(n, 1), 512 * epsilon<T>() * scale * 5));
      EXPECT(std::abs(std::sqrt(length) - shortest) <= 512 * epsilon<T>() * scale);
      results.insert(results.end(), x.begin(), x.end());
    }
}

template <typename T>
void check_diagonals(cusolverSpHandle_t handle) {
  for (const int n : {1, 2, 8, 41})
    for (const int missing : {0, 1, 3}) {
      if (missing > n / 2) continue;
      // A permutation and more; then columns that only one row is left for.
      Reference whole(n, n);
      for (int i = 0; i < n; ++i) {
        whole(i, (i * 3 + 1) % n) = 1;
        whole(i, (i * 5) % n) = 2;
        whole((i * 3 + 1) % n, i) = 1;
      }
      if (n % 3 == 0) continue;
      for (int j = 0; j <= missing && missing > 0; ++j)
        for (int i = 0; i < n; ++i) whole(i, j) = i == 0 ? 1 : 0;
      const Sparse<T> a(whole, 1);
      std::vector<int> p(n, -7);
      int count = -7;
      EXPECT_OK(Calls<T>::diagonal(handle, n, a.count, a.descriptor, a.value_array->host.data(),
                                   a.offsets.host.data(), a.column_array->host.data(), p.data(),
                                   &count));
      EXPECT(is_permutation_of(p, n));
      int there = 0;
      for (int i = 0; i < n && is_permutation_of(p, n); ++i) there += whole(p[i], i) != Long(0);
      EXPECT(there == count);
      EXPECT(missing > 0 ? count <= n - missing : count == n);
    }
}

template <typename T>
void check_eigenvalues(cusolverSpHandle_t handle, std::vector<T>& results) {
  // A line with 2 on the diagonal and -1 beside it: the values are known.
  for (const int n : {1, 2, 13, 61})
    for (const int base : {0, 1}) {
      Reference whole(n, n);
      std::vector<long double> values;
      for (int i = 0; i < n; ++i) {
        whole(i, i) = 2;
        if (i + 1 < n) whole(i, i + 1) = whole(i + 1, i) = -1;
        values.push_back(2 - 2 * std::cos((i + 1) * std::acos(-1.0L) / (n + 1)));
      }
      const Sparse<T> a(whole, base);
      const int wanted = n / 3;
      const long double shift = values[wanted] + (n == 1 ? 0.0L : 0.1L / n / n);
      std::vector<T> start(n);
      for (T& x : start) x = random_number<T>();
      Array<T> start_at(n), x(n), value(1);
      start_at.host = start;
      start_at.to_device();
      const auto tolerance = static_cast<RealOf<T>>(32 * epsilon<T>());
      for (const bool on_device : {false, true}) {
        x.fill(poison<T>()), value.fill(poison<T>());
        x.to_device(), value.to_device();
        if (on_device) {
          EXPECT_OK(Calls<T>::next(handle, n, a.count, a.descriptor, a.value_array->device,
                                   a.offsets.device, a.column_array->device, Of<T>::number(shift),
                                   start_at.device, 50, tolerance, value.device, x.device));
          x.host = x.from_device(), value.host = value.from_device();
        } else {
          EXPECT_OK(Calls<T>::next_host(
              handle, n, a.count, a.descriptor, a.value_array->host.data(), a.offsets.host.data(),
              a.column_array->host.data(), Of<T>::number(shift), start.data(), 50, tolerance,
              value.host.data(), x.host.data()));
        }
        EXPECT(std::abs(wide(value.host[0]) - values[wanted]) <= 64 * epsilon<T>());
        Reference vector(n, 1), multiple(n, 1);
        long double length = 0;
        for (int i = 0; i < n; ++i) {
          vector(i, 0) = wide(x.host[i]);
          multiple(i, 0) = vector(i, 0) * values[wanted];
          length += std::norm(vector(i, 0));
        }
        EXPECT(std::abs(length - 1) <= 64 * epsilon<T>());
        EXPECT(close(whole * vector, multiple, 128 * epsilon<T>()));
        results.insert(results.end(), x.host.begin(), x.host.end());
      }
      // How many lie in rectangles.
      const auto count = [&](double left, double low, double right, double high) {
        int result = -7;
        using Real = RealOf<T>;
        const auto corner = [](double x, double y) {
          if constexpr (sizeof(Real) == 4)
            return make_cuComplex(static_cast<float>(x), static_cast<float>(y));
          else
            return make_cuDoubleComplex(x, y);
        };
        EXPECT_OK(Calls<T>::count(handle, n, a.count, a.descriptor, a.value_array->host.data(),
                                  a.offsets.host.data(), a.column_array->host.data(),
                                  corner(left, low), corner(right, high), &result));
        return result;
      };
      int below = 0;
      for (const long double one : values) below += one < 1.4L;
      EXPECT(count(-1, -1, 5, 1) == n);
      EXPECT(count(-1, -1, 1.4, 1) == below);
      EXPECT(count(-1, 0.5, 5, 1) == 0);
    }
}

/// The edges that elimination in an order adds are fewer than in the order of lines.
void check_orders(cusolverSpHandle_t handle) {
  const int width = 20, height = 19, n = width * height;
  const Reference whole = grid_matrix<double>(width, height, true);
  const Sparse<double> a(whole, 0);
  const auto elements = [&](const std::vector<int>& order) {
    std::vector<std::set<int>> below(n);
    std::vector<int> place(n);
    for (int k = 0; k < n; ++k) place[order[k]] = k;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (whole(i, j) != Long(0) && place[i] > place[j]) below[place[j]].insert(place[i]);
    std::size_t count = 0;
    for (int k = 0; k < n; ++k) {
      count += below[k].size();
      if (below[k].empty()) continue;
      const int first = *below[k].begin();
      below[first].insert(std::next(below[k].begin()), below[k].end());
    }
    return count;
  };
  std::vector<int> own(n);
  for (int k = 0; k < n; ++k) own[k] = k;
  for (const auto call :
       {cusolverSpXcsrsymmdqHost, cusolverSpXcsrsymamdHost, cusolverSpXcsrsymrcmHost}) {
    std::vector<int> p(n, -7);
    EXPECT_OK(call(handle, n, a.count, a.descriptor, a.offsets.host.data(),
                   a.column_array->host.data(), p.data()));
    EXPECT(is_permutation_of(p, n));
    if (call != cusolverSpXcsrsymrcmHost) EXPECT(elements(p) * 2 < elements(own));
  }
}

void check_bad_input(cusolverSpHandle_t handle) {
  const auto invalid = CUSOLVER_STATUS_INVALID_VALUE;
  const Sparse<double> a(grid_matrix<double>(3, 2, true), 0);
  const int n = 6;
  double b[6] = {}, x[6], shortest, value;
  int rank, p[6], count;
  std::vector<int> outside = a.column_array->host;
  outside[0] = n;
  const auto least = [&](cusolverSpHandle_t with, int columns, const int* indices, int* to_rank,
                         double* norm) {
    return cusolverSpDcsrlsqvqrHost(with, n, columns, a.count, a.descriptor,
                                    a.value_array->host.data(), a.offsets.host.data(), indices, b,
                                    0, to_rank, x, p, norm);
  };
  const int* const indices = a.column_array->host.data();
  EXPECT_OK(least(handle, n, indices, &rank, &shortest));
  EXPECT(least(nullptr, n, indices, &rank, &shortest) == CUSOLVER_STATUS_NOT_INITIALIZED);
  EXPECT(least(handle, -1, indices, &rank, &shortest) == invalid);
  EXPECT(least(handle, n - 1, indices, &rank, &shortest) == invalid);
  EXPECT(least(handle, n, outside.data(), &rank, &shortest) == invalid);
  EXPECT(least(handle, n, indices, nullptr, &shortest) == invalid);
  EXPECT(least(handle, n, indices, &rank, nullptr) == invalid);
  const auto next = [&](int steps, const int* of, double* to) {
    return cusolverSpDcsreigvsiHost(handle, n, a.count, a.descriptor, a.value_array->host.data(),
                                    a.offsets.host.data(), of, 0.5, b, steps, 0, to, x);
  };
  EXPECT(next(-1, indices, &value) == invalid);
  EXPECT(next(1, outside.data(), &value) == invalid);
  EXPECT(next(1, indices, nullptr) == invalid);
  EXPECT(cusolverSpDcsrzfdHost(handle, n, a.count, a.descriptor, a.value_array->host.data(),
                               a.offsets.host.data(), outside.data(), p, &count) == invalid);
  EXPECT(cusolverSpDcsrzfdHost(handle, n, a.count, a.descriptor, a.value_array->host.data(),
                               a.offsets.host.data(), indices, nullptr, &count) == invalid);
  EXPECT(cusolverSpDcsreigsHost(handle, n, a.count, a.descriptor, a.value_array->host.data(),
                                a.offsets.host.data(), indices, {}, {}, nullptr) == invalid);
}

template <typename T>
void check_all(cusolverSpHandle_t handle, const char* name) {
  std::vector<T> results;
  check_least_squares<T>(handle, results);
  check_diagonals<T>(handle);
  check_eigenvalues<T>(handle, results);
  print_bits(name, results);
}

}  // namespace

int main() {
  cusolverSpHandle_t handle;
  EXPECT_OK(cusolverSpCreate(&handle));
  check_all<float>(handle, "S");
  check_all<double>(handle, "D");
  check_all<cuComplex>(handle, "C");
  check_all<cuDoubleComplex>(handle, "Z");
  check_orders(handle);
  check_bad_input(handle);
  EXPECT_OK(cusolverSpDestroy(handle));
  return finish();
}
