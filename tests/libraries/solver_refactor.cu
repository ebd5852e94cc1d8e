// cuSOLVER: factors made anew for matrices of one pattern, against factors and solutions of the
// plain reference. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver_sparse_check.h"

#include <cusolverRf.h>

namespace {

/// Compressed rows of numbers, or columns, on the host and the device.
struct Packed {
  /// Those of `pattern` that are not 0.
  Packed(const Reference& a, const Reference& pattern, bool as_columns) {
    starts.push_back(0);
    for (int i = 0; i < a.rows; ++i) {
      for (int j = 0; j < a.rows; ++j) {
        const Long there = as_columns ? pattern(j, i) : pattern(i, j);
        if (there == Long(0)) continue;
        indices.push_back(j);
        values.push_back(static_cast<double>((as_columns ? a(j, i) : a(i, j)).real()));
      }
      starts.push_back(static_cast<int>(indices.size()));
    }
    upload(device_starts, starts);
    upload(device_indices, indices);
    upload(device_values, values);
  }
  template <typename T>
  static void upload(std::unique_ptr<Array<T>>& to, const std::vector<T>& from) {
    to = std::make_unique<Array<T>>(from.size());
    to->host = from;
    to->to_device();
  }
  int count() const { return static_cast<int>(indices.size()); }

  std::vector<int> starts, indices;
  std::vector<double> values;
  std::unique_ptr<Array<int>> device_starts, device_indices;
  std::unique_ptr<Array<double>> device_values;
};

/// A matrix, orders in which its diagonal is large, and the factors without pivots: their patterns
/// are those of elimination.
struct Problem {
  explicit Problem(int n) : n(n), a(n, n), p(n), q(n) {
    for (int i = 0; i < n; ++i) p[i] = i, q[i] = i;
    for (int i = n - 1; i > 0; --i) {
      std::swap(p[i], p[any(i + 1)]);
      std::swap(q[i], q[any(i + 1)]);
    }
    pattern = Reference(n, n);
    for (int i = 0; i < n; ++i)
      for (const int j : {i, any(n), any(n)}) pattern(p[i], q[j]) = 1;
    fill();
    lower_pattern = upper_pattern = Reference(n, n);
    Reference filled(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) filled(i, j) = pattern(p[i], q[j]);
    for (int k = 0; k < n; ++k)
      for (int i = k + 1; i < n; ++i)
        for (int j = k + 1; j < n; ++j)
          if (filled(i, k) != Long(0) && filled(k, j) != Long(0)) filled(i, j) = 1;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) (i > j ? lower_pattern : upper_pattern)(i, j) = filled(i, j);
  }
  static int any(int n) { return static_cast<int>((random_fraction() + 1) * n / 2) % n; }

  /// New values.
  void fill() {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        a(p[i], q[j]) = pattern(p[i], q[j]) == Long(0)
                            ? Long(0)
                            : wide(random_number<double>()) + Long(i == j ? 8 : 0);
  }
  /// L and U of P A Q^T; the ones are on L's diagonal, or on U's.
  void factors(bool upper_is_unit, Reference& lower, Reference& upper) const {
    lower = identity(n);
    upper = Reference(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) upper(i, j) = a(p[i], q[j]);
    for (int k = 0; k < n; ++k)
      for (int i = k + 1; i < n; ++i) {
        lower(i, k) = upper(i, k) / upper(k, k);
        for (int j = k; j < n; ++j) upper(i, j) -= lower(i, k) * upper(k, j);
        upper(i, k) = 0;
      }
    for (int k = 0; upper_is_unit && k < n; ++k) {
      const Long pivot = upper(k, k);
      for (int i = 0; i < n; ++i) lower(i, k) *= pivot, upper(k, i) /= pivot;
    }
  }

  int n;
  Reference a, pattern = Reference(0, 0), lower_pattern = pattern, upper_pattern = pattern;
  std::vector<int> p, q;
};

