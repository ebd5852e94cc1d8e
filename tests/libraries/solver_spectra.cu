// cuSOLVER: eigenvalues and singular values against Jacobi's methods in long double; vectors by
// what they must be: orthogonal, and factors of the matrix. SPDX-License-Identifier: Apache-2.0
// WITH LLVM-exception
#include "solver_check.h"

#include <tuple>

namespace {

template <typename T>
struct Calls;
#define CALLS(letter, T, evd, evj, gvd, gvj, evdx, gvdx)                                    \
  template <>                                                                               \
  struct Calls<T> {                                                                         \
    static constexpr auto evd_size = cusolverDn##letter##evd##_bufferSize;                  \
    static constexpr auto solve = cusolverDn##letter##evd;                                  \
    static constexpr auto evj_size = cusolverDn##letter##evj##_bufferSize;                  \
    static constexpr auto jacobi = cusolverDn##letter##evj;                                 \
    static constexpr auto batched_size = cusolverDn##letter##evj##Batched_bufferSize;       \
    static constexpr auto batched = cusolverDn##letter##evj##Batched;                       \
    static constexpr auto gvd_size = cusolverDn##letter##gvd##_bufferSize;                  \
    static constexpr auto pencil = cusolverDn##letter##gvd;                                 \
    static constexpr auto gvj_size = cusolverDn##letter##gvj##_bufferSize;                  \
    static constexpr auto pencil_jacobi = cusolverDn##letter##gvj;                          \
    static constexpr auto evdx_size = cusolverDn##letter##evdx##_bufferSize;                \
    static constexpr auto selected = cusolverDn##letter##evdx;                              \
    static constexpr auto gvdx_size = cusolverDn##letter##gvdx##_bufferSize;                \
    static constexpr auto selected_pencil = cusolverDn##letter##gvdx;                       \
    static constexpr auto svd_size = cusolverDn##letter##gesvd_bufferSize;                  \
    static constexpr auto svd = cusolverDn##letter##gesvd;                                  \
    static constexpr auto svdj_size = cusolverDn##letter##gesvdj_bufferSize;                \
    static constexpr auto svdj = cusolverDn##letter##gesvdj;                                \
    static constexpr auto svdj_batched_size = cusolverDn##letter##gesvdjBatched_bufferSize; \
    static constexpr auto svdj_batched = cusolverDn##letter##gesvdjBatched;                 \
    static constexpr auto svda_size = cusolverDn##letter##gesvdaStridedBatched_bufferSize;  \
    static constexpr auto svda = cusolverDn##letter##gesvdaStridedBatched;                  \
  };
CALLS(S, float, syevd, syevj, sygvd, sygvj, syevdx, sygvdx)
CALLS(D, double, syevd, syevj, sygvd, sygvj, syevdx, sygvdx)
CALLS(C, cuComplex, heevd, heevj, hegvd, hegvj, heevdx, hegvdx)
CALLS(Z, cuDoubleComplex, heevd, heevj, hegvd, hegvj, heevdx, hegvdx)

/// Norms of the columns once they are orthogonal, descending: one-sided Jacobi.
std::vector<long double> plain_singular(Reference a) {
  if (a.rows < a.columns) a = a.adjoint();
  for (int sweep = 0; sweep < 60; ++sweep) {
    long double worst = 0;
    for (int p = 0; p < a.columns; ++p)
      for (int q = p + 1; q < a.columns; ++q) {
        long double alpha = 0, beta = 0;
        Long gamma = 0;
        for (int i = 0; i < a.rows; ++i) {
          alpha += std::norm(a(i, p));
          beta += std::norm(a(i, q));
          gamma += std::conj(a(i, p)) * a(i, q);
        }
        const long double size = std::abs(gamma);
        if (size <= 1e-19L * std::sqrt(alpha * beta) || size == 0) continue;
        worst = std::max(worst, size / std::sqrt(alpha * beta));
        const Long phase = gamma / size;
        const long double zeta = (beta - alpha) / (2 * size);
        const long double t = (zeta >= 0 ? 1 : -1) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
        const long double c = 1 / std::sqrt(1 + t * t), s = c * t;
        for (int i = 0; i < a.rows; ++i) {
          const Long x = a(i, p), y = a(i, q) * std::conj(phase);
          a(i, p) = c * x - s * y;
          a(i, q) = s * x + c * y;
        }
      }
    if (worst < 1e-18L) break;
  }
  std::vector<long double> values;
  for (int j = 0; j < a.columns; ++j) {
    long double sum = 0;
    for (int i = 0; i < a.rows; ++i) sum += std::norm(a(i, j));
    values.push_back(std::sqrt(sum));
  }
  std::sort(values.rbegin(), values.rend());
  return values;
}

/// Of a Hermitian matrix, ascending: those of a shifted, positive one are its singular values.
std::vector<long double> plain_eigenvalues(Reference a) {
  long double shift = 0;
  for (int i = 0; i < a.rows; ++i) {
    long double row = 0;
    for (int j = 0; j < a.rows; ++j) row += std::abs(a(i, j));
    shift = std::max(shift, row);
  }
  for (int i = 0; i < a.rows; ++i) a(i, i) += shift;
  std::vector<long double> values = plain_singular(a);
  for (long double& x : values) x -= shift;
  std::sort(values.begin(), values.end());
  return values;
}

bool close_values(const Reference& got, const std::vector<long double>& wanted,
                  long double tolerance) {
  Reference values(static_cast<int>(wanted.size()), 1);
  for (std::size_t i = 0; i < wanted.size(); ++i) values(static_cast<int>(i), 0) = wanted[i];
  return close(got, values, tolerance);
}
Reference diagonal(const Reference& values, int rows, int columns) {
  Reference result(rows, columns);
  for (int i = 0; i < std::min({rows, columns, values.rows}); ++i) result(i, i) = values(i, 0);
  return result;
}
bool is_orthogonal(const Reference& q, long double tolerance) {
  return close(q.adjoint() * q, identity(q.columns), tolerance);
}

/// Matrices that are hard in some way, and random ones.
template <typename T>
std::vector<Reference> hermitian_matrices(int n) {
  std::vector<Reference> result = {random_hermitian<T>(n), Reference(n, n), identity(n)};
  Reference ones(n, n), clustered = identity(n), graded(n, n);
  for (Long& x : ones.values) x = 1;
  for (int i = 0; i + 1 < n; i += 2) clustered(i, i + 1) = clustered(i + 1, i) = 0.5L;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      graded(i, j) = std::abs(i - j) <= 1 ? std::ldexp(1.0L, -std::max(i, j)) : 0;
  for (Long& x : graded.values) x = wide(Of<T>::number(x));
  result.push_back(ones);
  result.push_back(clustered);
  result.push_back(graded);
  return result;
}

template <typename T>
void check_eigenvalues(cusolverDnHandle_t handle, std::vector<T>& results) {
  using R = RealOf<T>;
  syevjInfo_t parameters;
  EXPECT_OK(cusolverDnCreateSyevjInfo(&parameters));
  int round = 0;
  for (const int n : {1, 2, 3, 17, 33, 67, 101})
    for (const Reference& whole :
         n == 33 || n == 3 ? hermitian_matrices<T>(n) : std::vector{random_hermitian<T>(n)}) {
      const std::vector<long double> wanted = plain_eigenvalues(whole);
      const long double tolerance = 8 * n * epsilon<T>() * std::max(1.0L, largest(whole));
      for (const cublasFillMode_t fill : fills) {
        for (const auto job : {CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_EIG_MODE_VECTOR})
          for (const int form : {0, 1, 2}) {  // syevd, syevj, Xsyevd
            // Of large matrices some of the combinations, another one each time.
            if (n > 17 && ++round % 5 != 0) continue;
            Matrix<T> a(whole, 3);
            poison_other(a, fill);
            Matrix<R> w(n, 1, 0);
            Info info;
            int count = -1;
            if (form == 0) {
              EXPECT_OK(
                  Calls<T>::evd_size(handle, job, fill, n, a.device, a.lead, w.device, &count));
              Work<T> work(count);
              EXPECT_OK(Calls<T>::solve(handle, job, fill, n, a.device, a.lead, w.device,
                                        work.device, count, info));
            } else if (form == 1) {
              EXPECT_OK(Calls<T>::evj_size(handle, job, fill, n, a.device, a.lead, w.device, &count,
                                           parameters));
              Work<T> work(count);
              EXPECT_OK(Calls<T>::jacobi(handle, job, fill, n, a.device, a.lead, w.device,
                                         work.device, count, info, parameters));
              double residual = -1;
              int sweeps = -1;
              EXPECT_OK(cusolverDnXsyevjGetResidual(handle, parameters, &residual));
              EXPECT_OK(cusolverDnXsyevjGetSweeps(handle, parameters, &sweeps));
              EXPECT(residual >= 0 && residual <= tolerance);
              EXPECT(sweeps >= 0 && sweeps <= 30);
            } else {
              std::size_t on_device = 0, on_host = 1;
              EXPECT_OK(cusolverDnXsyevd_bufferSize(handle, nullptr, job, fill, n, Of<T>::type,
                                                    a.device, a.lead, Of<T>::real_type, w.device,
                                                    Of<T>::type, &on_device, &on_host));
              Array<char> bytes(on_device);
              EXPECT_OK(cusolverDnXsyevd(handle, nullptr, job, fill, n, Of<T>::type, a.device,
                                         a.lead, Of<T>::real_type, w.device, Of<T>::type,
                                         bytes.device, on_device, nullptr, on_host, info));
            }
            EXPECT(info.value() == 0);
            const Reference values = w.result();
            EXPECT(close_values(values, wanted, tolerance));
            if (job == CUSOLVER_EIG_MODE_NOVECTOR) {
              EXPECT(keeps_other(a, fill));
              continue;
            }
            const Reference v = a.result();
            EXPECT(is_orthogonal(v, 8 * n * epsilon<T>()));
            EXPECT(close(whole * v, v * diagonal(values, n, n), 2 * tolerance));
            const std::vector<T> got = a.from_device();
            results.insert(results.end(), got.begin(), got.end());
          }
      }
    }
  EXPECT_OK(cusolverDnDestroySyevjInfo(parameters));
}

template <typename T>
void check_batches(cusolverDnHandle_t handle) {
  using R = RealOf<T>;
  syevjInfo_t parameters;
  EXPECT_OK(cusolverDnCreateSyevjInfo(&parameters));
  const int n = 9, count = 4;
  for (const cublasFillMode_t fill : fills) {
    Reference all(n, n * count);
    std::vector<Reference> wholes;
    for (int z = 0; z < count; ++z) {
      wholes.push_back(random_hermitian<T>(n));
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) all(i, j + z * n) = wholes[z](i, j);
    }
    Matrix<T> a(all, 2);
    Matrix<R> w(n, count, 0);
    Array<int> infos(count);
    infos.fill(-77);
    infos.to_device();
    int room = 0;
    EXPECT_OK(Calls<T>::batched_size(handle, CUSOLVER_EIG_MODE_VECTOR, fill, n, a.device, a.lead,
                                     w.device, &room, parameters, count));
    Work<T> work(room);
    EXPECT_OK(Calls<T>::batched(handle, CUSOLVER_EIG_MODE_VECTOR, fill, n, a.device, a.lead,
                                w.device, work.device, room, infos.device, parameters, count));
    const Reference vectors = a.result(), values = w.result();
    Matrix<T> again(all, 2);
    std::size_t bytes = 0, on_host = 1;
    EXPECT_OK(cusolverDnXsyevBatched_bufferSize(
        handle, nullptr, CUSOLVER_EIG_MODE_VECTOR, fill, n, Of<T>::type, again.device, again.lead,
        Of<T>::real_type, w.device, Of<T>::type, &bytes, &on_host, count));
    Array<char> long_work(bytes);
    EXPECT_OK(cusolverDnXsyevBatched(handle, nullptr, CUSOLVER_EIG_MODE_VECTOR, fill, n,
                                     Of<T>::type, again.device, again.lead, Of<T>::real_type,
                                     w.device, Of<T>::type, long_work.device, bytes, nullptr,
                                     on_host, infos.device, count));
    EXPECT(close(again.result(), vectors, 0));
    int sweeps = 0;
    EXPECT(cusolverDnXsyevjGetSweeps(handle, parameters, &sweeps) == CUSOLVER_STATUS_NOT_SUPPORTED);
    for (int z = 0; z < count; ++z) {
      EXPECT(infos.from_device()[z] == 0);
      Reference v(n, n), own(n, 1);
      for (int j = 0; j < n; ++j) {
        own(j, 0) = values(j, z);
        for (int i = 0; i < n; ++i) v(i, j) = vectors(i, j + z * n);
      }
      EXPECT(close_values(own, plain_eigenvalues(wholes[z]), 16 * n * epsilon<T>()));
      EXPECT(is_orthogonal(v, 8 * n * epsilon<T>()));
      EXPECT(close(wholes[z] * v, v * diagonal(own, n, n), 32 * n * epsilon<T>()));
    }
  }
  EXPECT_OK(cusolverDnDestroySyevjInfo(parameters));
}

