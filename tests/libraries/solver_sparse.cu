// cuSOLVER: systems with sparse matrices against plain elimination in long double, orders of rows,
// permutations. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver_sparse_check.h"

namespace {

template <typename T>
struct Calls;
#define CALLS(letter, T)                                                           \
  template <>                                                                      \
  struct Calls<T> {                                                                \
    static constexpr auto lu_host = cusolverSp##letter##csrlsvluHost;              \
    static constexpr auto qr_host = cusolverSp##letter##csrlsvqrHost;              \
    static constexpr auto qr = cusolverSp##letter##csrlsvqr;                       \
    static constexpr auto chol_host = cusolverSp##letter##csrlsvcholHost;          \
    static constexpr auto chol = cusolverSp##letter##csrlsvchol;                   \
    static constexpr auto batch_room = cusolverSp##letter##csrqrBufferInfoBatched; \
    static constexpr auto batch = cusolverSp##letter##csrqrsvBatched;              \
  };
CALLS(S, float)
CALLS(D, double)
CALLS(C, cuComplex)
CALLS(Z, cuDoubleComplex)

template <typename T>
void check_systems(cusolverSpHandle_t handle, std::vector<T>& results) {
  for (const auto& [width, height] : {std::pair{1, 1}, {2, 1}, {13, 1}, {5, 4}, {11, 9}})
    for (const int base : {0, 1})
      for (const bool is_positive : {true, false}) {
        const Reference whole = grid_matrix<T>(width, height, is_positive);
        const int n = whole.rows;
        const Sparse<T> a(whole, base);
        Matrix<T> b(random_matrix<T>(n, 1), 0);
        const Reference right = b.result(), wanted = solved(whole, right);
        const auto check = [&](auto call, bool on_device) {
          Array<T> x(static_cast<std::size_t>(n));
          x.fill(poison<T>());
          x.to_device();
          int singularity = -77;
          EXPECT_OK(call(handle, n, a.count, a.descriptor,
                         on_device ? a.value_array->device : a.value_array->host.data(),
                         on_device ? a.offsets.device : a.offsets.host.data(),
                         on_device ? a.column_array->device : a.column_array->host.data(),
                         on_device ? b.device : b.host.data(), 0, 0,
                         on_device ? x.device : x.host.data(), &singularity));
          EXPECT(singularity == -1);
          if (on_device) x.host = x.from_device();
          Reference got(n, 1);
          for (int i = 0; i < n; ++i) got(i, 0) = wide(x.host[i]);
          const long double scale = std::max(1.0L, largest(wanted));
          EXPECT(close(whole * got, right, 512 * epsilon<T>() * scale * 5));
          if (is_positive) EXPECT(close(got, wanted, 512 * epsilon<T>()));
          results.insert(results.end(), x.host.begin(), x.host.end());
        };
        check(Calls<T>::lu_host, false);
        check(Calls<T>::qr_host, false);
        check(Calls<T>::qr, true);
        if (is_positive) {
          check(Calls<T>::chol_host, false);
          check(Calls<T>::chol, true);
        }
      }
}

template <typename T>
void check_singular(cusolverSpHandle_t handle) {
  const int n = 20, zero = 7;
  Reference whole = grid_matrix<T>(5, 4, true);
  for (int i = 0; i < n; ++i) whole(i, zero) = whole(zero, i) = 0;
  const Sparse<T> a(whole, 0);
  std::vector<T> b(n, Of<T>::number(1)), x(n);
  int singularity = -77;
  EXPECT_OK(Calls<T>::lu_host(handle, n, a.count, a.descriptor, a.value_array->host.data(),
                              a.offsets.host.data(), a.column_array->host.data(), b.data(), 0, 0,
                              x.data(), &singularity));
  EXPECT(singularity == zero);
  EXPECT_OK(Calls<T>::chol_host(handle, n, a.count, a.descriptor, a.value_array->host.data(),
                                a.offsets.host.data(), a.column_array->host.data(), b.data(), 0, 0,
                                x.data(), &singularity));
  EXPECT(singularity == zero);
}

template <typename T>
void check_batches(cusolverSpHandle_t handle) {
  const int n = 20, count = 3;
  std::vector<Reference> wholes;
  Reference all(1, 0), right = random_matrix<T>(n, count);
  std::vector<T> values;
  const Sparse<T> first(grid_matrix<T>(5, 4, true), 1);
  for (int z = 0; z < count; ++z) {
    Reference one(n, n);
    for (int i = 0; i < n; ++i)
      for (int k = first.offsets.host[i] - 1; k < first.offsets.host[i + 1] - 1; ++k) {
        const int j = first.column_array->host[k] - 1;
        const T value =
            Of<T>::number(wide(first.value_array->host[k]) * (i == j ? Long(z + 1) : Long(1)));
        values.push_back(value);
        one(i, j) = wide(value);
      }
    wholes.push_back(one);
  }
  Array<T> numbers(values.size());
  numbers.host = values;
  numbers.to_device();
  Matrix<T> b(right, 0), x(n, count, 0);
  csrqrInfo_t info;
  EXPECT_OK(cusolverSpCreateCsrqrInfo(&info));
  EXPECT_OK(cusolverSpXcsrqrAnalysisBatched(handle, n, n, first.count, first.descriptor,
                                            first.offsets.device, first.column_array->device,
                                            info));
  std::size_t kept = 0, bytes = 0;
  EXPECT_OK(Calls<T>::batch_room(handle, n, n, first.count, first.descriptor, numbers.device,
                                 first.offsets.device, first.column_array->device, count, info,
                                 &kept, &bytes));
  Array<char> work(bytes);
  EXPECT_OK(Calls<T>::batch(handle, n, n, first.count, first.descriptor, numbers.device,
                            first.offsets.device, first.column_array->device, b.device, x.device,
                            count, info, work.device));
  const Reference got = x.result();
  for (int z = 0; z < count; ++z) {
    Reference one(n, 1), own(n, 1);
    for (int i = 0; i < n; ++i) own(i, 0) = right(i, z), one(i, 0) = got(i, z);
    EXPECT(close(wholes[z] * one, own, 2048 * epsilon<T>()));
  }
  EXPECT_OK(cusolverSpDestroyCsrqrInfo(info));
}

/// Step by step: analysis, factors, pivots, solutions.
template <typename T, typename Info>
struct Steps {
  bool on_device;
  std::function<cusolverStatus_t(Info*)> create;
  std::function<cusolverStatus_t(Info)> destroy;
  std::function<cusolverStatus_t(cusolverSpHandle_t, int, int, cusparseMatDescr_t, const int*,
                                 const int*, Info)>
      analyse;
  std::function<cusolverStatus_t(cusolverSpHandle_t, int, int, cusparseMatDescr_t, const T*,
                                 const int*, const int*, Info, std::size_t*, std::size_t*)>
      room;
  std::function<cusolverStatus_t(cusolverSpHandle_t, int, int, cusparseMatDescr_t, const T*,
                                 const int*, const int*, Info)>
      factor;
  std::function<cusolverStatus_t(cusolverSpHandle_t, Info, RealOf<T>, int*)> pivot;
  std::function<cusolverStatus_t(cusolverSpHandle_t, int, T*, T*, Info)> solve;
};

template <typename T, typename Info>
void check_steps(cusolverSpHandle_t handle, const Steps<T, Info>& steps, bool is_cholesky) {
  const int n = 99, zero = 41;
  Reference whole = grid_matrix<T>(11, 9, true), singular = whole;
  for (int i = 0; i < n; ++i) singular(i, zero) = singular(zero, i) = 0;
  singular(zero, zero) = is_cholesky ? -1 : 0;
  for (const bool is_singular : {false, true}) {
    const Sparse<T> a(is_singular ? singular : whole, 1);
    const bool d = steps.on_device;
    const T* const values = d ? a.value_array->device : a.value_array->host.data();
    const int* const offsets = d ? a.offsets.device : a.offsets.host.data();
    const int* const columns = d ? a.column_array->device : a.column_array->host.data();
    Info info = nullptr;
    std::size_t kept = 0, room = 0;
    int position = -77;
    EXPECT_OK(steps.create(&info));
    Matrix<T> b(random_matrix<T>(n, 1), 0), x(n, 1, 0);
    const Reference right = b.result();
    T* const from = d ? b.device : b.host.data();
    T* const to = d ? x.device : x.host.data();
    // Steps that are left out.
    EXPECT(steps.pivot(handle, info, 0, &position) == CUSOLVER_STATUS_INVALID_VALUE);
    EXPECT(steps.solve(handle, n, from, to, info) == CUSOLVER_STATUS_INVALID_VALUE);
    EXPECT(steps.factor(handle, n, a.count, a.descriptor, values, offsets, columns, info) ==
           CUSOLVER_STATUS_INVALID_VALUE);
    EXPECT(steps.analyse(handle, n, a.count, a.descriptor, offsets, columns, nullptr) ==
           CUSOLVER_STATUS_INVALID_VALUE);
    EXPECT_OK(steps.analyse(handle, n, a.count, a.descriptor, offsets, columns, info));
    EXPECT_OK(
        steps.room(handle, n, a.count, a.descriptor, values, offsets, columns, info, &kept, &room));
    EXPECT_OK(steps.factor(handle, n, a.count, a.descriptor, values, offsets, columns, info));
    EXPECT_OK(steps.pivot(handle, info, 0, &position));
    EXPECT(position == (is_singular ? zero : -1));
    if (is_singular) {
      if (is_cholesky)
        EXPECT(steps.solve(handle, n, from, to, info) == CUSOLVER_STATUS_EXECUTION_FAILED);
      EXPECT_OK(steps.destroy(info));
      EXPECT(steps.pivot(handle, info, 0, &position) == CUSOLVER_STATUS_INVALID_VALUE);
      continue;
    }
    // Twice, with the same factors.
    for (int round = 0; round < 2; ++round) {
      EXPECT_OK(steps.solve(handle, n, from, to, info));
      if (!d) x.to_device();
      EXPECT(close(x.result(), solved(whole, right), 512 * epsilon<T>()));
    }
    EXPECT(steps.solve(handle, n - 1, from, to, info) == CUSOLVER_STATUS_INVALID_VALUE);
    EXPECT_OK(steps.destroy(info));
  }
}

#define QR_STEPS(letter, T, where, on_device)                                                      \
  Steps<T, csrqrInfo##where##_t> {                                                                 \
    on_device, cusolverSpCreateCsrqrInfo##where, cusolverSpDestroyCsrqrInfo##where,                \
        [](auto handle, int n, int count, auto descriptor, auto offsets, auto columns,             \
           auto info) {                                                                            \
          return cusolverSpXcsrqrAnalysis##where(handle, n, n, count, descriptor, offsets,         \
                                                 columns, info);                                   \
        },                                                                                         \
        [](auto handle, int n, int count, auto descriptor, auto values, auto offsets,              \
           auto columns, auto info, auto kept, auto room) {                                        \
          return cusolverSp##letter##csrqrBufferInfo##where(                                       \
              handle, n, n, count, descriptor, values, offsets, columns, info, kept, room);        \
        },                                                                                         \
        [](auto handle, int n, int count, auto descriptor, auto values, auto offsets,              \
           auto columns, auto info) {                                                              \
          const cusolverStatus_t status = cusolverSp##letter##csrqrSetup##where(                   \
              handle, n, n, count, descriptor, values, offsets, columns, Of<T>::number(0), info);  \
          return status != CUSOLVER_STATUS_SUCCESS                                                 \
                     ? status                                                                      \
                     : cusolverSp##letter##csrqrFactor##where(handle, n, n, count, nullptr,        \
                                                              nullptr, info, nullptr);             \
        },                                                                                         \
        cusolverSp##letter##csrqrZeroPivot##where, [](auto handle, int n, T* b, T* x, auto info) { \
          return cusolverSp##letter##csrqrSolve##where(handle, n, n, b, x, info, nullptr);         \
        }                                                                                          \
  }
