// cuSOLVER: Cholesky's and LU factors, systems and inverses, against plain references in long
// double, element by element where a factor is unique. What a routine may not read is poison.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver_check.h"

namespace {

const int sizes[] = {1, 2, 3, 31, 64, 67, 131};

template <typename T>
struct Calls;
#define CALLS(letter, T)                                                     \
  template <>                                                                \
  struct Calls<T> {                                                          \
    static constexpr auto potrf_size = cusolverDn##letter##potrf_bufferSize; \
    static constexpr auto potrf = cusolverDn##letter##potrf;                 \
    static constexpr auto potrs = cusolverDn##letter##potrs;                 \
    static constexpr auto potri_size = cusolverDn##letter##potri_bufferSize; \
    static constexpr auto potri = cusolverDn##letter##potri;                 \
    static constexpr auto potrf_batched = cusolverDn##letter##potrfBatched;  \
    static constexpr auto potrs_batched = cusolverDn##letter##potrsBatched;  \
    static constexpr auto getrf_size = cusolverDn##letter##getrf_bufferSize; \
    static constexpr auto getrf = cusolverDn##letter##getrf;                 \
    static constexpr auto getrs = cusolverDn##letter##getrs;                 \
    static constexpr auto laswp = cusolverDn##letter##laswp;                 \
  };
CALLS(S, float)
CALLS(D, double)
CALLS(C, cuComplex)
CALLS(Z, cuDoubleComplex)

/// L of A = L L^H.
Reference plain_cholesky(const Reference& a) {
  Reference l(a.rows, a.rows);
  for (int j = 0; j < a.rows; ++j)
    for (int i = j; i < a.rows; ++i) {
      Long value = a(i, j);
      for (int k = 0; k < j; ++k) value -= l(i, k) * std::conj(l(j, k));
      l(i, j) = i == j ? std::sqrt(value.real()) : value / l(j, j);
    }
  return l;
}

template <typename T>
void check_cholesky(cusolverDnHandle_t handle, std::vector<T>& results) {
  for (const cublasFillMode_t fill : fills)
    for (const int n : sizes) {
      const Reference whole = positive_definite<T>(n), l = plain_cholesky(whole);
      const Reference factor = fill == CUBLAS_FILL_MODE_LOWER ? l : l.adjoint();
      const long double tolerance = 8 * n * epsilon<T>();
      Matrix<T> a(whole, 3);
      poison_other(a, fill);
      int count = -1;
      Info info;
      EXPECT_OK(Calls<T>::potrf_size(handle, fill, n, a.device, a.lead, &count));
      Work<T> work(count);
      EXPECT_OK(Calls<T>::potrf(handle, fill, n, a.device, a.lead, work.device, count, info));
      EXPECT(info.value() == 0);
      EXPECT(close(a.result(), factor, tolerance, [&](int i, int j) { return is_in(fill, i, j); }));
      EXPECT(keeps_other(a, fill));
      const std::vector<T> got = a.from_device();
      results.insert(results.end(), got.begin(), got.end());

      for (const int width : {1, 5}) {
        const Reference wanted = random_matrix<T>(n, width);
        Matrix<T> b(whole * wanted, 1);
        info.reset();
        EXPECT_OK(
            Calls<T>::potrs(handle, fill, n, width, a.device, a.lead, b.device, b.lead, info));
        EXPECT(info.value() == 0);
        EXPECT(close(b.result(), wanted, 16 * tolerance));
      }

      EXPECT_OK(Calls<T>::potri_size(handle, fill, n, a.device, a.lead, &count));
      Work<T> more(count);
      info.reset();
      EXPECT_OK(Calls<T>::potri(handle, fill, n, a.device, a.lead, more.device, count, info));
      EXPECT(info.value() == 0);
      EXPECT(close(a.result(), solved(whole, identity(n)), 16 * tolerance,
                   [&](int i, int j) { return is_in(fill, i, j); }));
      EXPECT(keeps_other(a, fill));

      // 64-bit sizes: the same factor.
      Matrix<T> again(whole, 3);
      poison_other(again, fill);
      std::size_t on_device = 0, on_host = 1;
      info.reset();
      EXPECT_OK(cusolverDnXpotrf_bufferSize(handle, nullptr, fill, n, Of<T>::type, again.device,
                                            again.lead, Of<T>::type, &on_device, &on_host));
      Array<char> bytes(on_device);
      EXPECT_OK(cusolverDnXpotrf(handle, nullptr, fill, n, Of<T>::type, again.device, again.lead,
                                 Of<T>::type, bytes.device, on_device, nullptr, on_host, info));
      const std::vector<T> other = again.from_device();
      EXPECT(std::memcmp(other.data(), got.data(), got.size() * sizeof(T)) == 0);
      const Reference wanted = random_matrix<T>(n, 2);
      Matrix<T> b(whole * wanted, 1);
      EXPECT_OK(cusolverDnXpotrs(handle, nullptr, fill, n, 2, Of<T>::type, again.device, again.lead,
                                 Of<T>::type, b.device, b.lead, info));
      EXPECT(close(b.result(), wanted, 16 * tolerance));

      // Not positive definite from one minor on: exactly this one is named.
      for (const int bad : {1, n / 2 + 1, n}) {
        Reference indefinite = whole;
        indefinite(bad - 1, bad - 1) = -1;
        Matrix<T> c(indefinite, 0);
        info.reset();
        EXPECT_OK(
            Calls<T>::potrf(handle, fill, n, c.device, c.lead, work.device, work.count, info));
        EXPECT(info.value() == bad);
      }
      // A zero on the diagonal of a factor has no inverse.
      Matrix<T> singular(factor, 0);
      singular.at(n / 2, n / 2) = Of<T>::number(0);
      singular.to_device();
      info.reset();
      EXPECT_OK(Calls<T>::potri(handle, fill, n, singular.device, singular.lead, more.device,
                                more.count, info));
      EXPECT(info.value() == n / 2 + 1);
    }
}

template <typename T>
void check_cholesky_batched(cusolverDnHandle_t handle, std::vector<T>& results) {
  for (const cublasFillMode_t fill : fills)
    for (const int n : {1, 7, 33}) {
      constexpr int count = 5, bad = 2;
      std::vector<Reference> wholes;
      std::vector<std::unique_ptr<Matrix<T>>> a, b;
      std::vector<Reference> wanted;
      Array<T*> a_places(count), b_places(count);
      Array<int> infos(count);
      infos.fill(-77);
      infos.to_device();
      for (int z = 0; z < count; ++z) {
        wholes.push_back(positive_definite<T>(n));
        if (z == bad) wholes[z](n - 1, n - 1) = -3;
        wanted.push_back(random_matrix<T>(n, 1));
        a.push_back(std::make_unique<Matrix<T>>(wholes[z], 2));
        b.push_back(std::make_unique<Matrix<T>>(wholes[z] * wanted[z], 2));
        poison_other(*a[z], fill);
        a_places.host[z] = a[z]->device;
        b_places.host[z] = b[z]->device;
      }
      a_places.to_device();
      b_places.to_device();
      EXPECT_OK(Calls<T>::potrf_batched(handle, fill, n, a_places.device, a[0]->lead, infos.device,
                                        count));
      Info info;
      EXPECT_OK(Calls<T>::potrs_batched(handle, fill, n, 1, a_places.device, a[0]->lead,
                                        b_places.device, b[0]->lead, info, count));
      EXPECT(info.value() == 0);
      const std::vector<int> found = infos.from_device();
      for (int z = 0; z < count; ++z) {
        EXPECT(found[z] == (z == bad ? n : 0));
        EXPECT(keeps_other(*a[z], fill));
        if (z == bad) continue;
        const Reference l = plain_cholesky(wholes[z]);
        EXPECT(close(a[z]->result(), fill == CUBLAS_FILL_MODE_LOWER ? l : l.adjoint(),
                     8 * n * epsilon<T>(), [&](int i, int j) { return is_in(fill, i, j); }));
        EXPECT(close(b[z]->result(), wanted[z], 64 * n * epsilon<T>()));
        const std::vector<T> got = b[z]->from_device();
        results.insert(results.end(), got.begin(), got.end());
      }
    }
}

/// P A = L U by the definition, in long double, with the pivots that were found: the first of the
/// largest |x| + |y|.
struct PlainLu {
  Reference factors;
  std::vector<int> pivots;
  int info = 0;
};
PlainLu plain_lu(Reference a, bool with_pivots) {
  PlainLu lu = {a, {}, 0};
  Reference& f = lu.factors;
  for (int k = 0; k < std::min(a.rows, a.columns); ++k) {
    int best = k;
    const auto size = [&](int i) { return std::abs(f(i, k).real()) + std::abs(f(i, k).imag()); };
    for (int i = k + 1; with_pivots && i < a.rows; ++i)
      if (size(i) > size(best)) best = i;
    lu.pivots.push_back(best + 1);
    for (int j = 0; j < a.columns; ++j) std::swap(f(k, j), f(best, j));
    if (f(k, k) == Long(0)) {
      if (lu.info == 0) lu.info = k + 1;
      continue;
    }
    for (int i = k + 1; i < a.rows; ++i) {
      f(i, k) /= f(k, k);
      for (int j = k + 1; j < a.columns; ++j) f(i, j) -= f(i, k) * f(k, j);
    }
  }
  return lu;
}

template <typename T>
void check_lu(cusolverDnHandle_t handle, std::vector<T>& results) {
  for (const bool with_pivots : {true, false})
    for (const auto& [m, n] : {std::pair{1, 1},
                               {2, 2},
                               {3, 3},
                               {31, 31},
                               {67, 67},
                               {131, 131},
                               {97, 40},
                               {40, 97},
                               {1, 5},
                               {5, 1}}) {
      Reference whole = random_matrix<T>(m, n);
      if (!with_pivots)
        for (int i = 0; i < std::min(m, n); ++i)
          whole(i, i) = wide(Of<T>::number(whole(i, i) + Long(2 * n)));
      const PlainLu wanted = plain_lu(whole, with_pivots);
      const int shorter = std::min(m, n);
      Matrix<T> a(whole, 3);
      int count = -1;
      Info info;
      Array<int> pivots(shorter);
      EXPECT_OK(Calls<T>::getrf_size(handle, m, n, a.device, a.lead, &count));
      Work<T> work(count);
      EXPECT_OK(Calls<T>::getrf(handle, m, n, a.device, a.lead, work.device,
                                with_pivots ? pivots.device : nullptr, info));
      EXPECT(info.value() == 0);
      if (with_pivots) EXPECT(pivots.from_device() == wanted.pivots);
      EXPECT(close(a.result(), wanted.factors, 64 * n * epsilon<T>() * (with_pivots ? 16 : 1)));
      const std::vector<T> got = a.from_device();
      results.insert(results.end(), got.begin(), got.end());

      Matrix<T> again(whole, 3);
      Array<std::int64_t> long_pivots(shorter);
      info.reset();
      std::size_t on_device = 0, on_host = 1;
      EXPECT_OK(cusolverDnXgetrf_bufferSize(handle, nullptr, m, n, Of<T>::type, again.device,
                                            again.lead, Of<T>::type, &on_device, &on_host));
      Array<char> bytes(on_device);
      EXPECT_OK(cusolverDnXgetrf(handle, nullptr, m, n, Of<T>::type, again.device, again.lead,
                                 with_pivots ? long_pivots.device : nullptr, Of<T>::type,
                                 bytes.device, on_device, nullptr, on_host, info));
      const std::vector<T> other = again.from_device();
      EXPECT(std::memcmp(other.data(), got.data(), got.size() * sizeof(T)) == 0);
      if (m != n) continue;

      for (const cublasOperation_t operation : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C})
        for (const int width : {1, 5}) {
          const Reference x = random_matrix<T>(n, width);
          const Reference op = operation == CUBLAS_OP_N   ? whole
                               : operation == CUBLAS_OP_T ? whole.transposed()
                                                          : whole.adjoint();
          const Reference right = op * x;
          for (const bool is_long : {false, true}) {
            Matrix<T> b(right, 1);
            info.reset();
            if (is_long)
              EXPECT_OK(cusolverDnXgetrs(
                  handle, nullptr, operation, n, width, Of<T>::type, again.device, again.lead,
                  with_pivots ? long_pivots.device : nullptr, Of<T>::type, b.device, b.lead, info));
            else
              EXPECT_OK(Calls<T>::getrs(handle, operation, n, width, a.device, a.lead,
                                        with_pivots ? pivots.device : nullptr, b.device, b.lead,
                                        info));
            EXPECT(info.value() == 0);
            // The residual, which does not depend on the matrix' condition.
            EXPECT(close(op * b.result(), right,
                         256 * n * epsilon<T>() * std::max(1.0L, largest(b.result()))));
          }
        }
    }
  // Singular: the first diagonal element that is 0 is named, exactly, and the others are done.
  for (const int n : {2, 40, 70})
    for (const int zero : {1, n / 2 + 1, n}) {
      Reference whole(n, n);
      for (int i = 0; i < n; ++i) whole(i, i) = i + 1 == zero ? 0 : 2 + i;
      for (int i = 0; i + 1 < n; ++i) whole(i, i + 1) = 1;
      Matrix<T> a(whole, 0);
      Array<int> pivots(n);
      Info info;
      Work<T> work(1);
      EXPECT_OK(Calls<T>::getrf(handle, n, n, a.device, a.lead, work.device, pivots.device, info));
      EXPECT(info.value() == zero);
      EXPECT(close(a.result(), whole, 0));
    }
}