/// What is called with the arrays of a problem. L and U have the diagonal that the format says.
struct Refactorization {
  Refactorization(const Problem& problem, cusolverRfMatrixFormat_t format,
                  cusolverRfUnitDiagonal_t unit)
      : n(problem.n),
        is_columns(format == CUSOLVERRF_MATRIX_FORMAT_CSC),
        a(problem.a, problem.pattern, is_columns),
        p(problem.p.size()),
        q(problem.q.size()) {
    EXPECT_OK(cusolverRfCreate(&handle));
    EXPECT_OK(cusolverRfSetMatrixFormat(handle, format, unit));
    Reference lower = problem.lower_pattern, upper = problem.upper_pattern;
    for (int i = 0; i < n; ++i) {
      if (unit != CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L) lower(i, i) = 1;
      if (unit == CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U) upper(i, i) = 0;
    }
    l = std::make_unique<Packed>(lower, lower, is_columns);
    u = std::make_unique<Packed>(upper, upper, is_columns);
    p.host = problem.p, q.host = problem.q;
    p.to_device(), q.to_device();
  }
  ~Refactorization() { EXPECT_OK(cusolverRfDestroy(handle)); }

  cusolverStatus_t set_up_host() {
    return cusolverRfSetupHost(n, a.count(), a.starts.data(), a.indices.data(), a.values.data(),
                               l->count(), l->starts.data(), l->indices.data(), l->values.data(),
                               u->count(), u->starts.data(), u->indices.data(), u->values.data(),
                               p.host.data(), q.host.data(), handle);
  }
  cusolverStatus_t set_up_device() {
    return cusolverRfSetupDevice(n, a.count(), a.device_starts->device, a.device_indices->device,
                                 a.device_values->device, l->count(), l->device_starts->device,
                                 l->device_indices->device, l->device_values->device, u->count(),
                                 u->device_starts->device, u->device_indices->device,
                                 u->device_values->device, p.device, q.device, handle);
  }
  cusolverStatus_t set_up_batch(std::vector<double*>& values) {
    return cusolverRfBatchSetupHost(static_cast<int>(values.size()), n, a.count(), a.starts.data(),
                                    a.indices.data(), values.data(), l->count(), l->starts.data(),
                                    l->indices.data(), l->values.data(), u->count(),
                                    u->starts.data(), u->indices.data(), u->values.data(),
                                    p.host.data(), q.host.data(), handle);
  }
  cusolverStatus_t reset(const Packed& values) {
    return cusolverRfResetValues(n, a.count(), a.device_starts->device, a.device_indices->device,
                                 values.device_values->device, p.device, q.device, handle);
  }
  Reference solve(const Reference& right) {
    Matrix<double> x(right, 0);
    Array<double> room(static_cast<std::size_t>(n));
    room.fill(poison<double>());
    room.to_device();
    EXPECT_OK(cusolverRfSolve(handle, p.device, q.device, 1, room.device, n, x.device, n));
    return x.result();
  }
  /// Of compressed rows, or columns, whose indices are in order.
  Reference dense(int count, const int* starts, const int* indices, const double* values) const {
    Reference result(n, n);
    EXPECT(starts[0] == 0 && starts[n] == count);
    for (int i = 0; i < n; ++i)
      for (int k = starts[i]; k < starts[i + 1]; ++k) {
        EXPECT(k == starts[i] || indices[k] > indices[k - 1]);
        (is_columns ? result(indices[k], i) : result(i, indices[k])) = values[k];
      }
    return result;
  }
  Reference bundled() const {
    int count = -7, *starts = nullptr, *indices = nullptr;
    double* values = nullptr;
    EXPECT_OK(cusolverRfExtractBundledFactorsHost(handle, &count, &starts, &indices, &values));
    const Reference result = dense(count, starts, indices, values);
    // Those in device memory are the same.
    int other = -7, *device_starts = nullptr, *device_indices = nullptr;
    double* device_values = nullptr;
    EXPECT_OK(cusolverRfAccessBundledFactorsDevice(handle, &other, &device_starts, &device_indices,
                                                   &device_values));
    EXPECT(other == count);
    const auto is_same = [](const void* host, const void* device, std::size_t bytes) {
      std::vector<char> copy(bytes);
      EXPECT(cudaMemcpy(copy.data(), device, bytes, cudaMemcpyDeviceToHost) == cudaSuccess);
      return std::memcmp(copy.data(), host, bytes) == 0;
    };
    EXPECT(is_same(starts, device_starts, sizeof(int) * (n + 1)));
    EXPECT(is_same(indices, device_indices, sizeof(int) * count));
    EXPECT(is_same(values, device_values, sizeof(double) * count));
    std::free(starts), std::free(indices), std::free(values);
    return result;
  }
  void split(Reference& lower, Reference& upper, int& lower_count, int& upper_count) const {
    int *lower_starts, *lower_indices, *upper_starts, *upper_indices;
    double *lower_values, *upper_values;
    EXPECT_OK(cusolverRfExtractSplitFactorsHost(handle, &lower_count, &lower_starts, &lower_indices,
                                                &lower_values, &upper_count, &upper_starts,
                                                &upper_indices, &upper_values));
    lower = dense(lower_count, lower_starts, lower_indices, lower_values);
    upper = dense(upper_count, upper_starts, upper_indices, upper_values);
    for (void* const array : std::initializer_list<void*>{
             lower_starts, lower_indices, lower_values, upper_starts, upper_indices, upper_values})
      std::free(array);
  }

