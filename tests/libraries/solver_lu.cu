// cuSOLVER: sparse LU factors on the host, step by step: P A Q^T = L U, element by element.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver_sparse_check.h"

namespace {

template <typename T>
struct Calls;
#define CALLS(letter, T)                                                       \
  template <>                                                                  \
  struct Calls<T> {                                                            \
    static constexpr auto room = cusolverSp##letter##csrluBufferInfoHost;      \
    static constexpr auto factor = cusolverSp##letter##csrluFactorHost;        \
    static constexpr auto zero_pivot = cusolverSp##letter##csrluZeroPivotHost; \
    static constexpr auto solve = cusolverSp##letter##csrluSolveHost;          \
    static constexpr auto extract = cusolverSp##letter##csrluExtractHost;      \
  };
CALLS(S, float)
CALLS(D, double)
CALLS(C, cuComplex)
CALLS(Z, cuDoubleComplex)

/// An info and what is called with it.
template <typename T>
struct Lu {
  Lu(cusolverSpHandle_t handle, const Sparse<T>& a) : handle(handle), a(a) {
    EXPECT_OK(cusolverSpCreateCsrluInfoHost(&info));
  }
  ~Lu() { EXPECT_OK(cusolverSpDestroyCsrluInfoHost(info)); }

  cusolverStatus_t analyse() {
    return cusolverSpXcsrluAnalysisHost(handle, a.rows, a.count, a.descriptor,
                                        a.offsets.host.data(), a.column_array->host.data(), info);
  }
  cusolverStatus_t room(std::size_t* kept, std::size_t* bytes) {
    return Calls<T>::room(handle, a.rows, a.count, a.descriptor, a.value_array->host.data(),
                          a.offsets.host.data(), a.column_array->host.data(), info, kept, bytes);
  }
  cusolverStatus_t factor(double threshold) {
    return Calls<T>::factor(handle, a.rows, a.count, a.descriptor, a.value_array->host.data(),
                            a.offsets.host.data(), a.column_array->host.data(), info,
                            static_cast<RealOf<T>>(threshold), nullptr);
  }
  int zero_pivot(double tolerance) {
    int position = -77;
    EXPECT_OK(Calls<T>::zero_pivot(handle, info, static_cast<RealOf<T>>(tolerance), &position));
    return position;
  }

  cusolverSpHandle_t handle;
  const Sparse<T>& a;
  csrluInfoHost_t info = nullptr;
};

/// Compressed rows that a call fills; one more element than there are must stay as it was.
template <typename T>
struct Factor {
  Factor(int rows, int count, int base)
      : base(base), starts(rows + 1, -7), columns(count + 1, -7), values(count + 1, poison<T>()) {
    EXPECT(cusparseCreateMatDescr(&descriptor) == CUSPARSE_STATUS_SUCCESS);
    EXPECT(cusparseSetMatIndexBase(descriptor,
                                   base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO) ==
           CUSPARSE_STATUS_SUCCESS);
  }
  ~Factor() { cusparseDestroyMatDescr(descriptor); }

  /// Columns are in order.
  Reference dense() const {
    const int n = static_cast<int>(starts.size()) - 1;
    Reference result(n, n);
    EXPECT(starts[0] == base && starts[n] - base == static_cast<int>(values.size()) - 1);
    EXPECT(columns.back() == -7 && same_bits(values.back(), poison<T>()));
    for (int i = 0; i < n; ++i)
      for (int k = starts[i] - base; k < starts[i + 1] - base; ++k) {
        EXPECT(k == starts[i] - base || columns[k] > columns[k - 1]);
        result(i, columns[k] - base) = wide(values[k]);
      }
    return result;
  }