template <typename T>
void check_exchanges(cusolverDnHandle_t handle) {
  const int n = 9, rows = 13, first = 3, last = 11;
  for (const int step : {1, 2, -1, -3}) {
    Reference whole = random_matrix<T>(rows, n);
    Matrix<T> a(whole, 1);
    const int distance = std::abs(step);
    Array<int> pivots(first + (last - first) * distance);
    pivots.fill(-5);
    for (int i = first; i <= last; ++i)
      pivots.host[first - 1 + (i - first) * distance] = 1 + (i * 7) % rows;
    pivots.to_device();
    EXPECT_OK(Calls<T>::laswp(handle, n, a.device, a.lead, first, last, pivots.device, step));
    for (int k = first; k <= last; ++k) {
      const int i = step > 0 ? k : first + last - k;
      for (int j = 0; j < n; ++j) std::swap(whole(i - 1, j), whole((i * 7) % rows, j));
    }
    EXPECT(close(a.result(), whole, 0));
  }
}

template <typename T>
void check_triangles(cusolverDnHandle_t handle) {
  for (const cublasFillMode_t fill : fills)
    for (const cublasDiagType_t diagonal : {CUBLAS_DIAG_UNIT, CUBLAS_DIAG_NON_UNIT})
      for (const int n : {1, 2, 67}) {
        const bool is_unit = diagonal == CUBLAS_DIAG_UNIT;
        Reference whole = random_matrix<T>(n, n), triangle(n, n);
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < n; ++i) {
            whole(i, j) =
                wide(Of<T>::number(i == j ? whole(i, j) + Long(3) : whole(i, j) / Long(n)));
            if (is_in(fill, i, j)) triangle(i, j) = i == j && is_unit ? 1 : whole(i, j);
          }
        Matrix<T> a(whole, 1);
        if (is_unit)
          for (int i = 0; i < n; ++i) a.at(i, i) = poison<T>();
        poison_other(a, fill);
        Info info;
        std::size_t bytes = 0, on_host = 1;
        EXPECT_OK(cusolverDnXtrtri_bufferSize(handle, fill, diagonal, n, Of<T>::type, a.device,
                                              a.lead, &bytes, &on_host));
        Array<char> work(bytes);
        EXPECT_OK(cusolverDnXtrtri(handle, fill, diagonal, n, Of<T>::type, a.device, a.lead,
                                   work.device, bytes, nullptr, on_host, info));
        EXPECT(info.value() == 0);
        EXPECT(keeps_other(a, fill));
        EXPECT(close(a.result(), solved(triangle, identity(n)), 64 * n * epsilon<T>(),
                     [&](int i, int j) { return is_in(fill, i, j) && (i != j || !is_unit); }));
        EXPECT(cusolverDnXtrtri(handle, fill, diagonal, n, Of<T>::type, a.device, a.lead,
                                work.device, bytes - 1, nullptr, on_host,
                                info) == CUSOLVER_STATUS_INVALID_VALUE);
        if (is_unit) continue;
        a.at(n / 2, n / 2) = Of<T>::number(0);
        a.to_device();
        EXPECT_OK(cusolverDnXtrtri(handle, fill, diagonal, n, Of<T>::type, a.device, a.lead,
                                   work.device, bytes, nullptr, on_host, info));
        EXPECT(info.value() == n / 2 + 1);
      }
}