  int n;
  bool is_columns;
  Packed a;
  std::unique_ptr<Packed> l, u;
  Array<int> p, q;
  cusolverRfHandle_t handle = nullptr;
};

void check_factors(const Problem& problem, const Refactorization& made,
                   cusolverRfUnitDiagonal_t unit, std::vector<double>& results) {
  const bool upper_is_unit =
      unit == CUSOLVERRF_UNIT_DIAGONAL_STORED_U || unit == CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U;
  const int n = problem.n;
  Reference lower(n, n), upper(n, n), got_lower(n, n), got_upper(n, n), both(n, n);
  problem.factors(upper_is_unit, lower, upper);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      both(i, j) = i == j ? (upper_is_unit ? lower : upper)(i, i) : lower(i, j) + upper(i, j);
  const Reference bundled = made.bundled();
  EXPECT(close(bundled, both, 1e-13L * n));
  int lower_count = -7, upper_count = -7;
  made.split(got_lower, got_upper, lower_count, upper_count);
  EXPECT(lower_count == made.l->count() && upper_count == made.u->count());
  for (int i = 0; i < n; ++i) {
    if (unit == CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L) lower(i, i) = 0;
    if (unit == CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U) upper(i, i) = 0;
  }
  EXPECT(close(got_lower, lower, 1e-13L * n) && close(got_upper, upper, 1e-13L * n));
  for (const Long x : bundled.values) results.push_back(static_cast<double>(x.real()));
}

void check_forms(std::vector<double>& results) {
  for (const int n : {1, 2, 7, 37, 149})
    for (const auto format : {CUSOLVERRF_MATRIX_FORMAT_CSR, CUSOLVERRF_MATRIX_FORMAT_CSC})
      for (const auto unit :
           {CUSOLVERRF_UNIT_DIAGONAL_STORED_L, CUSOLVERRF_UNIT_DIAGONAL_STORED_U,
            CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L, CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U}) {
        if (n == 149 && has_few()) continue;
        Problem problem(n);
        Refactorization made(problem, format, unit);
        EXPECT_OK(n % 2 ? made.set_up_host() : made.set_up_device());
        // M begins as P A Q^T, and stays so before the analysis.
        EXPECT_OK(cusolverRfRefactor(made.handle));
        Reference moved(n, n);
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j) moved(i, j) = problem.a(problem.p[i], problem.q[j]);
        EXPECT(close(made.bundled(), moved, 0));
        EXPECT_OK(cusolverRfAnalyze(made.handle));
        for (int round = 0; round < 2; ++round) {
          EXPECT_OK(cusolverRfRefactor(made.handle));
          check_factors(problem, made, unit, results);
          const Reference right = random_matrix<double>(n, 1), got = made.solve(right);
          EXPECT(close(got, solved(problem.a, right), 1e-13L * n));
          for (const Long x : got.values) results.push_back(static_cast<double>(x.real()));
          problem.fill();
          EXPECT_OK(made.reset(Packed(problem.a, problem.pattern, made.is_columns)));
        }
      }
}

