// cublasXt: matrices in host memory give the bits that cuBLAS gives on the device; settings, bad
// arguments. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "blas_check.h"

#include <cublasXt.h>

namespace {

cublasXtHandle_t xt;
cublasHandle_t handle;
constexpr int m = 37, n = 19, k = 23, lead = 41;

/// On the host, and on the device.
template <typename T>
struct Both : Array<T> {
  Both() : Array<T>(lead * lead) {
    for (T& x : this->host) x = random_fraction<T>();
    this->to_device();
  }
  /// The host's, after a call, are the device's.
  bool is_same() const {
    const std::vector<T> got = this->from_device();
    return std::memcmp(got.data(), this->host.data(), got.size() * sizeof(T)) == 0;
  }
  T* h() { return this->host.data(); }
  T* d() { return this->device; }
};

#define COMPARE(with_xt, with_handle)           \
  EXPECT(with_xt == CUBLAS_STATUS_SUCCESS);     \
  EXPECT(with_handle == CUBLAS_STATUS_SUCCESS); \
  EXPECT(c.is_same());                          \
  EXPECT(!same_bits(c.host[0], before))

const auto N = CUBLAS_OP_N, T_ = CUBLAS_OP_T, H = CUBLAS_OP_C;
const auto lower = CUBLAS_FILL_MODE_LOWER, upper = CUBLAS_FILL_MODE_UPPER;
const auto left = CUBLAS_SIDE_LEFT, right = CUBLAS_SIDE_RIGHT;
const auto unit = CUBLAS_DIAG_UNIT;

#define CHECK(letter, T)                                                                           \
  void check_##letter() {                                                                          \
    Both<T> a, b;                                                                                  \
    const T alpha = Of<T>::number(-2), beta = Of<T>::number(3), none = Of<T>::number(0);           \
    {                                                                                              \
      Both<T> c;                                                                                   \
      const T before = c.host[0];                                                                  \
      COMPARE(cublasXt##letter##gemm(xt, N, T_, m, n, k, &alpha, a.h(), lead, b.h(), lead, &beta,  \
                                     c.h(), lead),                                                 \
              cublas##letter##gemm(handle, N, T_, m, n, k, &alpha, a.d(), lead, b.d(), lead,       \
                                   &beta, c.d(), lead));                                           \
    }                                                                                              \
    {                                                                                              \
      Both<T> c;                                                                                   \
      c.fill(poison<T>());                                                                         \
      c.to_device();                                                                               \
      const T before = c.host[0];                                                                  \
      COMPARE(cublasXt##letter##gemm(xt, H, N, m, n, k, &alpha, a.h(), lead, b.h(), lead, &none,   \
                                     c.h(), lead),                                                 \
              cublas##letter##gemm(handle, H, N, m, n, k, &alpha, a.d(), lead, b.d(), lead, &none, \
                                   c.d(), lead));                                                  \
    }                                                                                              \
    {                                                                                              \
      Both<T> c;                                                                                   \
      const T before = c.host[0];                                                                  \
      COMPARE(                                                                                     \
          cublasXt##letter##syrk(xt, lower, T_, n, k, &alpha, a.h(), lead, &beta, c.h(), lead),    \
          cublas##letter##syrk(handle, lower, T_, n, k, &alpha, a.d(), lead, &beta, c.d(), lead)); \
    }                                                                                              \
    {                                                                                              \
      Both<T> c;                                                                                   \
      const T before = c.host[0];                                                                  \
      COMPARE(cublasXt##letter##syr2k(xt, upper, N, n, k, &alpha, a.h(), lead, b.h(), lead, &beta, \
                                      c.h(), lead),                                                \
              cublas##letter##syr2k(handle, upper, N, n, k, &alpha, a.d(), lead, b.d(), lead,      \
                                    &beta, c.d(), lead));                                          \
    }                                                                                              \
    {                                                                                              \
      Both<T> c;                                                                                   \
      const T before = c.host[0];                                                                  \
      COMPARE(cublasXt##letter##syrkx(xt, upper, N, n, k, &alpha, a.h(), lead, b.h(), lead, &beta, \
                                      c.h(), lead),                                                \
              cublas##letter##syrkx(handle, upper, N, n, k, &alpha, a.d(), lead, b.d(), lead,      \
                                    &beta, c.d(), lead));                                          \
    }                                                                                              \
    {                                                                                              \
      Both<T> c;                                                                                   \
      const T before = c.host[0];                                                                  \
      COMPARE(cublasXt##letter##symm(xt, right, upper, m, n, &alpha, a.h(), lead, b.h(), lead,     \
                                     &beta, c.h(), lead),                                          \
              cublas##letter##symm(handle, right, upper, m, n, &alpha, a.d(), lead, b.d(), lead,   \
                                   &beta, c.d(), lead));                                           \
    }                                                                                              \
    {                                                                                              \
      Both<T> c;                                                                                   \
      const T before = c.host[0];                                                                  \
      Array<T> packed(m*(m + 1) / 2);                                                              \
      EXPECT(cublas##letter##trttp(handle, lower, m, a.d(), lead, packed.device) ==                \
             CUBLAS_STATUS_SUCCESS);                                                               \
      packed.host = packed.from_device();                                                          \
      COMPARE(cublasXt##letter##spmm(xt, left, lower, m, n, &alpha, packed.host.data(), b.h(),     \
                                     lead, &beta, c.h(), lead),                                    \
              cublas##letter##symm(handle, left, lower, m, n, &alpha, a.d(), lead, b.d(), lead,    \
                                   &beta, c.d(), lead));                                           \
    }                                                                                              \
    {                                                                                              \
      Both<T> c;                                                                                   \
      const T before = c.host[0];                                                                  \
      COMPARE(cublasXt##letter##trsm(xt, left, upper, N, unit, m, n, &alpha, a.h(), lead, c.h(),   \
                                     lead),                                                        \
              cublas##letter##trsm(handle, left, upper, N, unit, m, n, &alpha, a.d(), lead, c.d(), \
                                   lead));                                                         \
    }                                                                                              \
    {                                                                                              \
      Both<T> c;                                                                                   \
      const T before = c.host[0];                                                                  \
      COMPARE(cublasXt##letter##trmm(xt, right, lower, T_, unit, m, n, &alpha, a.h(), lead, b.h(), \
                                     lead, c.h(), lead),                                           \
              cublas##letter##trmm(handle, right, lower, T_, unit, m, n, &alpha, a.d(), lead,      \
                                   b.d(), lead, c.d(), lead));                                     \
    }                                                                                              \
    Both<T> c;                                                                                     \
    EXPECT(cublasXt##letter##gemm(nullptr, N, N, m, n, k, &alpha, a.h(), lead, b.h(), lead, &beta, \
                                  c.h(), lead) == CUBLAS_STATUS_NOT_INITIALIZED);                  \
    EXPECT(cublasXt##letter##gemm(xt, N, N, m, n, k, &alpha, a.h(), m - 1, b.h(), lead, &beta,     \
                                  c.h(), lead) == CUBLAS_STATUS_INVALID_VALUE);                    \
    EXPECT(cublasXt##letter##gemm(xt, N, N, m, n, k, nullptr, a.h(), lead, b.h(), lead, &beta,     \
                                  c.h(), lead) == CUBLAS_STATUS_INVALID_VALUE);                    \
    EXPECT(cublasXt##letter##gemm(xt, N, N, m, n, k, &alpha, nullptr, lead, b.h(), lead, &beta,    \
                                  c.h(), lead) == CUBLAS_STATUS_INVALID_VALUE);                    \
    EXPECT(cublasXt##letter##gemm(xt, N, N, 0, n, k, &alpha, a.h(), lead, b.h(), lead, &beta,      \
                                  c.h(), lead) == CUBLAS_STATUS_SUCCESS);                          \
    EXPECT(cublasXt##letter##gemm(xt, (cublasOperation_t)7, N, m, n, k, &alpha, a.h(), lead,       \
                                  b.h(), lead, &beta, c.h(),                                       \
                                  lead) == CUBLAS_STATUS_INVALID_VALUE);                           \
    EXPECT(c.is_same());                                                                           \
  }