#define CHOLESKY_STEPS(letter, T, where, on_device)                                             \
  Steps<T, csrcholInfo##where##_t> {                                                            \
    on_device, cusolverSpCreateCsrcholInfo##where, cusolverSpDestroyCsrcholInfo##where,         \
        cusolverSpXcsrcholAnalysis##where, cusolverSp##letter##csrcholBufferInfo##where,        \
        [](auto handle, int n, int count, auto descriptor, auto values, auto offsets,           \
           auto columns, auto info) {                                                           \
          return cusolverSp##letter##csrcholFactor##where(handle, n, count, descriptor, values, \
                                                          offsets, columns, info, nullptr);     \
        },                                                                                      \
        cusolverSp##letter##csrcholZeroPivot##where,                                            \
        [](auto handle, int n, T* b, T* x, auto info) {                                         \
          return cusolverSp##letter##csrcholSolve##where(handle, n, b, x, info, nullptr);       \
        }                                                                                       \
  }
#define CHECK_STEPS(letter, T)                                       \
  check_steps(handle, QR_STEPS(letter, T, Host, false), false);      \
  check_steps(handle, QR_STEPS(letter, T, , true), false);           \
  check_steps(handle, CHOLESKY_STEPS(letter, T, Host, false), true); \
  check_steps(handle, CHOLESKY_STEPS(letter, T, , true), true)