/// Some of the eigenvalues are some of all of them, and so are the vectors.
template <typename T>
void check_selected(cusolverDnHandle_t handle) {
  using R = RealOf<T>;
  const int n = 19;
  const auto job = CUSOLVER_EIG_MODE_VECTOR;
  for (const cublasFillMode_t fill : fills)
    for (const bool is_pencil : {false, true}) {
      const Reference first = random_hermitian<T>(n), second = positive_definite<T>(n);
      Reference all_values(n, 1), all_vectors(n, n);
      const auto run = [&](cusolverEigRange_t range, R low, R high, int il, int iu, int wanted,
                           int form) {
        Matrix<T> a(first, 2), b(second, 1);
        Matrix<R> w(n, 1, 0);
        Info info;
        int count = 0, found = -1;
        if (form == 2) {
          std::size_t bytes = 0, on_host = 0;
          std::int64_t long_found = -1;
          EXPECT_OK(cusolverDnXsyevdx_bufferSize(
              handle, nullptr, job, range, fill, n, Of<T>::type, a.device, a.lead, &low, &high, il,
              iu, &long_found, Of<T>::real_type, w.device, Of<T>::type, &bytes, &on_host));
          Array<char> work(bytes);
          EXPECT_OK(cusolverDnXsyevdx(handle, nullptr, job, range, fill, n, Of<T>::type, a.device,
                                      a.lead, &low, &high, il, iu, &long_found, Of<T>::real_type,
                                      w.device, Of<T>::type, work.device, bytes, nullptr, on_host,
                                      info));
          found = static_cast<int>(long_found);
        } else if (is_pencil) {
          EXPECT_OK(Calls<T>::gvdx_size(handle, CUSOLVER_EIG_TYPE_1, job, range, fill, n, a.device,
                                        a.lead, b.device, b.lead, low, high, il, iu, &found,
                                        w.device, &count));
          Work<T> work(count);
          EXPECT_OK(Calls<T>::selected_pencil(handle, CUSOLVER_EIG_TYPE_1, job, range, fill, n,
                                              a.device, a.lead, b.device, b.lead, low, high, il, iu,
                                              &found, w.device, work.device, count, info));
        } else {
          EXPECT_OK(Calls<T>::evdx_size(handle, job, range, fill, n, a.device, a.lead, low, high,
                                        il, iu, &found, w.device, &count));
          Work<T> work(count);
          EXPECT_OK(Calls<T>::selected(handle, job, range, fill, n, a.device, a.lead, low, high, il,
                                       iu, &found, w.device, work.device, count, info));
        }
        EXPECT(info.value() == 0);
        EXPECT(found == wanted);
        const Reference values = w.result(), vectors = a.result();
        if (range == CUSOLVER_EIG_RANGE_ALL) {
          all_values = values;
          all_vectors = vectors;
        }
        for (int j = 0; j < wanted; ++j) {
          EXPECT(values(j, 0) == all_values(il - 1 + j, 0));
          for (int i = 0; i < n; ++i) EXPECT(vectors(i, j) == all_vectors(i, il - 1 + j));
        }
      };
      for (const int form : {0, 2}) {
        if (is_pencil && form == 2) continue;
        run(CUSOLVER_EIG_RANGE_ALL, 0, 0, 1, n, n, form);
        run(CUSOLVER_EIG_RANGE_I, 0, 0, 4, 11, 8, form);
        run(CUSOLVER_EIG_RANGE_I, 0, 0, n, n, 1, form);
        // Half open: the lower bound is outside, the upper one inside.
        run(CUSOLVER_EIG_RANGE_V, static_cast<R>(all_values(2, 0).real()),
            static_cast<R>(all_values(6, 0).real()), 4, 7, 4, form);
        run(CUSOLVER_EIG_RANGE_V, 1000, 2000, 1, n, 0, form);
      }
    }
  Array<T> a(16), work(20000);
  Array<R> w(4);
  Array<int> info(1);
  int found = 0;
  const auto bad = [&](cusolverEigRange_t range, R low, R high, int il, int iu, int* count) {
    return Calls<T>::selected(handle, job, range, CUBLAS_FILL_MODE_LOWER, 4, a.device, 4, low, high,
                              il, iu, count, w.device, work.device, 20000, info.device);
  };
  EXPECT(bad(static_cast<cusolverEigRange_t>(3), 0, 1, 1, 2, &found) ==
         CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT(bad(CUSOLVER_EIG_RANGE_V, 1, 1, 1, 2, &found) == CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT(bad(CUSOLVER_EIG_RANGE_I, 0, 1, 0, 2, &found) == CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT(bad(CUSOLVER_EIG_RANGE_I, 0, 1, 3, 2, &found) == CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT(bad(CUSOLVER_EIG_RANGE_I, 0, 1, 1, 5, &found) == CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT(bad(CUSOLVER_EIG_RANGE_ALL, 0, 1, 1, 2, nullptr) == CUSOLVER_STATUS_INVALID_VALUE);
}

template <typename T>
void check_pencils(cusolverDnHandle_t handle) {
  using R = RealOf<T>;
  syevjInfo_t parameters;
  EXPECT_OK(cusolverDnCreateSyevjInfo(&parameters));
  for (const int n : {1, 2, 19, 67})
    for (const cublasFillMode_t fill : fills)
      for (const auto type : {CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_TYPE_2, CUSOLVER_EIG_TYPE_3})
        for (const bool is_jacobi : {false, true}) {
          if (n == 67 && is_jacobi) continue;
          const Reference first = random_hermitian<T>(n), second = positive_definite<T>(n);
          Matrix<T> a(first, 1), b(second, 2);
          poison_other(a, fill);
          poison_other(b, fill);
          Matrix<R> w(n, 1, 0);
          Info info;
          int count = 0;
          const auto job = CUSOLVER_EIG_MODE_VECTOR;
          if (is_jacobi) {
            EXPECT_OK(Calls<T>::gvj_size(handle, type, job, fill, n, a.device, a.lead, b.device,
                                         b.lead, w.device, &count, parameters));
            Work<T> work(count);
            EXPECT_OK(Calls<T>::pencil_jacobi(handle, type, job, fill, n, a.device, a.lead,
                                              b.device, b.lead, w.device, work.device, count, info,
                                              parameters));
          } else {
            EXPECT_OK(Calls<T>::gvd_size(handle, type, job, fill, n, a.device, a.lead, b.device,
                                         b.lead, w.device, &count));
            Work<T> work(count);
            EXPECT_OK(Calls<T>::pencil(handle, type, job, fill, n, a.device, a.lead, b.device,
                                       b.lead, w.device, work.device, count, info));
          }
          EXPECT(info.value() == 0);
          EXPECT(keeps_other(b, fill));
          const Reference x = a.result(), values = diagonal(w.result(), n, n);
          for (int i = 0; i + 1 < n; ++i)
            EXPECT(values(i, i).real() <= values(i + 1, i + 1).real());
          const long double tolerance = 64 * n * epsilon<T>() * largest(second);
          if (type == CUSOLVER_EIG_TYPE_1) {
            EXPECT(close(first * x, second * x * values, tolerance));
            EXPECT(close(x.adjoint() * second * x, identity(n), tolerance));
          } else if (type == CUSOLVER_EIG_TYPE_2) {
            EXPECT(close(first * second * x, x * values, tolerance));
            EXPECT(close(x.adjoint() * second * x, identity(n), tolerance));
          } else {
            EXPECT(close(second * first * x, x * values, tolerance * largest(second)));
            EXPECT(close(x.adjoint() * solved(second, x), identity(n), tolerance));
          }
          if (n == 67) continue;
          // B is not positive definite from its last minor on.
          Reference indefinite = second;
          indefinite(n - 1, n - 1) = -1;
          Matrix<T> bad(indefinite, 2), other(first, 1);
          EXPECT_OK(Calls<T>::gvd_size(handle, type, job, fill, n, a.device, a.lead, b.device,
                                       b.lead, w.device, &count));
          Work<T> work(count);
          info.reset();
          EXPECT_OK(Calls<T>::pencil(handle, type, job, fill, n, other.device, other.lead,
                                     bad.device, bad.lead, w.device, work.device, count, info));
          EXPECT(info.value() == 2 * n);
        }
  EXPECT_OK(cusolverDnDestroySyevjInfo(parameters));
}

template <typename T>
std::vector<Reference> general_matrices(int m, int n) {
  std::vector<Reference> result = {random_matrix<T>(m, n)};
  if (m != 33 && m != 3) return result;
  Reference ones(m, n), holes = random_matrix<T>(m, n), superdiagonal(m, n);
  for (Long& x : ones.values) x = 1;
  for (int i = 0; i < m; ++i) holes(i, n / 2) = 0;
  for (int j = 1; j < n; ++j) superdiagonal(j - 1, j) = 1 + j % 3;
  result.push_back(Reference(m, n));
  result.push_back(ones);
  result.push_back(holes);
  result.push_back(superdiagonal);
  return result;
}

template <typename T>
void check_singular(cusolverDnHandle_t handle, std::vector<T>& results) {
  using R = RealOf<T>;
  int round = 0;
  for (const auto& [m, n] :
       {std::pair{1, 1}, {2, 2}, {3, 2}, {33, 33}, {33, 17}, {67, 40}, {101, 3}})
    for (const Reference& whole : general_matrices<T>(m, n)) {
      const std::vector<long double> wanted = plain_singular(whole);
      const long double unit = 16 * m * epsilon<T>();
      const long double tolerance = unit * std::max(1.0L, largest(whole));
      for (const auto& [job_u, job_vt] : {std::pair{'A', 'A'},
                                          {'S', 'S'},
                                          {'N', 'N'},
                                          {'O', 'A'},
                                          {'S', 'O'},
                                          {'N', 'A'},
                                          {'A', 'N'}})
        for (const bool is_wide : {false, true}) {
          if (is_wide && job_u != job_vt) continue;
          if (m > 3 && ++round % 3 != 0) continue;
          Matrix<T> a(whole, 3);
          const int columns = job_u == 'A' ? m : n;
          Matrix<T> u(m, columns, 1), vt(n, n, 2);
          Matrix<R> s(n, 1, 0);
          Info info;
          if (is_wide) {
            std::size_t on_device = 0, on_host = 1;
            EXPECT_OK(cusolverDnXgesvd_bufferSize(
                handle, nullptr, job_u, job_vt, m, n, Of<T>::type, a.device, a.lead,
                Of<T>::real_type, s.device, Of<T>::type, u.device, u.lead, Of<T>::type, vt.device,
                vt.lead, Of<T>::type, &on_device, &on_host));
            Array<char> bytes(on_device);
            EXPECT_OK(cusolverDnXgesvd(handle, nullptr, job_u, job_vt, m, n, Of<T>::type, a.device,
                                       a.lead, Of<T>::real_type, s.device, Of<T>::type, u.device,
                                       u.lead, Of<T>::type, vt.device, vt.lead, Of<T>::type,
                                       bytes.device, on_device, nullptr, on_host, info));
          } else {
            int count = -1;
            EXPECT_OK(Calls<T>::svd_size(handle, m, n, &count));
            Work<T> work(count);
            EXPECT_OK(Calls<T>::svd(handle, job_u, job_vt, m, n, a.device, a.lead, s.device,
                                    job_u == 'A' || job_u == 'S' ? u.device : nullptr, u.lead,
                                    job_vt == 'A' || job_vt == 'S' ? vt.device : nullptr, vt.lead,
                                    work.device, count, nullptr, info));
          }
          EXPECT(info.value() == 0);
          const Reference values = s.result();
          EXPECT(close_values(values, wanted, tolerance));
          const Reference left = job_u == 'O' ? a.result() : u.result();
          const Reference right = job_vt == 'O' ? a.result().corner(n, n) : vt.result();
          if (job_u != 'N') EXPECT(is_orthogonal(left, unit));
          if (job_vt != 'N') EXPECT(is_orthogonal(right.adjoint(), unit));
          if (job_u != 'N' && job_vt != 'N')
            EXPECT(close(left * diagonal(values, columns, n) * right, whole, tolerance));
          if (job_u == 'A') {
            const std::vector<T> got = u.from_device();
            results.insert(results.end(), got.begin(), got.end());
          }
        }
    }
}

template <typename T>
void check_singular_jacobi(cusolverDnHandle_t handle) {
  using R = RealOf<T>;
  gesvdjInfo_t parameters;
  EXPECT_OK(cusolverDnCreateGesvdjInfo(&parameters));
  for (const auto& [m, n] : {std::pair{1, 1}, {3, 2}, {2, 3}, {33, 17}, {17, 33}, {1, 5}})
    for (const int economic : {0, 1}) {
      const Reference whole = random_matrix<T>(m, n);
      const int k = std::min(m, n), longer = std::max(m, n);
      const long double unit = 16 * longer * epsilon<T>();
      Matrix<T> a(whole, 1), u(m, economic ? k : m, 2), v(n, economic ? k : n, 1);
      Matrix<R> s(k, 1, 0);
      Info info;
      int count = 0;
      const auto job = CUSOLVER_EIG_MODE_VECTOR;
      EXPECT_OK(Calls<T>::svdj_size(handle, job, economic, m, n, a.device, a.lead, s.device,
                                    u.device, u.lead, v.device, v.lead, &count, parameters));
      Work<T> work(count);
      EXPECT_OK(Calls<T>::svdj(handle, job, economic, m, n, a.device, a.lead, s.device, u.device,
                               u.lead, v.device, v.lead, work.device, count, info, parameters));
      EXPECT(info.value() == 0);
      // gesvdp: the same of 64-bit sizes.
      Matrix<T> again(whole, 1), left_again(m, economic ? k : m, 2),
          right_again(n, economic ? k : n, 1);
      std::size_t bytes = 0, on_host = 1;
      EXPECT_OK(cusolverDnXgesvdp_bufferSize(
          handle, nullptr, job, economic, m, n, Of<T>::type, again.device, again.lead,
          Of<T>::real_type, s.device, Of<T>::type, left_again.device, left_again.lead, Of<T>::type,
          right_again.device, right_again.lead, Of<T>::type, &bytes, &on_host));
      Array<char> room(bytes);
      double error = -1;
      info.reset();
      EXPECT_OK(cusolverDnXgesvdp(handle, nullptr, job, economic, m, n, Of<T>::type, again.device,
                                  again.lead, Of<T>::real_type, s.device, Of<T>::type,
                                  left_again.device, left_again.lead, Of<T>::type,
                                  right_again.device, right_again.lead, Of<T>::type, room.device,
                                  bytes, nullptr, on_host, info, &error));
      EXPECT(info.value() == 0 && error >= 0);
      EXPECT(close(left_again.result(), u.result(), 0));
      EXPECT(close(right_again.result(), v.result(), 0));
      double residual = -1;
      EXPECT_OK(cusolverDnXgesvdjGetResidual(handle, parameters, &residual));
      EXPECT(residual >= 0 && residual <= unit * 64);
      const Reference values = s.result(), left = u.result(), right = v.result();
      EXPECT(close_values(values, plain_singular(whole), unit));
      EXPECT(is_orthogonal(left, unit));
      EXPECT(is_orthogonal(right, unit));
      EXPECT(close(left * diagonal(values, left.columns, right.columns) * right.adjoint(), whole,
                   unit));
    }
  const int m = 7, n = 5, count = 3;
  Reference all = random_matrix<T>(m, n * count);
  Matrix<T> a(all, 2), u(m, m * count, 1), v(n, n * count, 1);
  Matrix<R> s(n, count, 0);
  Array<int> infos(count);
  int room = 0;
  const auto job = CUSOLVER_EIG_MODE_VECTOR;
  EXPECT_OK(Calls<T>::svdj_batched_size(handle, job, m, n, a.device, a.lead, s.device, u.device,
                                        u.lead, v.device, v.lead, &room, parameters, count));
  Work<T> work(room);
  EXPECT_OK(Calls<T>::svdj_batched(handle, job, m, n, a.device, a.lead, s.device, u.device, u.lead,
                                   v.device, v.lead, work.device, room, infos.device, parameters,
                                   count));
  const Reference us = u.result(), vs = v.result(), values = s.result();
  for (int z = 0; z < count; ++z) {
    EXPECT(infos.from_device()[z] == 0);
    Reference one(m, n), left(m, m), right(n, n), own(n, 1);
    for (int j = 0; j < n; ++j) {
      own(j, 0) = values(j, z);
      for (int i = 0; i < m; ++i) one(i, j) = all(i, j + z * n);
      for (int i = 0; i < n; ++i) right(i, j) = vs(i, j + z * n);
    }
    for (int j = 0; j < m; ++j)
      for (int i = 0; i < m; ++i) left(i, j) = us(i, j + z * m);
    EXPECT(is_orthogonal(left, 128 * epsilon<T>()));
    EXPECT(close(left * diagonal(own, m, n) * right.adjoint(), one, 128 * epsilon<T>()));
  }
  EXPECT_OK(cusolverDnDestroyGesvdjInfo(parameters));
}

/// The largest values of each of a batch: what is left of the matrix is known.
template <typename T>
void check_largest(cusolverDnHandle_t handle) {
  using R = RealOf<T>;
  const auto job = CUSOLVER_EIG_MODE_VECTOR;
  for (const auto& [m, n, rank] : {std::tuple{31, 5, 5}, {31, 5, 3}, {4, 9, 2}, {1, 1, 1}}) {
    const int count = 3, k = std::min(m, n);
    const long double unit = 64 * std::max(m, n) * epsilon<T>();
    const Reference all = random_matrix<T>(m, n * count);
    Matrix<T> a(all, 2), u(m, rank * count, 1), v(n, rank * count, 2);
    Matrix<R> s(rank, count, 1);
    Array<int> infos(count);
    infos.fill(-77);
    infos.to_device();
    int room = 0;
    double residuals[count];
    EXPECT_OK(Calls<T>::svda_size(handle, job, rank, m, n, a.device, a.lead, a.lead * n, s.device,
                                  s.lead, u.device, u.lead, u.lead * rank, v.device, v.lead,
                                  v.lead * rank, &room, count));
    Work<T> work(room);
    EXPECT_OK(Calls<T>::svda(handle, job, rank, m, n, a.device, a.lead, a.lead * n, s.device,
                             s.lead, u.device, u.lead, u.lead * rank, v.device, v.lead,
                             v.lead * rank, work.device, room, infos.device, residuals, count));
    EXPECT(close(a.result(), all, 0));
    const Reference us = u.result(), vs = v.result(), values = s.result();
    for (int z = 0; z < count; ++z) {
      EXPECT(infos.from_device()[z] == 0);
      Reference one(m, n), left(m, rank), right(n, rank), own(rank, 1);
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) one(i, j) = all(i, j + z * n);
      for (int j = 0; j < rank; ++j) {
        own(j, 0) = values(j, z);
        for (int i = 0; i < m; ++i) left(i, j) = us(i, j + z * rank);
        for (int i = 0; i < n; ++i) right(i, j) = vs(i, j + z * rank);
      }
      std::vector<long double> wanted = plain_singular(one);
      long double rest = 0;
      for (int i = rank; i < k; ++i) rest += wanted[i] * wanted[i];
      wanted.resize(rank);
      EXPECT(close_values(own, wanted, unit));
      EXPECT(is_orthogonal(left, unit));
      EXPECT(is_orthogonal(right, unit));
      Reference difference = left * diagonal(own, rank, rank) * right.adjoint();
      long double squares = 0;
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i) squares += std::norm(difference(i, j) - one(i, j));
      EXPECT(std::abs(std::sqrt(squares) - std::sqrt(rest)) <= 4 * unit);
      EXPECT(std::abs(residuals[z] - std::sqrt(rest)) <= 4 * unit);
    }
    EXPECT(Calls<T>::svda_size(handle, job, k + 1, m, n, a.device, a.lead, a.lead * n, s.device,
                               s.lead, u.device, u.lead, u.lead * rank, v.device, v.lead,
                               v.lead * rank, &room, count) == CUSOLVER_STATUS_INVALID_VALUE);
  }
}

/// Numbers that are not, or have no bounds: each call ends, and says that nothing was found.
template <typename T>
void check_not_numbers(cusolverDnHandle_t handle) {
  using R = RealOf<T>;
  const int n = 6;
  for (const long double x : {std::numeric_limits<long double>::quiet_NaN(),
                              std::numeric_limits<long double>::infinity()}) {
    Reference whole = random_hermitian<T>(n);
    whole(2, 1) = whole(1, 2) = x;
    Matrix<T> a(whole), b(whole), u(n, n), vt(n, n);
    Matrix<R> w(n, 1, 0);
    Info info;
    int count = 0;
    EXPECT_OK(Calls<T>::evd_size(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n,
                                 a.device, a.lead, w.device, &count));
    Work<T> work(count);
    EXPECT_OK(Calls<T>::solve(handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, a.device,
                              a.lead, w.device, work.device, count, info));
    EXPECT(info.value() > 0);
    EXPECT_OK(Calls<T>::svd_size(handle, n, n, &count));
    Work<T> more(count);
    info.reset();
    EXPECT_OK(Calls<T>::svd(handle, 'A', 'A', n, n, b.device, b.lead, w.device, u.device, u.lead,
                            vt.device, vt.lead, more.device, count, nullptr, info));
    EXPECT(info.value() > 0);
  }
}

template <typename T>
void check_bad_input(cusolverDnHandle_t handle) {
  using R = RealOf<T>;
  Array<T> a(64), work(20000);
  Array<R> w(8);
  Array<int> info(1);
  const auto invalid = CUSOLVER_STATUS_INVALID_VALUE;
  const auto low = CUBLAS_FILL_MODE_LOWER;
  const auto vector = CUSOLVER_EIG_MODE_VECTOR;
  int count = 0;
  EXPECT(Calls<T>::evd_size(nullptr, vector, low, 4, a.device, 4, w.device, &count) ==
         CUSOLVER_STATUS_NOT_INITIALIZED);
  EXPECT(Calls<T>::evd_size(handle, static_cast<cusolverEigMode_t>(5), low, 4, a.device, 4,
                            w.device, &count) == invalid);
  EXPECT(Calls<T>::evd_size(handle, vector, low, -4, a.device, 4, w.device, &count) == invalid);
  EXPECT_OK(Calls<T>::evd_size(handle, vector, low, 4, a.device, 4, w.device, &count));
  const auto solve = [&](cublasFillMode_t fill, int n, T* at, int lead, R* values, int room,
                         int* to) {
    return Calls<T>::solve(handle, vector, fill, n, at, lead, values, work.device, room, to);
  };
  EXPECT(solve(CUBLAS_FILL_MODE_FULL, 4, a.device, 4, w.device, count, info.device) == invalid);
  EXPECT(solve(low, -4, a.device, 4, w.device, count, info.device) == invalid);
  EXPECT(solve(low, 4, nullptr, 4, w.device, count, info.device) == invalid);
  EXPECT(solve(low, 4, a.device, 3, w.device, count, info.device) == invalid);
  EXPECT(solve(low, 4, a.device, 4, nullptr, count, info.device) == invalid);
  EXPECT(solve(low, 4, a.device, 4, w.device, count - 1, info.device) == invalid);
  EXPECT(solve(low, 4, a.device, 4, w.device, -1, info.device) == invalid);
  EXPECT(solve(low, 4, a.device, 4, w.device, count, nullptr) == invalid);
  EXPECT_OK(solve(low, 0, nullptr, 1, nullptr, count, info.device));
  EXPECT(info.from_device()[0] == 0);
  EXPECT(Calls<T>::jacobi(handle, vector, low, 2, a.device, 2, w.device, work.device, 20000,
                          info.device, nullptr) == invalid);
  EXPECT(Calls<T>::svd_size(handle, 3, 4, &count) == invalid);
  EXPECT(Calls<T>::svd_size(handle, -3, 4, &count) == invalid);
  EXPECT_OK(Calls<T>::svd_size(handle, 4, 4, &count));
  const auto svd = [&](char u, char vt, int m, int n, int lead, int lead_u, int lead_vt, int room) {
    return Calls<T>::svd(handle, u, vt, m, n, a.device, lead, w.device, a.device, lead_u, a.device,
                         lead_vt, work.device, room, nullptr, info.device);
  };
  EXPECT(svd('X', 'A', 4, 4, 4, 4, 4, count) == invalid);
  EXPECT(svd('A', 'x', 4, 4, 4, 4, 4, count) == invalid);
  EXPECT(svd('O', 'O', 4, 4, 4, 4, 4, count) == invalid);
  EXPECT(svd('A', 'A', 3, 4, 4, 4, 4, count) == invalid);
  EXPECT(svd('A', 'A', 4, 4, 3, 4, 4, count) == invalid);
  EXPECT(svd('A', 'A', 4, 4, 4, 3, 4, count) == invalid);
  EXPECT(svd('A', 'A', 4, 4, 4, 4, 3, count) == invalid);
  EXPECT(svd('A', 'A', 4, 4, 4, 4, 4, count - 1) == invalid);
}

template <typename T>
void check_all(cusolverDnHandle_t handle, const char* name) {
  std::vector<T> results;
  check_eigenvalues<T>(handle, results);
  check_batches<T>(handle);
  check_selected<T>(handle);
  check_pencils<T>(handle);
  check_singular<T>(handle, results);
  check_singular_jacobi<T>(handle);
  check_largest<T>(handle);
  check_not_numbers<T>(handle);
  check_bad_input<T>(handle);
  print_bits(name, results);
}

/// The comparisons notice vectors that are not quite orthogonal, and values in another order.
void check_check() {
  Reference q = identity(8);
  q(3, 4) = 1e-12L;
  Reference values(2, 1);
  values(0, 0) = 2, values(1, 0) = 1;
  std::printf("broken twins:\n");
  EXPECT(is_orthogonal(identity(8), 1e-15L));
  EXPECT(!is_orthogonal(q, 1e-13L));
  EXPECT(!close_values(values, {1, 2}, 1e-13L));
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