template <typename T>
void check_bad_input(cusolverDnHandle_t handle) {
  Array<T> a(16);
  Array<int> info(1), pivots(4);
  const auto invalid = CUSOLVER_STATUS_INVALID_VALUE;
  const auto low = CUBLAS_FILL_MODE_LOWER;
  const cusolverDnHandle_t stranger = reinterpret_cast<cusolverDnHandle_t>(&a);
  for (const cusolverDnHandle_t none : {cusolverDnHandle_t{}, stranger}) {
    const auto dead = CUSOLVER_STATUS_NOT_INITIALIZED;
    int count = 0;
    EXPECT(Calls<T>::potrf_size(none, low, -1, a.device, 0, &count) == dead);
    EXPECT(Calls<T>::potrf(none, low, -1, a.device, 4, a.device, 16, info.device) == dead);
    EXPECT(Calls<T>::getrf(none, 4, 4, a.device, 4, a.device, pivots.device, info.device) == dead);
    EXPECT(cusolverDnXgetrf(none, nullptr, 4, 4, Of<T>::type, a.device, 4, nullptr, Of<T>::type,
                            nullptr, 0, nullptr, 0, info.device) == dead);
  }
  int count = 0;
  EXPECT(Calls<T>::potrf_size(handle, CUBLAS_FILL_MODE_FULL, 4, a.device, 4, &count) == invalid);
  EXPECT(Calls<T>::potrf_size(handle, low, -1, a.device, 4, &count) == invalid);
  EXPECT(Calls<T>::potrf_size(handle, low, 4, a.device, 3, &count) == invalid);
  EXPECT(Calls<T>::potrf_size(handle, low, 4, a.device, 4, nullptr) == invalid);
  EXPECT_OK(Calls<T>::potrf_size(handle, low, 4, a.device, 4, &count));
  Array<T> work(count);
  const auto potrf = [&](cublasFillMode_t fill, int n, T* at, int lead, int room, int* to) {
    return Calls<T>::potrf(handle, fill, n, at, lead, work.device, room, to);
  };
  EXPECT(potrf(CUBLAS_FILL_MODE_FULL, 4, a.device, 4, count, info.device) == invalid);
  EXPECT(potrf(low, -4, a.device, 4, count, info.device) == invalid);
  EXPECT(potrf(low, 4, nullptr, 4, count, info.device) == invalid);
  EXPECT(potrf(low, 4, a.device, 3, count, info.device) == invalid);
  EXPECT(potrf(low, 4, a.device, 4, count - 1, info.device) == invalid);
  EXPECT(potrf(low, 4, a.device, 4, -1, info.device) == invalid);
  EXPECT(potrf(low, 4, a.device, 4, count, nullptr) == invalid);
  EXPECT_OK(potrf(low, 0, nullptr, 1, count, info.device));
  EXPECT(info.from_device()[0] == 0);
  const auto getrf = [&](int m, int n, T* at, int lead, int* to) {
    return Calls<T>::getrf(handle, m, n, at, lead, work.device, pivots.device, to);
  };
  EXPECT(getrf(-1, 4, a.device, 4, info.device) == invalid);
  EXPECT(getrf(4, -1, a.device, 4, info.device) == invalid);
  EXPECT(getrf(4, 4, a.device, 3, info.device) == invalid);
  EXPECT(getrf(4, 4, nullptr, 4, info.device) == invalid);
  EXPECT(getrf(4, 4, a.device, 4, nullptr) == invalid);
  EXPECT_OK(getrf(0, 4, a.device, 1, info.device));
  const auto getrs = [&](cublasOperation_t operation, int n, int width, int lead, int lead_b) {
    return Calls<T>::getrs(handle, operation, n, width, a.device, lead, pivots.device, a.device,
                           lead_b, info.device);
  };
  EXPECT(getrs(static_cast<cublasOperation_t>(9), 2, 1, 2, 2) == invalid);
  EXPECT(getrs(CUBLAS_OP_N, -2, 1, 2, 2) == invalid);
  EXPECT(getrs(CUBLAS_OP_N, 2, -1, 2, 2) == invalid);
  EXPECT(getrs(CUBLAS_OP_N, 2, 1, 1, 2) == invalid);
  EXPECT(getrs(CUBLAS_OP_N, 2, 1, 2, 1) == invalid);
  EXPECT(cusolverDnXpotrf(handle, nullptr, low, 4, CUDA_R_16F, a.device, 4, CUDA_R_16F, work.device,
                          1 << 20, nullptr, 0, info.device) == CUSOLVER_STATUS_NOT_SUPPORTED);
  EXPECT(cusolverDnXpotrf(handle, nullptr, low, 4, CUDA_R_64F, a.device, 4, CUDA_R_32F, work.device,
                          1 << 20, nullptr, 0, info.device) == invalid);
}