CHECK(S, float)
CHECK(D, double)
CHECK(C, cuComplex)
CHECK(Z, cuDoubleComplex)

#define CHECK_HERMITIAN(letter, T, R)                                                              \
  void check_hermitian_##letter() {                                                                \
    Both<T> a, b;                                                                                  \
    const T alpha = Of<T>::number(Number(-2, 1)), beta = Of<T>::number(3);                         \
    const R real = -2, factor = 3;                                                                 \
    {                                                                                              \
      Both<T> c;                                                                                   \
      const T before = c.host[0];                                                                  \
      COMPARE(                                                                                     \
          cublasXt##letter##herk(xt, lower, H, n, k, &real, a.h(), lead, &factor, c.h(), lead),    \
          cublas##letter##herk(handle, lower, H, n, k, &real, a.d(), lead, &factor, c.d(), lead)); \
    }                                                                                              \
    {                                                                                              \
      Both<T> c;                                                                                   \
      const T before = c.host[0];                                                                  \
      COMPARE(cublasXt##letter##her2k(xt, upper, N, n, k, &alpha, a.h(), lead, b.h(), lead,        \
                                      &factor, c.h(), lead),                                       \
              cublas##letter##her2k(handle, upper, N, n, k, &alpha, a.d(), lead, b.d(), lead,      \
                                    &factor, c.d(), lead));                                        \
    }                                                                                              \
    {                                                                                              \
      Both<T> c;                                                                                   \
      const T before = c.host[0];                                                                  \
      COMPARE(cublasXt##letter##herkx(xt, upper, N, n, k, &alpha, a.h(), lead, b.h(), lead,        \
                                      &factor, c.h(), lead),                                       \
              cublas##letter##herkx(handle, upper, N, n, k, &alpha, a.d(), lead, b.d(), lead,      \
                                    &factor, c.d(), lead));                                        \
    }                                                                                              \
    Both<T> c;                                                                                     \
    const T before = c.host[0];                                                                    \
    COMPARE(cublasXt##letter##hemm(xt, right, upper, m, n, &alpha, a.h(), lead, b.h(), lead,       \
                                   &beta, c.h(), lead),                                            \
            cublas##letter##hemm(handle, right, upper, m, n, &alpha, a.d(), lead, b.d(), lead,     \
                                 &beta, c.d(), lead));                                             \
  }
