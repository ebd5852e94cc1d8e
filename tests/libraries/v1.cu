// cuBLAS before CUDA 4: every routine gives the bits of the one with a handle; letters, errors, the
// handle of the process. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "library_check.h"

#include <cublas.h>

#include <cstdlib>

namespace {

constexpr int n = 13, lead = 16;

template <typename T>
T random_of() {
  return static_cast<T>(std::rand() % 1000) / T(500) - T(1);
}
template <>
cuComplex random_of() {
  return make_cuComplex(random_of<float>(), random_of<float>());
}
template <>
cuDoubleComplex random_of() {
  return make_cuDoubleComplex(random_of<double>(), random_of<double>());
}

cublasHandle_t handle;

/// Three matrices, which serve as vectors, too, and come back as they were.
template <typename T>
struct Operands {
  Operands() : a(lead * lead), b(lead * lead), c(lead * lead) {
    for (Array<T>* x : {&a, &b, &c})
      for (T& element : x->host) element = random_of<T>();
    reset();
  }
  void reset() { a.to_device(), b.to_device(), c.to_device(); }
  std::vector<T> all() const {
    std::vector<T> result;
    for (const Array<T>* x : {&a, &b, &c}) {
      const std::vector<T> one = x->from_device();
      result.insert(result.end(), one.begin(), one.end());
    }
    return result;
  }
  Array<T> a, b, c;
};

template <typename T>
bool same(const std::vector<T>& x, const std::vector<T>& y) {
  return std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;
}

/// `before` and `with_handle` do the same, and something, to the operands.
template <typename T, typename Before, typename WithHandle>
void compare(Operands<T>& o, Before before, WithHandle with_handle, int line) {
  o.reset();
  const std::vector<T> untouched = o.all();
  before();
  const std::vector<T> first = o.all();
  expect(cublasGetError() == CUBLAS_STATUS_SUCCESS, "no error", line);
  o.reset();
  expect(with_handle() == CUBLAS_STATUS_SUCCESS, "the call with a handle", line);
  expect(same(first, o.all()), "the same bits", line);
  expect(!same(first, untouched), "something is done", line);
}
#define COMPARE(before, with_handle) \
  compare(o, [&] { before; }, [&] { return with_handle; }, __LINE__)
template <typename Out, typename Before, typename WithHandle>
void compare_result(Before before, WithHandle with_handle, int line) {
  const Out first = before();
  Out second{};
  expect(with_handle(&second) == CUBLAS_STATUS_SUCCESS, "the call with a handle", line);
  expect(same_bits(first, second) && !same_bits(first, Out{}), "the same result", line);
}
#define COMPARE_RESULT(Out, name, ...)                           \
  compare_result<Out>([&] { return cublas##name(__VA_ARGS__); }, \
                      [&](Out* r) { return cublas##name##_v2(handle, __VA_ARGS__, r); }, __LINE__)

#define A o.a.device
#define B o.b.device
#define C o.c.device
const cublasOperation_t N = CUBLAS_OP_N, T_ = CUBLAS_OP_T, H = CUBLAS_OP_C;
const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER, upper = CUBLAS_FILL_MODE_UPPER;
const cublasDiagType_t plain = CUBLAS_DIAG_NON_UNIT, unit = CUBLAS_DIAG_UNIT;
const cublasSideMode_t left = CUBLAS_SIDE_LEFT, right = CUBLAS_SIDE_RIGHT;

#define CHECK_ALL_TYPES(letter, low, T, Real, norm, sum)                                          \
  void check_##letter() {                                                                         \
    Operands<T> o;                                                                                \
    const T alpha = random_of<T>(), beta = random_of<T>();                                        \
    COMPARE_RESULT(Real, norm, n, A, 2);                                                          \
    COMPARE_RESULT(Real, sum, n, A, 1);                                                           \
    COMPARE_RESULT(int, I##low##amax, n, A, 1);                                                   \
    COMPARE_RESULT(int, I##low##amin, n, A, 2);                                                   \
    COMPARE(cublas##letter##scal(n, alpha, A, 2),                                                 \
            cublas##letter##scal_v2(handle, n, &alpha, A, 2));                                    \
    COMPARE(cublas##letter##axpy(n, alpha, A, 2, B, -1),                                          \
            cublas##letter##axpy_v2(handle, n, &alpha, A, 2, B, -1));                             \
    COMPARE(cublas##letter##copy(n, A, 2, B, 1), cublas##letter##copy_v2(handle, n, A, 2, B, 1)); \
    COMPARE(cublas##letter##swap(n, A, 2, B, 1), cublas##letter##swap_v2(handle, n, A, 2, B, 1)); \
    COMPARE(cublas##letter##gemv('t', n, n - 2, alpha, A, lead, B, 1, beta, C, 2),                \
            cublas##letter##gemv_v2(handle, T_, n, n - 2, &alpha, A, lead, B, 1, &beta, C, 2));   \
    COMPARE(cublas##letter##gbmv('C', n, n, 2, 3, alpha, A, lead, B, 1, beta, C, 2),              \
            cublas##letter##gbmv_v2(handle, H, n, n, 2, 3, &alpha, A, lead, B, 1, &beta, C, 2));  \
    COMPARE(cublas##letter##trmv('l', 'n', 'u', n, A, lead, B, 2),                                \
            cublas##letter##trmv_v2(handle, lower, N, unit, n, A, lead, B, 2));                   \
    COMPARE(cublas##letter##trsv('U', 'N', 'N', n, A, lead, B, 1),                                \
            cublas##letter##trsv_v2(handle, upper, N, plain, n, A, lead, B, 1));                  \
    COMPARE(cublas##letter##tbmv('L', 'T', 'N', n, 3, A, lead, B, 1),                             \
            cublas##letter##tbmv_v2(handle, lower, T_, plain, n, 3, A, lead, B, 1));              \
    COMPARE(cublas##letter##tbsv('u', 'c', 'n', n, 3, A, lead, B, 1),                             \
            cublas##letter##tbsv_v2(handle, upper, H, plain, n, 3, A, lead, B, 1));               \
    COMPARE(cublas##letter##tpmv('L', 'T', 'N', n, A, B, 1),                                      \
            cublas##letter##tpmv_v2(handle, lower, T_, plain, n, A, B, 1));                       \
    COMPARE(cublas##letter##tpsv('u', 'c', 'u', n, A, B, 1),                                      \
            cublas##letter##tpsv_v2(handle, upper, H, unit, n, A, B, 1));                         \
    COMPARE(                                                                                      \
        cublas##letter##gemm('n', 'T', n, n - 1, n + 1, alpha, A, lead, B, lead, beta, C, lead),  \
        cublas##letter##gemm_v2(handle, N, T_, n, n - 1, n + 1, &alpha, A, lead, B, lead, &beta,  \
                                C, lead));                                                        \
    COMPARE(                                                                                      \
        cublas##letter##syrk('L', 'T', n, n - 1, alpha, A, lead, beta, C, lead),                  \
        cublas##letter##syrk_v2(handle, lower, T_, n, n - 1, &alpha, A, lead, &beta, C, lead));   \
    COMPARE(cublas##letter##syr2k('U', 'N', n, n - 1, alpha, A, lead, B, lead, beta, C, lead),    \
            cublas##letter##syr2k_v2(handle, upper, N, n, n - 1, &alpha, A, lead, B, lead, &beta, \
                                     C, lead));                                                   \
    COMPARE(cublas##letter##symm('R', 'U', n, n - 1, alpha, A, lead, B, lead, beta, C, lead),     \
            cublas##letter##symm_v2(handle, right, upper, n, n - 1, &alpha, A, lead, B, lead,     \
                                    &beta, C, lead));                                             \
    COMPARE(cublas##letter##trsm('L', 'U', 'N', 'N', n, n - 1, alpha, A, lead, B, lead),          \
            cublas##letter##trsm_v2(handle, left, upper, N, plain, n, n - 1, &alpha, A, lead, B,  \
                                    lead));                                                       \
    COMPARE(cublas##letter##trmm('r', 'l', 't', 'u', n, n - 1, alpha, A, lead, B, lead),          \
            cublas##letter##trmm_v2(handle, right, lower, T_, unit, n, n - 1, &alpha, A, lead, B, \
                                    lead, B, lead));                                              \
  }
CHECK_ALL_TYPES(S, s, float, float, Snrm2, Sasum)
CHECK_ALL_TYPES(D, d, double, double, Dnrm2, Dasum)
CHECK_ALL_TYPES(C, c, cuComplex, float, Scnrm2, Scasum)
CHECK_ALL_TYPES(Z, z, cuDoubleComplex, double, Dznrm2, Dzasum)

/// Symmetric matrices of real numbers, Hermitian ones of complex numbers.
#define CHECK_SYMMETRIC(letter, T, R, full, bands, packed, update, packed_update)                 \
  void check_symmetric_##letter() {                                                               \
    Operands<T> o;                                                                                \
    const T alpha = random_of<T>(), beta = random_of<T>();                                        \
    const R real = random_of<R>();                                                                \
    COMPARE(cublas##letter##full('U', n, alpha, A, lead, B, 1, beta, C, 2),                       \
            cublas##letter##full##_v2(handle, upper, n, &alpha, A, lead, B, 1, &beta, C, 2));     \
    COMPARE(cublas##letter##bands('L', n, 3, alpha, A, lead, B, 1, beta, C, 2),                   \
            cublas##letter##bands##_v2(handle, lower, n, 3, &alpha, A, lead, B, 1, &beta, C, 2)); \
    COMPARE(cublas##letter##packed('L', n, alpha, A, B, 1, beta, C, 2),                           \
            cublas##letter##packed##_v2(handle, lower, n, &alpha, A, B, 1, &beta, C, 2));         \
    COMPARE(cublas##letter##update('L', n, real, A, 1, C, lead),                                  \
            cublas##letter##update##_v2(handle, lower, n, &real, A, 1, C, lead));                 \
    COMPARE(cublas##letter##packed_update('U', n, real, A, 2, C),                                 \
            cublas##letter##packed_update##_v2(handle, upper, n, &real, A, 2, C));                \
    COMPARE(cublas##letter##update##2('L', n, alpha, A, 1, B, 2, C, lead),                        \
            cublas##letter##update##2_v2(handle, lower, n, &alpha, A, 1, B, 2, C, lead));         \
    COMPARE(cublas##letter##packed_update##2('U', n, alpha, A, 2, B, 1, C),                       \
            cublas##letter##packed_update##2_v2(handle, upper, n, &alpha, A, 2, B, 1, C));        \
  }
CHECK_SYMMETRIC(S, float, float, symv, sbmv, spmv, syr, spr)
CHECK_SYMMETRIC(D, double, double, symv, sbmv, spmv, syr, spr)
CHECK_SYMMETRIC(C, cuComplex, float, hemv, hbmv, hpmv, her, hpr)
CHECK_SYMMETRIC(Z, cuDoubleComplex, double, hemv, hbmv, hpmv, her, hpr)

#define CHECK_REAL(letter, T)                                                                 \
  void check_real_##letter() {                                                                \
    Operands<T> o;                                                                            \
    const T c = random_of<T>(), s = random_of<T>(), alpha = random_of<T>();                   \
    COMPARE_RESULT(T, letter##dot, n, A, 1, B, 2);                                            \
    COMPARE(cublas##letter##rot(n, A, 2, B, 1, c, s),                                         \
            cublas##letter##rot_v2(handle, n, A, 2, B, 1, &c, &s));                           \
    const T h[5] = {-1, random_of<T>(), random_of<T>(), random_of<T>(), random_of<T>()};      \
    COMPARE(cublas##letter##rotm(n, A, 2, B, 1, h),                                           \
            cublas##letter##rotm_v2(handle, n, A, 2, B, 1, h));                               \
    T x[4] = {3, 4, 0, 0}, y[4] = {3, 4, 0, 0};                                               \
    cublas##letter##rotg(x, x + 1, x + 2, x + 3);                                             \
    EXPECT(cublas##letter##rotg_v2(handle, y, y + 1, y + 2, y + 3) == CUBLAS_STATUS_SUCCESS); \
    EXPECT(std::memcmp(x, y, sizeof x) == 0 && x[0] > 4.99);                                  \
    T p[9] = {2, 3, 1, 5, 0, 0, 0, 0, 0}, q[9] = {2, 3, 1, 5, 0, 0, 0, 0, 0};                 \
    cublas##letter##rotmg(p, p + 1, p + 2, p + 3, p + 4);                                     \
    EXPECT(cublas##letter##rotmg_v2(handle, q, q + 1, q + 2, q + 3, q + 4) ==                 \
           CUBLAS_STATUS_SUCCESS);                                                            \
    EXPECT(std::memcmp(p, q, sizeof p) == 0 && p[4] == 1);                                    \
    COMPARE(cublas##letter##ger(n, n - 1, alpha, A, 1, B, 2, C, lead),                        \
            cublas##letter##ger_v2(handle, n, n - 1, &alpha, A, 1, B, 2, C, lead));           \
  }
CHECK_REAL(S, float)
CHECK_REAL(D, double)

#define CHECK_COMPLEX(letter, T, R, real_rot, real_scal)                                          \
  void check_complex_##letter() {                                                                 \
    Operands<T> o;                                                                                \
    const R c = random_of<R>(), s = random_of<R>();                                               \
    const T alpha = random_of<T>();                                                               \
    COMPARE_RESULT(T, letter##dotu, n, A, 1, B, 2);                                               \
    COMPARE_RESULT(T, letter##dotc, n, A, 1, B, 2);                                               \
    COMPARE(cublas##real_scal(n, c, A, 2), cublas##real_scal##_v2(handle, n, &c, A, 2));          \
    COMPARE(cublas##letter##rot(n, A, 2, B, 1, c, alpha),                                         \
            cublas##letter##rot_v2(handle, n, A, 2, B, 1, &c, &alpha));                           \
    COMPARE(cublas##real_rot(n, A, 2, B, 1, c, s),                                                \
            cublas##real_rot##_v2(handle, n, A, 2, B, 1, &c, &s));                                \
    T x = random_of<T>(), y = random_of<T>(), x2 = x, y2 = y, sine{}, sine2{};                    \
    R cosine = 0, cosine2 = 0;                                                                    \
    cublas##letter##rotg(&x, y, &cosine, &sine);                                                  \
    EXPECT(cublas##letter##rotg_v2(handle, &x2, &y2, &cosine2, &sine2) == CUBLAS_STATUS_SUCCESS); \
    EXPECT(same_bits(x, x2) && same_bits(cosine, cosine2) && same_bits(sine, sine2));             \
    COMPARE(cublas##letter##geru(n, n - 1, alpha, A, 1, B, 2, C, lead),                           \
            cublas##letter##geru_v2(handle, n, n - 1, &alpha, A, 1, B, 2, C, lead));              \
    COMPARE(cublas##letter##gerc(n, n - 1, alpha, A, 1, B, 2, C, lead),                           \
            cublas##letter##gerc_v2(handle, n, n - 1, &alpha, A, 1, B, 2, C, lead));              \
    COMPARE(cublas##letter##herk('L', 'C', n, n - 1, c, A, lead, s, C, lead),                     \
            cublas##letter##herk_v2(handle, lower, H, n, n - 1, &c, A, lead, &s, C, lead));       \
    COMPARE(cublas##letter##her2k('U', 'N', n, n - 1, alpha, A, lead, B, lead, s, C, lead),       \
            cublas##letter##her2k_v2(handle, upper, N, n, n - 1, &alpha, A, lead, B, lead, &s, C, \
                                     lead));                                                      \
    COMPARE(cublas##letter##hemm('L', 'L', n, n - 1, alpha, A, lead, B, lead, alpha, C, lead),    \
            cublas##letter##hemm_v2(handle, left, lower, n, n - 1, &alpha, A, lead, B, lead,      \
                                    &alpha, C, lead));                                            \
  }
CHECK_COMPLEX(C, cuComplex, float, Csrot, Csscal)
CHECK_COMPLEX(Z, cuDoubleComplex, double, Zdrot, Zdscal)

void check_state() {
  Operands<float> o;
  int version = 0;
  EXPECT(cublasGetVersion(&version) == CUBLAS_STATUS_SUCCESS && version == CUBLAS_VERSION);
  void* place = nullptr;
  EXPECT(cublasAlloc(10, 4, &place) == CUBLAS_STATUS_SUCCESS && place);
  EXPECT(cublasFree(place) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasAlloc(0, 4, &place) == CUBLAS_STATUS_INVALID_VALUE);
  cudaStream_t stream;
  EXPECT(cudaStreamCreate(&stream) == cudaSuccess);
  EXPECT(cublasSetKernelStream(stream) == CUBLAS_STATUS_SUCCESS);
  cublasSscal(n, 2, A, 1);
  EXPECT(cudaStreamSynchronize(stream) == cudaSuccess);
  EXPECT(o.a.from_device()[3] == 2 * o.a.host[3]);
  EXPECT(cublasSetKernelStream(nullptr) == CUBLAS_STATUS_SUCCESS);
  // A wrong letter is an error until it is asked for.
  cublasSgemm('x', 'n', n, n, n, 1, A, lead, B, lead, 0, C, lead);
  cublasSscal(n, 1, A, 1);
  EXPECT(cublasGetError() == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(cublasGetError() == CUBLAS_STATUS_SUCCESS);
  cublasStrsm('l', 'x', 'n', 'n', n, n, 1, A, lead, B, lead);
  EXPECT(cublasGetError() == CUBLAS_STATUS_INVALID_VALUE);
}

}  // namespace

int main() {
  EXPECT(cublasInit() == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasCreate_v2(&handle) == CUBLAS_STATUS_SUCCESS);
  check_S(), check_D(), check_C(), check_Z();
  check_symmetric_S(), check_symmetric_D(), check_symmetric_C(), check_symmetric_Z();
  check_real_S(), check_real_D();
  check_complex_C(), check_complex_Z();
  check_state();
  EXPECT(cublasDestroy_v2(handle) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasShutdown() == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasShutdown() == CUBLAS_STATUS_NOT_INITIALIZED);
  return finish();
}