/// A factorisation and a solution in a graph, launched twice.
template <typename T>
void check_captured(cusolverDnHandle_t handle) {
  const int n = 70;
  const Reference whole = positive_definite<T>(n), wanted = random_matrix<T>(n, 2);
  Matrix<T> a(whole), b(whole * wanted);
  Matrix<T> a_copy(n, n), b_copy(n, 2);
  Info info;
  int count = 0;
  EXPECT_OK(Calls<T>::potrf_size(handle, CUBLAS_FILL_MODE_LOWER, n, a.device, a.lead, &count));
  Work<T> work(count);
  cudaStream_t stream, before;
  EXPECT(cudaStreamCreate(&stream) == cudaSuccess);
  EXPECT_OK(cusolverDnGetStream(handle, &before));
  EXPECT_OK(cusolverDnSetStream(handle, stream));
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  EXPECT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  cudaMemcpyAsync(a_copy.device, a.device, a.host.size() * sizeof(T), cudaMemcpyDeviceToDevice,
                  stream);
  cudaMemcpyAsync(b_copy.device, b.device, b.host.size() * sizeof(T), cudaMemcpyDeviceToDevice,
                  stream);
  EXPECT_OK(Calls<T>::potrf(handle, CUBLAS_FILL_MODE_LOWER, n, a_copy.device, a.lead, work.device,
                            count, info));
  EXPECT_OK(Calls<T>::potrs(handle, CUBLAS_FILL_MODE_LOWER, n, 2, a_copy.device, a.lead,
                            b_copy.device, b.lead, info));
  EXPECT(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  EXPECT(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  for (int round = 0; round < 2; ++round) {
    b_copy.to_device();
    EXPECT(cudaGraphLaunch(executable, stream) == cudaSuccess);
    EXPECT(cudaStreamSynchronize(stream) == cudaSuccess);
    EXPECT(close(b_copy.result(), wanted, 64 * n * epsilon<T>()));
  }
  EXPECT(cudaGraphExecDestroy(executable) == cudaSuccess);
  EXPECT(cudaGraphDestroy(graph) == cudaSuccess);
  EXPECT_OK(cusolverDnSetStream(handle, before));
  EXPECT(cudaStreamDestroy(stream) == cudaSuccess);
}

template <typename T>
void check_all(cusolverDnHandle_t handle, const char* name) {
  std::vector<T> results;
  check_cholesky<T>(handle, results);
  check_cholesky_batched<T>(handle, results);
  check_lu<T>(handle, results);
  check_exchanges<T>(handle);
  check_triangles<T>(handle);
  check_bad_input<T>(handle);
  check_captured<T>(handle);
  print_bits(name, results);
}

/// The comparison notices a factor that is slightly wrong.
void check_check() {
  const Reference l = plain_cholesky(positive_definite<double>(20));
  Reference broken = l;
  broken(13, 7) *= 1 + 1e-12L;
  broken(13, 7) += 1e-12L;
  const int before = wrong;
  std::printf("a broken twin:\n");
  EXPECT(close(l, l, 8 * 20 * epsilon<double>()));
  EXPECT(!close(broken, l, 8 * 20 * epsilon<double>()));
  EXPECT(wrong == before);
}

}  // namespace

int main() {
  cusolverDnHandle_t handle;
  EXPECT_OK(cusolverDnCreate(&handle));
  check_check();
  check_all<float>(handle, "S");
  if (!has_few()) check_all<double>(handle, "D");
  if (!has_few()) check_all<cuComplex>(handle, "C");
  check_all<cuDoubleComplex>(handle, "Z");
  EXPECT_OK(cusolverDnDestroy(handle));
  return finish();
}