CHECK_HERMITIAN(C, cuComplex, float)
CHECK_HERMITIAN(Z, cuDoubleComplex, double)

void check_settings() {
  int device = 0, number = -1;
  int far[] = {999};
  EXPECT(cublasXtDeviceSelect(xt, 1, &device) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasXtDeviceSelect(xt, 1, far) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(cublasXtDeviceSelect(xt, 0, &device) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(cublasXtSetBlockDim(xt, 512) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasXtGetBlockDim(xt, &number) == CUBLAS_STATUS_SUCCESS && number == 512);
  EXPECT(cublasXtSetBlockDim(xt, 0) == CUBLAS_STATUS_INVALID_VALUE);
  cublasXtPinnedMemMode_t mode = CUBLASXT_PINNING_ENABLED;
  EXPECT(cublasXtGetPinningMemMode(xt, &mode) == CUBLAS_STATUS_SUCCESS &&
         mode == CUBLASXT_PINNING_DISABLED);
  EXPECT(cublasXtSetPinningMemMode(xt, CUBLASXT_PINNING_ENABLED) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasXtGetNumBoards(1, &device, &number) == CUBLAS_STATUS_SUCCESS && number == 1);
  EXPECT(cublasXtMaxBoards(&number) == CUBLAS_STATUS_SUCCESS && number >= 1);
  EXPECT(cublasXtSetCpuRatio(xt, CUBLASXT_GEMM, CUBLASXT_FLOAT, 0.5f) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasXtSetCpuRatio(xt, CUBLASXT_GEMM, CUBLASXT_FLOAT, 2) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(cublasXtCreate(nullptr) == CUBLAS_STATUS_INVALID_VALUE);
}

}  // namespace

int main() {
  EXPECT(cublasXtCreate(&xt) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  check_settings();
  check_S(), check_D(), check_C(), check_Z();
  check_hermitian_C(), check_hermitian_Z();
  EXPECT(cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasXtDestroy(xt) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasXtDestroy(xt) == CUBLAS_STATUS_NOT_INITIALIZED);
  return finish();
}