  int base;
  std::vector<int> starts, columns;
  std::vector<T> values;
  cusparseMatDescr_t descriptor = nullptr;
};

template <typename T>
void check_factors(const Lu<T>& lu, const Reference& whole, double threshold, int base,
                   std::vector<T>& results) {
  const int n = whole.rows;
  int lower_count = -77, upper_count = -77;
  EXPECT_OK(cusolverSpXcsrluNnzHost(lu.handle, &lower_count, &upper_count, lu.info));
  Factor<T> lower(n, lower_count, base), upper(n, upper_count, 1 - base);
  std::vector<int> p(n, -7), q(n, -7);
  EXPECT_OK(Calls<T>::extract(lu.handle, p.data(), q.data(), lower.descriptor, lower.values.data(),
                              lower.starts.data(), lower.columns.data(), upper.descriptor,
                              upper.values.data(), upper.starts.data(), upper.columns.data(),
                              lu.info, nullptr));
  if (!EXPECT(is_permutation_of(p, n) && is_permutation_of(q, n))) return;
  Reference l = lower.dense(), u = upper.dense(), moved(n, n);
  int misplaced = 0;
  long double growth = 1;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      misplaced += (i <= j && l(i, j) != Long(0)) + (i > j && u(i, j) != Long(0));
      growth = std::max({growth, std::abs(l(i, j)), std::abs(u(i, j))});
      // LAPACK's size of complex numbers: at most sqrt(2) of the absolute value.
      if (threshold > 0) EXPECT(std::abs(l(i, j)) <= 1.42L / threshold);
      moved(i, j) = whole(p[i], q[j]);
    }
  EXPECT(misplaced == 0);
  for (int i = 0; i < n; ++i) l(i, i) = 1;
  EXPECT(close(l * u, moved, 8 * n * growth * growth * epsilon<T>()));
  results.insert(results.end(), lower.values.begin(), lower.values.end() - 1);
  results.insert(results.end(), upper.values.begin(), upper.values.end() - 1);
}

template <typename T>
void check_matrix(cusolverSpHandle_t handle, const Reference& whole, int base, double threshold,
                  bool is_tame, std::vector<T>& results) {
  const int n = whole.rows;
  const Sparse<T> a(whole, base);
  Lu<T> lu(handle, a);
  std::size_t kept = 0, bytes = 0;
  EXPECT_OK(lu.analyse());
  EXPECT_OK(lu.room(&kept, &bytes));
  EXPECT(kept > 0 && bytes > 0);
  EXPECT_OK(lu.factor(threshold));
  EXPECT(lu.zero_pivot(0) == -1);
  check_factors(lu, whole, threshold, base, results);
  Matrix<T> b(random_matrix<T>(n, 1), 0);
  const Reference right = b.result(), wanted = solved(whole, right);
  std::vector<T> x(n, poison<T>());
  EXPECT_OK(Calls<T>::solve(handle, n, b.host.data(), x.data(), lu.info, nullptr));
  Reference got(n, 1);
  for (int i = 0; i < n; ++i) got(i, 0) = wide(x[i]);
  const long double scale = std::max(1.0L, largest(wanted));
  EXPECT(close(whole * got, right, 1024 * epsilon<T>() * scale * (is_tame ? 5 : 2000)));
  if (is_tame) EXPECT(close(got, wanted, 512 * epsilon<T>()));
  results.insert(results.end(), x.begin(), x.end());
}

template <typename T>
void check_regular(cusolverSpHandle_t handle, std::vector<T>& results) {
  for (const int base : {0, 1}) {
    for (const auto& [width, height] : {std::pair{1, 1}, {2, 1}, {13, 1}, {5, 4}, {11, 9}})
      for (const double threshold : {1.0, 0.1, 0.0})
        check_matrix<T>(handle, grid_matrix<T>(width, height, true), base, threshold, true,
                        results);
    for (const int n : {2, 3, 5, 13, 31, 67})
      for (const bool has_diagonal : {true, false})
        check_matrix<T>(handle, scattered_matrix<T>(n, has_diagonal), base, 1, false, results);
  }
}

