// cuSOLVER: QR factors, products with Q and Q itself, against plain reflectors in long double,
// element by element. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver_check.h"

namespace {

template <typename T>
struct Calls;
#define CALLS(letter, T, gqr, mqr)                                           \
  template <>                                                                \
  struct Calls<T> {                                                          \
    static constexpr auto geqrf_size = cusolverDn##letter##geqrf_bufferSize; \
    static constexpr auto geqrf = cusolverDn##letter##geqrf;                 \
    static constexpr auto gqr_size = cusolverDn##letter##gqr##_bufferSize;   \
    static constexpr auto form = cusolverDn##letter##gqr;                    \
    static constexpr auto mqr_size = cusolverDn##letter##mqr##_bufferSize;   \
    static constexpr auto apply = cusolverDn##letter##mqr;                   \
  };
CALLS(S, float, orgqr, ormqr)
CALLS(D, double, orgqr, ormqr)
CALLS(C, cuComplex, ungqr, unmqr)
CALLS(Z, cuDoubleComplex, ungqr, unmqr)

/// C = (I - tau v v^H) C, rows of C from `first` on, columns from `left` on; v begins with 1.
void reflect(Reference& c, int first, int left, const std::vector<Long>& v, Long tau) {
  for (int j = left; j < c.columns; ++j) {
    Long sum = 0;
    for (std::size_t i = 0; i < v.size(); ++i) sum += std::conj(v[i]) * c(first + i, j);
    for (std::size_t i = 0; i < v.size(); ++i) c(first + i, j) -= tau * v[i] * sum;
  }
}

struct PlainQr {
  Reference a;
  std::vector<Long> tau;
};
/// R, and the reflectors below it, by LAPACK's convention: R's diagonal is real, of the sign that
/// loses nothing.
PlainQr plain_qr(Reference a) {
  PlainQr qr = {a, {}};
  for (int k = 0; k < std::min(a.rows, a.columns); ++k) {
    long double rest = 0;
    for (int i = k + 1; i < a.rows; ++i) rest += std::norm(qr.a(i, k));
    const Long alpha = qr.a(k, k);
    std::vector<Long> v(a.rows - k);
    v[0] = 1;
    Long tau = 0;
    if (rest != 0 || alpha.imag() != 0) {
      const long double norm = std::sqrt(std::norm(alpha) + rest);
      const long double beta = alpha.real() >= 0 ? -norm : norm;
      tau = (beta - alpha) / beta;
      for (int i = k + 1; i < a.rows; ++i) v[i - k] = qr.a(i, k) / (alpha - beta);
    }
    reflect(qr.a, k, k, v, std::conj(tau));
    for (int i = k + 1; i < a.rows; ++i) qr.a(i, k) = v[i - k];
    qr.tau.push_back(tau);
  }
  return qr;
}
/// Q as the reflectors say, rows x rows.
Reference whole_q(const Reference& a, const std::vector<Long>& tau, int k) {
  Reference q = identity(a.rows);
  for (int i = k - 1; i >= 0; --i) {
    std::vector<Long> v(a.rows - i);
    v[0] = 1;
    for (int l = i + 1; l < a.rows; ++l) v[l - i] = a(l, i);
    reflect(q, i, 0, v, tau[i]);
  }
  return q;
}

template <typename T>
void check_qr(cusolverDnHandle_t handle, std::vector<T>& results) {
  for (const auto& [m, n] : {std::pair{1, 1},
                             {2, 2},
                             {3, 2},
                             {31, 31},
                             {67, 67},
                             {97, 40},
                             {40, 97},
                             {131, 33},
                             {1, 5},
                             {5, 1}}) {
    Reference whole = random_matrix<T>(m, n);
    for (int i = 0; i < std::min(m, n); ++i)
      whole(i, i) =
          wide(Of<T>::number(whole(i, i) * 2.0L * static_cast<long double>(std::max(m, n))));
    const int k = std::min(m, n);
    const long double tolerance = 16 * std::max(m, n) * epsilon<T>() * largest(whole);
    Matrix<T> a(whole, 3), tau(k, 1, 0);
    Info info;
    int count = -1;
    EXPECT_OK(Calls<T>::geqrf_size(handle, m, n, a.device, a.lead, &count));
    Work<T> work(count);
    EXPECT_OK(
        Calls<T>::geqrf(handle, m, n, a.device, a.lead, tau.device, work.device, count, info));
    EXPECT(info.value() == 0);
    const PlainQr wanted = plain_qr(whole);
    const Reference factors = a.result(), scales = tau.result();
    EXPECT(close(factors, wanted.a, 8 * tolerance));
    for (int i = 0; i < k; ++i)
      EXPECT(std::abs(scales(i, 0) - wanted.tau[i]) <= 128 * std::max(m, n) * epsilon<T>());
    const std::vector<T> got = a.from_device();
    results.insert(results.end(), got.begin(), got.end());

    // From here on Q is what the reflectors of the device say.
    const Reference q = whole_q(factors, scales.values, k);
    const long double unit = 16 * std::max(m, n) * epsilon<T>();
    Reference r(m, n);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i <= std::min(j, m - 1); ++i) r(i, j) = factors(i, j);
    EXPECT(close(q * r, whole, tolerance));

    for (const bool is_left : {true, false})
      for (const cublasOperation_t operation :
           {CUBLAS_OP_N, Of<T>::is_complex ? CUBLAS_OP_C : CUBLAS_OP_T, CUBLAS_OP_C})
        for (const int width : {1, 35}) {
          const int rows = is_left ? m : width, columns = is_left ? width : m;
          const Reference right = random_matrix<T>(rows, columns);
          Matrix<T> c(right, 1);
          info.reset();
          const auto side = is_left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
          EXPECT_OK(Calls<T>::mqr_size(handle, side, operation, rows, columns, k, a.device, a.lead,
                                       tau.device, c.device, c.lead, &count));
          Work<T> more(count);
          EXPECT_OK(Calls<T>::apply(handle, side, operation, rows, columns, k, a.device, a.lead,
                                    tau.device, c.device, c.lead, more.device, count, info));
          EXPECT(info.value() == 0);
          const Reference op = operation == CUBLAS_OP_N ? q : q.adjoint();
          EXPECT(close(c.result(), is_left ? op * right : right * op, 4 * unit));
        }

    const int columns = std::min(m, n);
    for (const int used : {k, k / 2}) {
      const Reference wanted_q = whole_q(factors, scales.values, used).corner(m, columns);
      Matrix<T> formed(factors.corner(m, columns), 3);
      EXPECT_OK(Calls<T>::gqr_size(handle, m, columns, used, formed.device, formed.lead, tau.device,
                                   &count));
      Work<T> more(count);
      info.reset();
      EXPECT_OK(Calls<T>::form(handle, m, columns, used, formed.device, formed.lead, tau.device,
                               more.device, count, info));
      EXPECT(info.value() == 0);
      EXPECT(close(formed.result(), wanted_q, unit));
    }

    Matrix<T> again(whole, 3), other_tau(k, 1, 0);
    std::size_t on_device = 0, on_host = 1;
    EXPECT_OK(cusolverDnXgeqrf_bufferSize(handle, nullptr, m, n, Of<T>::type, again.device,
                                          again.lead, Of<T>::type, other_tau.device, Of<T>::type,
                                          &on_device, &on_host));
    Array<char> bytes(on_device);
    info.reset();
    EXPECT_OK(cusolverDnXgeqrf(handle, nullptr, m, n, Of<T>::type, again.device, again.lead,
                               Of<T>::type, other_tau.device, Of<T>::type, bytes.device, on_device,
                               nullptr, on_host, info));
    EXPECT(info.value() == 0);
    const std::vector<T> other = again.from_device();
    EXPECT(std::memcmp(other.data(), got.data(), got.size() * sizeof(T)) == 0);
  }
}