/// The whole chain: factors of the host, with pivots, are made anew for other values.
void check_chain() {
  const Reference whole = scattered_matrix<double>(67, true);
  const int n = whole.rows;
  const Packed a(whole, whole, false);
  cusolverSpHandle_t handle;
  cusparseMatDescr_t descriptor;
  csrluInfoHost_t info;
  int lower_count = 0, upper_count = 0;
  EXPECT_OK(cusolverSpCreate(&handle));
  EXPECT(cusparseCreateMatDescr(&descriptor) == CUSPARSE_STATUS_SUCCESS);
  EXPECT_OK(cusolverSpCreateCsrluInfoHost(&info));
  EXPECT_OK(cusolverSpXcsrluAnalysisHost(handle, n, a.count(), descriptor, a.starts.data(),
                                         a.indices.data(), info));
  EXPECT_OK(cusolverSpDcsrluFactorHost(handle, n, a.count(), descriptor, a.values.data(),
                                       a.starts.data(), a.indices.data(), info, 1.0, nullptr));
  EXPECT_OK(cusolverSpXcsrluNnzHost(handle, &lower_count, &upper_count, info));
  std::vector<int> p(n), q(n), ls(n + 1), us(n + 1), li(lower_count), ui(upper_count);
  std::vector<double> lv(lower_count), uv(upper_count);
  EXPECT_OK(cusolverSpDcsrluExtractHost(handle, p.data(), q.data(), descriptor, lv.data(),
                                        ls.data(), li.data(), descriptor, uv.data(), us.data(),
                                        ui.data(), info, nullptr));
  cusolverRfHandle_t rf;
  EXPECT_OK(cusolverRfCreate(&rf));
  EXPECT_OK(cusolverRfSetMatrixFormat(rf, CUSOLVERRF_MATRIX_FORMAT_CSR,
                                      CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L));
  Packed own(whole, whole, false);
  EXPECT_OK(cusolverRfSetupHost(n, own.count(), own.starts.data(), own.indices.data(),
                                own.values.data(), lower_count, ls.data(), li.data(), lv.data(),
                                upper_count, us.data(), ui.data(), uv.data(), p.data(), q.data(),
                                rf));
  EXPECT_OK(cusolverRfAnalyze(rf));
  EXPECT_OK(cusolverRfRefactor(rf));
  int count = 0, *starts = nullptr, *indices = nullptr, next = 0;
  double* values = nullptr;
  EXPECT_OK(cusolverRfExtractBundledFactorsHost(rf, &count, &starts, &indices, &values));
  EXPECT(count == lower_count + upper_count);
  for (int i = 0; i < n; ++i) {
    for (int k = ls[i]; k < ls[i + 1]; ++k, ++next)
      EXPECT(indices[next] == li[k] && std::abs(values[next] - lv[k]) < 1e-11);
    for (int k = us[i]; k < us[i + 1]; ++k, ++next)
      EXPECT(indices[next] == ui[k] && std::abs(values[next] - uv[k]) < 1e-11);
  }
  std::free(starts), std::free(indices), std::free(values);
  EXPECT_OK(cusolverRfDestroy(rf));
  EXPECT_OK(cusolverSpDestroyCsrluInfoHost(info));
  cusparseDestroyMatDescr(descriptor);
  EXPECT_OK(cusolverSpDestroy(handle));
}