/// A diagonal whose elements are too small for one threshold, and large enough for another.
template <typename T>
void check_threshold(cusolverSpHandle_t handle) {
  const int n = 5;
  Reference whole(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) whole(i, j) = i == j ? 1 : i > j ? 2 : 0.25L;
  const Sparse<T> a(whole, 0);
  Lu<T> lu(handle, a);
  EXPECT_OK(lu.analyse());
  for (const double threshold : {1.0, 0.1}) {
    EXPECT_OK(lu.factor(threshold));
    std::vector<T> ignored;
    check_factors(lu, whole, threshold, 0, ignored);
    Factor<T> lower(n, n * (n - 1) / 2, 0), upper(n, n * (n + 1) / 2, 0);
    std::vector<int> p(n), q(n);
    EXPECT_OK(Calls<T>::extract(handle, p.data(), q.data(), lower.descriptor, lower.values.data(),
                                lower.starts.data(), lower.columns.data(), upper.descriptor,
                                upper.values.data(), upper.starts.data(), upper.columns.data(),
                                lu.info, nullptr));
    EXPECT((p == q) == (threshold < 1));
  }
}

template <typename T>
void check_singular(cusolverSpHandle_t handle) {
  for (const int kind : {0, 1, 2, 3}) {
    Reference whole = grid_matrix<T>(5, 4, true);
    const int n = whole.rows, zero = 7;
    for (int i = 0; i < n; ++i) {
      if (kind == 0 || kind == 2) whole(i, zero) = 0;      // a column
      if (kind == 1 || kind == 2) whole(zero, i) = 0;      // a row
      if (kind == 3) whole(zero, i) = whole(zero + 1, i);  // a row twice
    }
    const Sparse<T> a(whole, 1);
    Lu<T> lu(handle, a);
    EXPECT_OK(lu.analyse());
    EXPECT_OK(lu.factor(1));
    const int position = lu.zero_pivot(kind == 3 ? 1e-5 : 0);
    EXPECT(position >= 0 && position < n);
    std::vector<T> ignored;
    check_factors(lu, whole, 0, 1, ignored);
  }
  // The tolerance, of the absolute value.
  Reference whole(3, 3);
  for (int i = 0; i < 3; ++i) whole(i, i) = 4 >> i;
  const Sparse<T> a(whole, 0);
  Lu<T> lu(handle, a);
  EXPECT_OK(lu.analyse());
  EXPECT_OK(lu.factor(1));
  EXPECT(lu.zero_pivot(0.5) == -1 && lu.zero_pivot(1) == 2 && lu.zero_pivot(3) == 1 &&
         lu.zero_pivot(4) == 0);
}