/// Columns of zeros, of huge and of tiny numbers: nothing overflows, nothing becomes NaN.
template <typename T>
void check_extremes(cusolverDnHandle_t handle) {
  const long double huge = std::numeric_limits<RealOf<T>>::max() / 16,
                    tiny = std::numeric_limits<RealOf<T>>::min() * 16;
  for (const long double scale : {0.0L, huge, tiny}) {
    const int m = 5, n = 3;
    Reference whole = random_matrix<T>(m, n);
    for (Long& x : whole.values) x = wide(Of<T>::number(x * scale));
    Matrix<T> a(whole, 0), tau(n, 1, 0);
    Info info;
    int count = 0;
    EXPECT_OK(Calls<T>::geqrf_size(handle, m, n, a.device, a.lead, &count));
    Work<T> work(count);
    EXPECT_OK(
        Calls<T>::geqrf(handle, m, n, a.device, a.lead, tau.device, work.device, count, info));
    const Reference factors = a.result();
    Reference r(m, n);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i <= j; ++i) r(i, j) = factors(i, j);
    EXPECT(close(whole_q(factors, tau.result().values, n) * r, whole, 256 * epsilon<T>() * scale));
  }
}

template <typename T>
void check_bad_input(cusolverDnHandle_t handle) {
  Array<T> a(64);
  Array<int> info(1);
  const auto invalid = CUSOLVER_STATUS_INVALID_VALUE;
  int count = 0;
  EXPECT(Calls<T>::geqrf_size(nullptr, 4, 4, a.device, 4, &count) ==
         CUSOLVER_STATUS_NOT_INITIALIZED);
  EXPECT(Calls<T>::geqrf_size(handle, -4, 4, a.device, 4, &count) == invalid);
  EXPECT(Calls<T>::geqrf_size(handle, 4, 4, a.device, 3, &count) == invalid);
  EXPECT_OK(Calls<T>::geqrf_size(handle, 4, 4, a.device, 4, &count));
  Array<T> work(static_cast<std::size_t>(count) * 4);
  const auto geqrf = [&](int m, int n, T* at, int lead, T* tau, int room, int* to) {
    return Calls<T>::geqrf(handle, m, n, at, lead, tau, work.device, room, to);
  };
  EXPECT(geqrf(-4, 4, a.device, 4, a.device, count, info.device) == invalid);
  EXPECT(geqrf(4, -4, a.device, 4, a.device, count, info.device) == invalid);
  EXPECT(geqrf(4, 4, nullptr, 4, a.device, count, info.device) == invalid);
  EXPECT(geqrf(4, 4, a.device, 3, a.device, count, info.device) == invalid);
  EXPECT(geqrf(4, 4, a.device, 4, nullptr, count, info.device) == invalid);
  EXPECT(geqrf(4, 4, a.device, 4, a.device, count - 1, info.device) == invalid);
  EXPECT(geqrf(4, 4, a.device, 4, a.device, count, nullptr) == invalid);
  EXPECT_OK(geqrf(0, 4, a.device, 1, a.device, count, info.device));
  const auto form = [&](int m, int n, int k) {
    return Calls<T>::form(handle, m, n, k, a.device, 8, a.device, work.device, 4 * count,
                          info.device);
  };
  EXPECT(form(4, 5, 2) == invalid);
  EXPECT(form(4, 3, 4) == invalid);
  EXPECT(form(4, 3, -1) == invalid);
  EXPECT(form(9, 3, 1) == invalid);
  const auto apply = [&](cublasSideMode_t side, cublasOperation_t operation, int m, int n, int k,
                         int lead) {
    return Calls<T>::apply(handle, side, operation, m, n, k, a.device, lead, a.device, a.device, 4,
                           work.device, 4 * count, info.device);
  };
  EXPECT(apply(static_cast<cublasSideMode_t>(7), CUBLAS_OP_N, 2, 2, 2, 2) == invalid);
  EXPECT(apply(CUBLAS_SIDE_LEFT, static_cast<cublasOperation_t>(7), 2, 2, 2, 2) == invalid);
  EXPECT(apply(CUBLAS_SIDE_LEFT, CUBLAS_OP_N, 2, 3, 3, 4) == invalid);
  EXPECT(apply(CUBLAS_SIDE_RIGHT, CUBLAS_OP_N, 2, 3, 2, 2) == invalid);
  EXPECT(apply(CUBLAS_SIDE_LEFT, CUBLAS_OP_N, 5, 2, 2, 5) == invalid);
  if (Of<T>::is_complex) EXPECT(apply(CUBLAS_SIDE_LEFT, CUBLAS_OP_T, 2, 2, 2, 2) == invalid);
}

template <typename T>
void check_all(cusolverDnHandle_t handle, const char* name) {
  std::vector<T> results;
  check_qr<T>(handle, results);
  check_extremes<T>(handle);
  check_bad_input<T>(handle);
  print_bits(name, results);
}

/// The comparison notices a reflector of a wrong sign.
void check_check() {
  const Reference a = random_matrix<double>(9, 4);
  const PlainQr qr = plain_qr(a);
  std::vector<Long> broken = qr.tau;
  broken[2] = -broken[2];
  Reference r(9, 4);
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i <= j; ++i) r(i, j) = qr.a(i, j);
  std::printf("a broken twin:\n");
  EXPECT(close(whole_q(qr.a, qr.tau, 4) * r, a, 1e-17L * 64));
  EXPECT(!close(whole_q(qr.a, broken, 4) * r, a, 1e-3L));
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