void check_pivots() {
  Problem problem(13);
  Refactorization made(problem, CUSOLVERRF_MATRIX_FORMAT_CSR, CUSOLVERRF_UNIT_DIAGONAL_STORED_L);
  EXPECT_OK(made.set_up_host());
  EXPECT_OK(cusolverRfAnalyze(made.handle));
  const auto report = [&] {
    auto result = static_cast<cusolverRfNumericBoostReport_t>(7);
    EXPECT_OK(cusolverRfGetNumericBoostReport(made.handle, &result));
    return result;
  };
  EXPECT(report() == CUSOLVERRF_NUMERIC_BOOST_NOT_USED);
  EXPECT_OK(cusolverRfRefactor(made.handle));
  EXPECT(report() == CUSOLVERRF_NUMERIC_BOOST_NOT_USED);
  problem.a(problem.p[0], problem.q[0]) = 0;
  const Packed singular(problem.a, problem.pattern, false);
  EXPECT_OK(made.reset(singular));
  EXPECT(cusolverRfRefactor(made.handle) == CUSOLVER_STATUS_ZERO_PIVOT);
  EXPECT(report() == CUSOLVERRF_NUMERIC_BOOST_USED);
  EXPECT_OK(cusolverRfSetNumericProperties(made.handle, 1e-12, 0.125));
  EXPECT_OK(made.reset(singular));
  EXPECT_OK(cusolverRfRefactor(made.handle));
  EXPECT(report() == CUSOLVERRF_NUMERIC_BOOST_USED);
  problem.a(problem.p[0], problem.q[0]) = 0.125;
  std::vector<double> ignored;
  check_factors(problem, made, CUSOLVERRF_UNIT_DIAGONAL_STORED_L, ignored);
  EXPECT_OK(made.reset(Packed(problem.a, problem.pattern, false)));
  EXPECT_OK(cusolverRfRefactor(made.handle));
  EXPECT(report() == CUSOLVERRF_NUMERIC_BOOST_NOT_USED);
}

void check_batches(std::vector<double>& results) {
  for (const int systems : {1, 5, 67}) {
    if (systems > 5 && has_few()) continue;
    Problem problem(23);
    const int n = problem.n;
    Refactorization made(problem, CUSOLVERRF_MATRIX_FORMAT_CSR, CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L);
    std::vector<Reference> matrices;
    std::vector<std::unique_ptr<Packed>> packed;
    std::vector<double*> on_host, on_device;
    for (int z = 0; z < systems; ++z) {
      problem.fill();
      matrices.push_back(problem.a);
      packed.push_back(std::make_unique<Packed>(problem.a, problem.pattern, false));
      on_host.push_back(packed.back()->values.data());
      on_device.push_back(packed.back()->device_values->device);
    }
    std::vector<int> positions(systems, -7);
    EXPECT(cusolverRfBatchAnalyze(made.handle) == CUSOLVER_STATUS_NOT_INITIALIZED);
    EXPECT_OK(made.set_up_batch(on_host));
    EXPECT(cusolverRfAnalyze(made.handle) == CUSOLVER_STATUS_NOT_INITIALIZED);
    EXPECT_OK(cusolverRfBatchAnalyze(made.handle));
    Array<double*> pointers(on_device.size());
    for (const bool are_on_device : {true, false}) {
      EXPECT_OK(cusolverRfBatchRefactor(made.handle));
      EXPECT_OK(cusolverRfBatchZeroPivot(made.handle, positions.data()));
      for (const int position : positions) EXPECT(position == -1);
      const Reference right = random_matrix<double>(n, systems);
      Matrix<double> x(right, 3);
      std::vector<double*> columns;
      for (int z = 0; z < systems; ++z) columns.push_back(x.device + x.lead * z);
      pointers.host = columns;
      pointers.to_device();
      Array<double> room(static_cast<std::size_t>(n) * 2 * systems);
      EXPECT_OK(cusolverRfBatchSolve(made.handle, made.p.device, made.q.device, 1, room.device, n,
                                     are_on_device ? pointers.device : columns.data(), n));
      const Reference got = x.result();
      for (int z = 0; z < systems; ++z) {
        Reference one(n, 1), own(n, 1);
        for (int i = 0; i < n; ++i) {
          own(i, 0) = right(i, z), one(i, 0) = got(i, z);
          results.push_back(static_cast<double>(got(i, z).real()));
        }
        EXPECT(close(one, solved(matrices[z], own), 1e-12L));
      }
      pointers.host = on_device;
      pointers.to_device();
      EXPECT_OK(cusolverRfBatchResetValues(systems, n, made.a.count(), made.a.device_starts->device,
                                           made.a.device_indices->device,
                                           are_on_device ? pointers.device : on_device.data(),
                                           made.p.device, made.q.device, made.handle));
    }
    // The last becomes singular.
    Reference last = matrices.back();
    last(problem.p[0], problem.q[0]) = 0;
    const Packed singular(last, problem.pattern, false);
    on_device.back() = singular.device_values->device;
    EXPECT_OK(cusolverRfBatchResetValues(systems, n, made.a.count(), made.a.device_starts->device,
                                         made.a.device_indices->device, on_device.data(),
                                         made.p.device, made.q.device, made.handle));
    EXPECT_OK(cusolverRfBatchRefactor(made.handle));
    EXPECT(cusolverRfBatchZeroPivot(made.handle, positions.data()) == CUSOLVER_STATUS_ZERO_PIVOT);
    for (int z = 0; z < systems; ++z) EXPECT(positions[z] == (z + 1 == systems ? 0 : -1));
  }
}