/// Values change, the pattern does not; types of steps are the same.
void check_steps(cusolverSpHandle_t handle) {
  const auto invalid = CUSOLVER_STATUS_INVALID_VALUE;
  Reference whole = grid_matrix<double>(5, 4, true);
  const int n = whole.rows;
  const Sparse<double> a(whole, 0);
  Lu<double> lu(handle, a);
  int lower = 0, upper = 0, position = 0;
  std::vector<double> b(n, 1), x(n);
  EXPECT(cusolverSpXcsrluNnzHost(handle, &lower, &upper, lu.info) == invalid);
  EXPECT(lu.factor(1) == invalid);
  EXPECT_OK(lu.analyse());
  EXPECT(cusolverSpXcsrluNnzHost(handle, &lower, &upper, lu.info) == invalid);
  EXPECT(cusolverSpDcsrluZeroPivotHost(handle, lu.info, 0, &position) == invalid);
  EXPECT(cusolverSpDcsrluSolveHost(handle, n, b.data(), x.data(), lu.info, nullptr) == invalid);
  EXPECT(lu.factor(-0.5) == invalid);
  EXPECT(lu.factor(1.5) == invalid);
  EXPECT(lu.factor(std::nan("")) == invalid);
  EXPECT_OK(lu.factor(1));
  EXPECT(cusolverSpScsrluZeroPivotHost(handle, lu.info, 0, &position) == invalid);
  EXPECT(cusolverSpDcsrluZeroPivotHost(handle, lu.info, 0, nullptr) == invalid);
  EXPECT(cusolverSpDcsrluZeroPivotHost(nullptr, lu.info, 0, &position) ==
         CUSOLVER_STATUS_NOT_INITIALIZED);
  EXPECT(cusolverSpDcsrluSolveHost(handle, n - 1, b.data(), x.data(), lu.info, nullptr) == invalid);
  EXPECT(cusolverSpDcsrluSolveHost(handle, n, nullptr, x.data(), lu.info, nullptr) == invalid);
  EXPECT(cusolverSpDcsrluSolveHost(handle, n, b.data(), nullptr, lu.info, nullptr) == invalid);
  EXPECT(cusolverSpXcsrluNnzHost(handle, nullptr, &upper, lu.info) == invalid);
  EXPECT(cusolverSpXcsrluNnzHost(handle, &lower, &upper, nullptr) == invalid);
  EXPECT_OK(cusolverSpXcsrluNnzHost(handle, &lower, &upper, lu.info));
  Factor<double> l(n, lower, 0), u(n, upper, 0);
  std::vector<int> p(n), q(n);
  const auto extract = [&](int* p, cusparseMatDescr_t descriptor, double* values, int* starts) {
    return cusolverSpDcsrluExtractHost(handle, p, q.data(), l.descriptor, l.values.data(),
                                       l.starts.data(), l.columns.data(), descriptor, values,
                                       starts, u.columns.data(), lu.info, nullptr);
  };
  EXPECT(extract(nullptr, u.descriptor, u.values.data(), u.starts.data()) == invalid);
  EXPECT(extract(p.data(), nullptr, u.values.data(), u.starts.data()) == invalid);
  EXPECT(extract(p.data(), u.descriptor, nullptr, u.starts.data()) == invalid);
  EXPECT(extract(p.data(), u.descriptor, u.values.data(), nullptr) == invalid);
  EXPECT_OK(extract(p.data(), u.descriptor, u.values.data(), u.starts.data()));
  std::vector<int> outside = a.column_array->host;
  outside[3] = n;
  EXPECT(cusolverSpXcsrluAnalysisHost(handle, n, a.count, a.descriptor, a.offsets.host.data(),
                                      outside.data(), lu.info) == invalid);
  outside[3] = -1;
  EXPECT(cusolverSpXcsrluAnalysisHost(handle, n, a.count, a.descriptor, a.offsets.host.data(),
                                      outside.data(), lu.info) == invalid);
  EXPECT(cusolverSpCreateCsrluInfoHost(nullptr) == invalid);
  EXPECT(cusolverSpDestroyCsrluInfoHost(nullptr) == invalid);
}

/// No order of minimum degree has more elements in the factors of a grid than its lines have.
void check_few_elements(cusolverSpHandle_t handle) {
  const Reference whole = grid_matrix<double>(20, 19, true);
  const int n = whole.rows;
  const Sparse<double> a(whole, 0);
  Lu<double> lu(handle, a);
  EXPECT_OK(lu.analyse());
  EXPECT_OK(lu.factor(0));
  int lower = 0, upper = 0;
  EXPECT_OK(cusolverSpXcsrluNnzHost(handle, &lower, &upper, lu.info));
  EXPECT(lower + n == upper && lower < n * 20 * 3 / 5);
}

template <typename T>
void check_all(cusolverSpHandle_t handle, const char* name) {
  std::vector<T> results;
  check_regular<T>(handle, results);
  check_threshold<T>(handle);
  check_singular<T>(handle);
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
  check_steps(handle);
  check_few_elements(handle);
  EXPECT_OK(cusolverSpDestroy(handle));
  return finish();
}
