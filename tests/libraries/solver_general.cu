// cuSOLVER: eigenvalues of general matrices (Xgeev) by what they must be, and the largest singular
// values (Xgesvdr) of matrices that are made of known ones. SPDX-License-Identifier: Apache-2.0
// WITH LLVM-exception
#include "solver_check.h"

namespace {

using Numbers = std::vector<Long>;

/// rows by columns, with poison below each column, on the device.
template <typename T>
struct Stored {
  Stored(int r, int c, int gap) : rows(r), columns(c), lead(r + gap), host(size()) {
    for (T& x : host) x = poison<T>();
    EXPECT(cudaMalloc(&device, (size() + 1) * sizeof(T)) == cudaSuccess);
    send();
  }
  Stored(const Stored&) = delete;
  ~Stored() { cudaFree(device); }
  std::size_t size() const { return static_cast<std::size_t>(lead) * columns; }
  T& operator()(int i, int j) { return host[i + static_cast<std::size_t>(j) * lead]; }
  void send() {
    EXPECT(cudaMemcpy(device, host.data(), size() * sizeof(T), cudaMemcpyHostToDevice) ==
           cudaSuccess);
  }
  void fetch() {
    EXPECT(cudaMemcpy(host.data(), device, size() * sizeof(T), cudaMemcpyDeviceToHost) ==
           cudaSuccess);
  }
  void expect_gaps() {
    const T untouched = poison<T>();
    for (int j = 0; j < columns; ++j)
      for (int i = rows; i < lead; ++i) EXPECT(same_bits((*this)(i, j), untouched));
  }
  int rows, columns, lead;
  std::vector<T> host;
  T* device = nullptr;
};

int* new_info() {
  int* info = nullptr;
  EXPECT(cudaMalloc(&info, sizeof(int)) == cudaSuccess);
  EXPECT(cudaMemset(info, 0x55, sizeof(int)) == cudaSuccess);
  return info;
}
int take(int* info) {
  int result = -1;
  EXPECT(cudaMemcpy(&result, info, sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess);
  EXPECT(cudaFree(info) == cudaSuccess);
  return result;
}

/// Value is T, or the complex type of a real T.
template <typename T, typename Value>
Numbers check_eigenvalues(cusolverDnHandle_t handle, int n, const Numbers& matrix,
                          bool wants_vectors) {
  constexpr bool has_pairs = Of<Value>::is_complex;
  Stored<T> a(n, n, 3), vectors(n, n, 2);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) a(i, j) = Of<T>::number(matrix[i + j * n]);
  a.send();
  Stored<Value> values(has_pairs ? n : 2 * n, 1, 1);
  int* const info = new_info();
  const cusolverEigMode_t job =
      wants_vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
  std::size_t on_device = 99, on_host = 99;
  EXPECT(cusolverDnXgeev_bufferSize(
             handle, nullptr, CUSOLVER_EIG_MODE_NOVECTOR, job, n, Of<T>::type, a.device, a.lead,
             Of<Value>::type, values.device, Of<T>::type, nullptr, 1, Of<T>::type, vectors.device,
             vectors.lead, Of<T>::type, &on_device, &on_host) == CUSOLVER_STATUS_SUCCESS);
  void* work = nullptr;
  EXPECT(cudaMalloc(&work, on_device + 1) == cudaSuccess);
  std::vector<char> host_work(on_host + 1);
  const auto run = [&](cusolverEigMode_t left, int lead) {
    return cusolverDnXgeev(handle, nullptr, left, job, n, Of<T>::type, a.device, lead,
                           Of<Value>::type, values.device, Of<T>::type, nullptr, 1, Of<T>::type,
                           vectors.device, vectors.lead, Of<T>::type, work, on_device,
                           host_work.data(), on_host, info);
  };
  EXPECT(run(CUSOLVER_EIG_MODE_VECTOR, a.lead) == CUSOLVER_STATUS_NOT_SUPPORTED);
  if (n > 1) EXPECT(run(CUSOLVER_EIG_MODE_NOVECTOR, n - 1) == CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT(run(CUSOLVER_EIG_MODE_NOVECTOR, a.lead) == CUSOLVER_STATUS_SUCCESS);
  EXPECT(cudaFree(work) == cudaSuccess);
  EXPECT(take(info) == 0);
  values.fetch();
  vectors.fetch();
  values.expect_gaps();
  vectors.expect_gaps();

  Numbers found(n);
  for (int k = 0; k < n; ++k)
    found[k] = has_pairs ? wide(values(k, 0))
                         : Long(wide(values(k, 0)).real(), wide(values(n + k, 0)).real());
  long double norm = 0;
  for (const Long x : matrix) norm = std::max(norm, std::abs(x));
  const long double near = 30 * n * norm * epsilon<T>();
  Long trace = 0, trace_of_square = 0, sum = 0, sum_of_squares = 0;
  for (int i = 0; i < n; ++i) {
    trace += matrix[i + i * n];
    sum += found[i];
    sum_of_squares += found[i] * found[i];
    for (int j = 0; j < n; ++j) trace_of_square += matrix[i + j * n] * matrix[j + i * n];
  }
  EXPECT(std::abs(trace - sum) <= near);
  EXPECT(std::abs(trace_of_square - sum_of_squares) <= near * n * norm);
  for (int k = 0; k < n && !Of<T>::is_complex; ++k)
    if (found[k].imag() != 0) {  // pairs, the one with the positive imaginary part first
      EXPECT(k + 1 < n && found[k].imag() > 0 && found[k + 1] == std::conj(found[k]));
      ++k;
    }
  if (!wants_vectors) {
    const T untouched = poison<T>();
    for (const T& x : vectors.host) EXPECT(same_bits(x, untouched));
    return found;
  }
  for (int k = 0; k < n; ++k) {
    Numbers x(n);
    const bool is_pair = !Of<T>::is_complex && found[k].imag() != 0;
    const bool is_second = found[k].imag() < 0;
    for (int i = 0; i < n; ++i)
      x[i] = is_pair ? Long(wide(vectors(i, is_second ? k - 1 : k)).real(),
                            wide(vectors(i, is_second ? k : k + 1)).real() * (is_second ? -1 : 1))
                     : wide(vectors(i, k));
    long double length = 0, residual = 0, most = 0, least_imaginary = 2;
    for (int i = 0; i < n; ++i) {
      Long product = 0;
      for (int j = 0; j < n; ++j) product += matrix[i + j * n] * x[j];
      residual = std::max(residual, std::abs(product - found[k] * x[i]));
      length += std::norm(x[i]);
      most = std::max(most, std::abs(x[i]));
    }
    for (const Long y : x)  // several may be the largest
      if (std::abs(y) >= most * (1 - 1000 * epsilon<T>()))
        least_imaginary = std::min(least_imaginary, std::abs(y.imag()));
    EXPECT(residual <= near);
    EXPECT(std::abs(length - 1) <= 20 * n * epsilon<T>());
    EXPECT(least_imaginary == 0);
  }
  return found;
}

template <typename T, typename Value>
void check_matrices(cusolverDnHandle_t handle) {
  for (const int n : {1, 2, 3, 5, 8, 17, 40}) {
    Numbers random(n * n), cycle(n * n);
    for (Long& x : random) x = wide(random_number<T>());
    for (int i = 0; i < n; ++i) cycle[(i + 1) % n + i * n] = 1;
    check_eigenvalues<T, Value>(handle, n, random, true);
    check_eigenvalues<T, Value>(handle, n, random, false);
    for (const Long x : check_eigenvalues<T, Value>(handle, n, cycle, true))
      EXPECT(std::abs(std::abs(x) - 1) <= 50 * n * epsilon<T>());  // roots of 1
  }
  // The polynomial with the roots 1, 2, 3 and 4.
  Numbers companion(16);
  for (int i = 0; i < 3; ++i) companion[i + 1 + i * 4] = 1;
  const double last[] = {-24, 50, -35, 10};
  for (int i = 0; i < 4; ++i) companion[i + 12] = last[i];
  Numbers roots = check_eigenvalues<T, Value>(handle, 4, companion, true);
  std::sort(roots.begin(), roots.end(), [](Long x, Long y) { return x.real() < y.real(); });
  for (int i = 0; i < 4; ++i) EXPECT(std::abs(roots[i] - Long(i + 1.0L)) <= 1e5L * epsilon<T>());
}

/// Columns that are orthogonal and of length 1.
Numbers orthogonal(int n, bool is_complex) {
  Numbers v(n), q(n * n);
  long double norm = 0;
  for (Long& x : v) {
    x = Long(std::rand() % 9 - 4, is_complex ? std::rand() % 9 - 4 : 0);
    norm += std::norm(x);
  }
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      q[i + j * n] = Long(i == j) - (norm == 0 ? 0 : 2 / norm) * v[i] * std::conj(v[j]);
  return q;
}

template <typename T>
void check_largest(cusolverDnHandle_t handle, int m, int n, int k, signed char job_u,
                   signed char job_v) {
  const int less = std::min(m, n);
  const Numbers left = orthogonal(m, Of<T>::is_complex), right = orthogonal(n, Of<T>::is_complex);
  std::vector<long double> known(less);
  for (int i = 0; i < less; ++i) known[i] = 3.0L * (less - i);
  Stored<T> a(m, n, 1), u(m, k, 2), v(n, k, 3);
  Numbers matrix(m * n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      for (int l = 0; l < less; ++l)
        matrix[i + j * m] += left[i + l * m] * known[l] * std::conj(right[j + l * n]);
      a(i, j) = Of<T>::number(matrix[i + j * m]);
    }
  a.send();
  Stored<RealOf<T>> s(k, 1, 2);
  int* const info = new_info();
  std::size_t on_device = 0, on_host = 0;
  const int p = std::min(2, less - k);
  EXPECT(cusolverDnXgesvdr_bufferSize(handle, nullptr, job_u, job_v, m, n, k, p, 2, Of<T>::type,
                                      a.device, a.lead, Of<T>::real_type, s.device, Of<T>::type,
                                      u.device, u.lead, Of<T>::type, v.device, v.lead, Of<T>::type,
                                      &on_device, &on_host) == CUSOLVER_STATUS_SUCCESS);
  void* work = nullptr;
  EXPECT(cudaMalloc(&work, on_device + 1) == cudaSuccess);
  const auto run = [&](int rank, std::size_t bytes) {
    return cusolverDnXgesvdr(handle, nullptr, job_u, job_v, m, n, rank, p, 2, Of<T>::type, a.device,
                             a.lead, Of<T>::real_type, s.device, Of<T>::type, u.device, u.lead,
                             Of<T>::type, v.device, v.lead, Of<T>::type, work, bytes, nullptr, 0,
                             info);
  };
  EXPECT(run(less + 1, on_device) == CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT(run(k, on_device / 2) == CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT(run(k, on_device) == CUSOLVER_STATUS_SUCCESS);
  EXPECT(take(info) == 0);
  EXPECT(cudaFree(work) == cudaSuccess);
  a.fetch();
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) EXPECT(same_bits(a(i, j), Of<T>::number(matrix[i + j * m])));
  s.fetch();
  u.fetch();
  v.fetch();
  s.expect_gaps();
  u.expect_gaps();
  v.expect_gaps();
  const long double near = 60 * std::max(m, n) * known[0] * epsilon<T>();
  for (int i = 0; i < k; ++i) EXPECT(std::abs(wide(s(i, 0)) - known[i]) <= near);
  const T untouched = poison<T>();
  for (int j = 0; j < k; ++j) {
    for (int i = 0; i < m && job_u == 'N'; ++i) EXPECT(same_bits(u(i, j), untouched));
    for (int i = 0; i < n && job_v == 'N'; ++i) EXPECT(same_bits(v(i, j), untouched));
    // A v = s u, as far as both are there; each has length 1.
    for (int i = 0; i < m && job_u == 'S' && job_v == 'S'; ++i) {
      Long product = 0;
      for (int l = 0; l < n; ++l) product += matrix[i + l * m] * wide(v(l, j));
      EXPECT(std::abs(product - wide(s(j, 0)) * wide(u(i, j))) <= near);
    }
    long double length_u = 0, length_v = 0;
    for (int i = 0; i < m && job_u == 'S'; ++i) length_u += std::norm(wide(u(i, j)));
    for (int i = 0; i < n && job_v == 'S'; ++i) length_v += std::norm(wide(v(i, j)));
    EXPECT(job_u == 'N' || std::abs(length_u - 1) <= 100 * m * epsilon<T>());
    EXPECT(job_v == 'N' || std::abs(length_v - 1) <= 100 * n * epsilon<T>());
  }
}

template <typename T>
void check_all_largest(cusolverDnHandle_t handle) {
  check_largest<T>(handle, 23, 11, 4, 'S', 'S');
  check_largest<T>(handle, 9, 21, 9, 'S', 'S');
  check_largest<T>(handle, 13, 13, 1, 'N', 'S');
  check_largest<T>(handle, 7, 5, 3, 'S', 'N');
}

}  // namespace

int main() {
  cusolverDnHandle_t handle;
  EXPECT(cusolverDnCreate(&handle) == CUSOLVER_STATUS_SUCCESS);
  check_matrices<float, float>(handle);
  check_matrices<float, cuComplex>(handle);
  check_matrices<double, double>(handle);
  check_matrices<double, cuDoubleComplex>(handle);
  check_matrices<cuComplex, cuComplex>(handle);
  check_matrices<cuDoubleComplex, cuDoubleComplex>(handle);
  check_all_largest<float>(handle);
  check_all_largest<double>(handle);
  check_all_largest<cuComplex>(handle);
  check_all_largest<cuDoubleComplex>(handle);
  EXPECT(cusolverDnDestroy(handle) == CUSOLVER_STATUS_SUCCESS);
  return finish();
}