void check_settings() {
  const auto invalid = CUSOLVER_STATUS_INVALID_VALUE;
  const auto no_handle = CUSOLVER_STATUS_NOT_INITIALIZED;
  cusolverRfHandle_t handle;
  EXPECT(cusolverRfCreate(nullptr) == invalid);
  EXPECT_OK(cusolverRfCreate(&handle));
  cusolverRfMatrixFormat_t format;
  cusolverRfUnitDiagonal_t unit;
  cusolverRfFactorization_t factorization;
  cusolverRfTriangularSolve_t solve;
  cusolverRfResetValuesFastMode_t mode;
  double zero = 7, boost = 7;
  EXPECT_OK(cusolverRfGetMatrixFormat(handle, &format, &unit));
  EXPECT_OK(cusolverRfGetAlgs(handle, &factorization, &solve));
  EXPECT_OK(cusolverRfGetResetValuesFastMode(handle, &mode));
  EXPECT_OK(cusolverRfGetNumericProperties(handle, &zero, &boost));
  EXPECT(format == CUSOLVERRF_MATRIX_FORMAT_CSR && unit == CUSOLVERRF_UNIT_DIAGONAL_STORED_L);
  EXPECT(factorization == CUSOLVERRF_FACTORIZATION_ALG0 &&
         solve == CUSOLVERRF_TRIANGULAR_SOLVE_ALG1);
  EXPECT(mode == CUSOLVERRF_RESET_VALUES_FAST_MODE_OFF && zero == 0 && boost == 0);
  EXPECT_OK(cusolverRfSetMatrixFormat(handle, CUSOLVERRF_MATRIX_FORMAT_CSC,
                                      CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U));
  EXPECT_OK(
      cusolverRfSetAlgs(handle, CUSOLVERRF_FACTORIZATION_ALG2, CUSOLVERRF_TRIANGULAR_SOLVE_ALG3));
  EXPECT_OK(cusolverRfSetResetValuesFastMode(handle, CUSOLVERRF_RESET_VALUES_FAST_MODE_ON));
  EXPECT_OK(cusolverRfSetNumericProperties(handle, 0.5, 0.25));
  EXPECT_OK(cusolverRfGetMatrixFormat(handle, &format, &unit));
  EXPECT_OK(cusolverRfGetAlgs(handle, &factorization, &solve));
  EXPECT_OK(cusolverRfGetResetValuesFastMode(handle, &mode));
  EXPECT_OK(cusolverRfGetNumericProperties(handle, &zero, &boost));
  EXPECT(format == CUSOLVERRF_MATRIX_FORMAT_CSC && unit == CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U);
  EXPECT(factorization == CUSOLVERRF_FACTORIZATION_ALG2 &&
         solve == CUSOLVERRF_TRIANGULAR_SOLVE_ALG3);
  EXPECT(mode == CUSOLVERRF_RESET_VALUES_FAST_MODE_ON && zero == 0.5 && boost == 0.25);
  EXPECT(cusolverRfSetMatrixFormat(handle, static_cast<cusolverRfMatrixFormat_t>(2), unit) ==
         invalid);
  EXPECT(cusolverRfSetMatrixFormat(handle, format, static_cast<cusolverRfUnitDiagonal_t>(4)) ==
         invalid);
  EXPECT(cusolverRfSetAlgs(handle, static_cast<cusolverRfFactorization_t>(3), solve) == invalid);
  EXPECT(cusolverRfSetAlgs(handle, factorization, static_cast<cusolverRfTriangularSolve_t>(0)) ==
         invalid);
  EXPECT(cusolverRfSetResetValuesFastMode(
             handle, static_cast<cusolverRfResetValuesFastMode_t>(2)) == invalid);
  EXPECT(cusolverRfGetAlgs(handle, nullptr, &solve) == invalid);
  EXPECT(cusolverRfGetNumericProperties(nullptr, &zero, &boost) == no_handle);
  EXPECT(cusolverRfRefactor(handle) == no_handle);
  EXPECT(cusolverRfAnalyze(handle) == no_handle);
  int count = 0, *starts = nullptr, *indices = nullptr;
  double* values = nullptr;
  EXPECT(cusolverRfExtractBundledFactorsHost(handle, &count, &starts, &indices, &values) ==
         no_handle);
  EXPECT_OK(cusolverRfDestroy(handle));
  EXPECT(cusolverRfDestroy(handle) == no_handle);
  EXPECT(cusolverRfRefactor(handle) == no_handle);
}