/// The squares of the diagonal of L multiply to the determinant; and a shift is subtracted.
void check_diagonal_and_shift(cusolverSpHandle_t handle) {
  const int n = 3;
  Reference whole(n, n);
  for (int i = 0; i < n; ++i) whole(i, i) = (i + 2) * (i + 2);
  const Sparse<double> a(whole, 0);
  csrcholInfo_t info;
  EXPECT_OK(cusolverSpCreateCsrcholInfo(&info));
  EXPECT_OK(cusolverSpXcsrcholAnalysis(handle, n, a.count, a.descriptor, a.offsets.device,
                                       a.column_array->device, info));
  EXPECT_OK(cusolverSpDcsrcholFactor(handle, n, a.count, a.descriptor, a.value_array->device,
                                     a.offsets.device, a.column_array->device, info, nullptr));
  Array<double> diagonal(n);
  EXPECT_OK(cusolverSpDcsrcholDiag(handle, info, diagonal.device));
  EXPECT(diagonal.from_device() == (std::vector<double>{2, 3, 4}));
  EXPECT(cusolverSpScsrcholDiag(handle, info, nullptr) == CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT_OK(cusolverSpDestroyCsrcholInfo(info));
  csrqrInfoHost_t shifted;
  double b[3] = {3, 8, 15}, x[3];
  EXPECT_OK(cusolverSpCreateCsrqrInfoHost(&shifted));
  EXPECT_OK(cusolverSpXcsrqrAnalysisHost(handle, n, n, a.count, a.descriptor, a.offsets.host.data(),
                                         a.column_array->host.data(), shifted));
  EXPECT_OK(cusolverSpDcsrqrSetupHost(handle, n, n, a.count, a.descriptor,
                                      a.value_array->host.data(), a.offsets.host.data(),
                                      a.column_array->host.data(), 1.0, shifted));
  EXPECT_OK(cusolverSpDcsrqrFactorHost(handle, n, n, a.count, b, x, shifted, nullptr));
  for (const double one : x) EXPECT(one == 1);
  EXPECT_OK(cusolverSpDestroyCsrqrInfoHost(shifted));
}

void check_orders(cusolverSpHandle_t handle) {
  for (const int base : {0, 1}) {
    // A line whose points have been shuffled, and points alone.
    const int n = 23;
    Reference whole(n, n);
    for (int i = 0; i < n; ++i) whole((i * 5) % n, (i * 5) % n) = 1;
    for (int i = 0; i + 4 < n; ++i)
      whole((i * 5) % n, ((i + 1) * 5) % n) = whole(((i + 1) * 5) % n, (i * 5) % n) = i + 2;
    Sparse<double> a(whole, base);
    int is_symmetric = -1;
    EXPECT_OK(cusolverSpXcsrissymHost(handle, n, a.count, a.descriptor, a.offsets.host.data(),
                                      a.offsets.host.data() + 1, a.column_array->host.data(),
                                      &is_symmetric));
    EXPECT(is_symmetric == 1);
    Reference lopsided = whole;
    lopsided(0, 1) = 1, lopsided(1, 0) = 0;
    const Sparse<double> other(lopsided, base);
    EXPECT_OK(cusolverSpXcsrissymHost(handle, n, other.count, other.descriptor,
                                      other.offsets.host.data(), other.offsets.host.data() + 1,
                                      other.column_array->host.data(), &is_symmetric));
    EXPECT(is_symmetric == 0);
    std::vector<int> p(n, -1);
    const auto is_permutation = [&] {
      std::vector<int> sorted = p;
      std::sort(sorted.begin(), sorted.end());
      for (int i = 0; i < n; ++i)
        if (sorted[i] != i) return false;
      return true;
    };
    for (const auto call :
         {cusolverSpXcsrsymmdqHost, cusolverSpXcsrsymamdHost, cusolverSpXcsrsymrcmHost}) {
      p.assign(n, -1);
      EXPECT_OK(call(handle, n, a.count, a.descriptor, a.offsets.host.data(),
                     a.column_array->host.data(), p.data()));
      EXPECT(is_permutation());
    }
    std::vector<int> q = p;
    p.assign(n, -1);
    EXPECT_OK(cusolverSpXcsrmetisndHost(handle, n, a.count, a.descriptor, a.offsets.host.data(),
                                        a.column_array->host.data(), nullptr, p.data()));
    EXPECT(is_permutation());
    // B = A(q, q) has its elements beside the diagonal.
    std::vector<int> offsets = a.offsets.host, columns = a.column_array->host, map(a.count);
    for (int k = 0; k < a.count; ++k) map[k] = k;
    std::size_t bytes = 0;
    EXPECT_OK(cusolverSpXcsrperm_bufferSizeHost(handle, n, n, a.count, a.descriptor, offsets.data(),
                                                columns.data(), q.data(), q.data(), &bytes));
    std::vector<char> buffer(bytes);
    EXPECT_OK(cusolverSpXcsrpermHost(handle, n, n, a.count, a.descriptor, offsets.data(),
                                     columns.data(), q.data(), q.data(), map.data(),
                                     buffer.data()));
    int far = 0, different = 0, unordered = 0;
    for (int i = 0; i < n; ++i)
      for (int k = offsets[i] - base; k < offsets[i + 1] - base; ++k) {
        const int j = columns[k] - base;
        far += std::abs(i - j) > 1;
        unordered += k > offsets[i] - base && columns[k] <= columns[k - 1];
        different += Long(a.value_array->host[map[k]]) != whole(q[i], q[j]);
      }
    EXPECT(far == 0 && different == 0 && unordered == 0);
    EXPECT(offsets[n] - base == a.count);
    q[0] = q[1];
    EXPECT(cusolverSpXcsrpermHost(handle, n, n, a.count, a.descriptor, offsets.data(),
                                  columns.data(), q.data(), q.data(), map.data(),
                                  buffer.data()) == CUSOLVER_STATUS_INVALID_VALUE);
  }
}

void check_bad_input(cusolverSpHandle_t handle) {
  Reference whole(2, 2);
  whole(0, 0) = whole(1, 1) = 2;
  const Sparse<double> a(whole, 0);
  double b[2] = {1, 1}, x[2];
  int singularity = 0;
  const auto solve = [&](cusolverSpHandle_t with, int m, int count, cusparseMatDescr_t descriptor,
                         const int* offsets, const int* columns, int* answer) {
    return cusolverSpDcsrlsvluHost(with, m, count, descriptor, a.value_array->host.data(), offsets,
                                   columns, b, 0, 0, x, answer);
  };
  const int* offsets = a.offsets.host.data();
  const int* columns = a.column_array->host.data();
  const auto invalid = CUSOLVER_STATUS_INVALID_VALUE;
  EXPECT(solve(nullptr, 2, 2, a.descriptor, offsets, columns, &singularity) ==
         CUSOLVER_STATUS_NOT_INITIALIZED);
  EXPECT(solve(handle, -2, 2, a.descriptor, offsets, columns, &singularity) == invalid);
  EXPECT(solve(handle, 2, -2, a.descriptor, offsets, columns, &singularity) == invalid);
  EXPECT(solve(handle, 2, 2, nullptr, offsets, columns, &singularity) == invalid);
  EXPECT(solve(handle, 2, 2, a.descriptor, nullptr, columns, &singularity) == invalid);
  EXPECT(solve(handle, 2, 2, a.descriptor, offsets, nullptr, &singularity) == invalid);
  EXPECT(solve(handle, 2, 2, a.descriptor, offsets, columns, nullptr) == invalid);
  const int wild[3] = {0, 1, 900}, outside[2] = {0, 2};
  EXPECT(solve(handle, 2, 2, a.descriptor, wild, columns, &singularity) == invalid);
  EXPECT(solve(handle, 2, 2, a.descriptor, offsets, outside, &singularity) == invalid);
  EXPECT(cusparseSetMatType(a.descriptor, CUSPARSE_MATRIX_TYPE_SYMMETRIC) ==
         CUSPARSE_STATUS_SUCCESS);
  EXPECT(solve(handle, 2, 2, a.descriptor, offsets, columns, &singularity) ==
         CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
}

template <typename T>
void check_all(cusolverSpHandle_t handle, const char* name) {
  std::vector<T> results;
  check_systems<T>(handle, results);
  check_singular<T>(handle);
  check_batches<T>(handle);
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
  CHECK_STEPS(S, float);
  CHECK_STEPS(D, double);
  CHECK_STEPS(C, cuComplex);
  CHECK_STEPS(Z, cuDoubleComplex);
  check_diagonal_and_shift(handle);
  check_orders(handle);
  check_bad_input(handle);
  EXPECT_OK(cusolverSpDestroy(handle));
  return finish();
}