void check_bad_input() {
  const auto invalid = CUSOLVER_STATUS_INVALID_VALUE;
  const Problem problem(7);
  const auto with = [&](auto change) {
    Refactorization made(problem, CUSOLVERRF_MATRIX_FORMAT_CSR, CUSOLVERRF_UNIT_DIAGONAL_STORED_L);
    change(made);
    return made.set_up_host();
  };
  EXPECT_OK(with([](Refactorization&) {}));
  EXPECT(with([](Refactorization& made) { made.n = 0; }) == invalid);
  EXPECT(with([](Refactorization& made) { made.p.host[0] = made.p.host[1]; }) == invalid);
  EXPECT(with([](Refactorization& made) { made.q.host[0] = 7; }) == invalid);
  EXPECT(with([](Refactorization& made) { made.a.indices[0] = 7; }) == invalid);
  EXPECT(with([](Refactorization& made) { made.a.indices[0] = -1; }) == invalid);
  EXPECT(with([](Refactorization& made) { made.a.starts[7] += 1; }) == invalid);
  EXPECT(with([](Refactorization& made) {
           for (int& start : made.a.starts) ++start;  // begins at 1
         }) == invalid);
  EXPECT(with([](Refactorization& made) { made.l->indices[0] = 6; }) == invalid);
  EXPECT(with([](Refactorization& made) { made.u->indices.back() = 0; }) == invalid);
  // The factors lack an element of A.
  EXPECT(with([](Refactorization& made) {
           for (int& index : made.u->indices) index = 6;
         }) == invalid);
  Refactorization made(problem, CUSOLVERRF_MATRIX_FORMAT_CSR, CUSOLVERRF_UNIT_DIAGONAL_STORED_L);
  EXPECT_OK(made.set_up_host());
  EXPECT_OK(cusolverRfAnalyze(made.handle));
  EXPECT_OK(cusolverRfRefactor(made.handle));
  Array<double> x(16), room(16);
  const auto solve = [&](int* p, int sides, double* temp, int lead, double* to, int lead_x) {
    return cusolverRfSolve(made.handle, p, made.q.device, sides, temp, lead, to, lead_x);
  };
  EXPECT(solve(nullptr, 1, room.device, 7, x.device, 7) == invalid);
  EXPECT(solve(made.p.device, 2, room.device, 7, x.device, 7) == invalid);
  EXPECT(solve(made.p.device, 1, nullptr, 7, x.device, 7) == invalid);
  EXPECT(solve(made.p.device, 1, room.device, 6, x.device, 7) == invalid);
  EXPECT(solve(made.p.device, 1, room.device, 7, nullptr, 7) == invalid);
  EXPECT(solve(made.p.device, 1, room.device, 7, x.device, 6) == invalid);
  EXPECT(cusolverRfResetValues(6, made.a.count(), made.a.device_starts->device,
                               made.a.device_indices->device, made.a.device_values->device,
                               made.p.device, made.q.device, made.handle) == invalid);
  EXPECT(cusolverRfResetValues(7, made.a.count(), made.a.device_starts->device,
                               made.a.device_indices->device, nullptr, made.p.device, made.q.device,
                               made.handle) == invalid);
}

}  // namespace

int main() {
  std::vector<double> results;
  check_settings();
  check_forms(results);
  check_chain();
  check_pivots();
  check_batches(results);
  check_bad_input();
  print_bits("factors and solutions", results);
  return finish();
}
