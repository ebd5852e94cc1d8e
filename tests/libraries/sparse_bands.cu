// cuSPARSE's systems of three and of five diagonals: solutions times the matrix are the right
// sides, for many right sides, strided and interleaved batches, odd sizes, diagonals of zeros,
// elements outside the matrix that are poison. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#include "sparse_check.h"

namespace {

#define GRIDSPAN_TEST_BANDS(letter, T)                                                             \
  cusparseStatus_t columns(cusparseHandle_t handle, bool pivots, int m, int n, T* const* a, T* b,  \
                           int leading) {                                                          \
    size_t size = 0;                                                                               \
    RIGHT(                                                                                         \
        cusparse##letter##gtsv2_bufferSizeExt(handle, m, n, a[1], a[2], a[3], b, leading, &size)); \
    EXPECT(size > 0);                                                                              \
    return (pivots ? cusparse##letter##gtsv2 : cusparse##letter##gtsv2_nopivot)(                   \
        handle, m, n, a[1], a[2], a[3], b, leading, nullptr);                                      \
  }                                                                                                \
  cusparseStatus_t strided(cusparseHandle_t handle, int m, T* const* a, T* x, int count,           \
                           int stride) {                                                           \
    return cusparse##letter##gtsv2StridedBatch(handle, m, a[1], a[2], a[3], x, count, stride,      \
                                               nullptr);                                           \
  }                                                                                                \
  cusparseStatus_t interleaved(cusparseHandle_t handle, bool has_five, int m, T* const* a, T* x,   \
                               int count) {                                                        \
    size_t size = 0;                                                                               \
    RIGHT(cusparse##letter##gpsvInterleavedBatch_bufferSizeExt(handle, 0, m, a[0], a[1], a[2],     \
                                                               a[3], a[4], x, count, &size));      \
    return has_five ? cusparse##letter##gpsvInterleavedBatch(handle, 0, m, a[0], a[1], a[2], a[3], \
                                                             a[4], x, count, nullptr)              \
                    : cusparse##letter##gtsvInterleavedBatch(handle, 1, m, a[1], a[2], a[3], x,    \
                                                             count, nullptr);                      \
  }
GRIDSPAN_TEST_BANDS(S, float)
GRIDSPAN_TEST_BANDS(D, double)
GRIDSPAN_TEST_BANDS(C, cuComplex)
GRIDSPAN_TEST_BANDS(Z, cuDoubleComplex)

/// Diagonals of `count` matrices and the right sides of `systems`, element i of system s at
/// i down + s right.
template <typename T>
struct Systems {
  Systems(int size, int systems, int down, int right, bool shares, bool has_five)
      : size(size),
        systems(systems),
        down(down),
        right(right),
        shares(shares),
        x((size - 1) * down + (systems - 1) * right + 1) {
    x.fill(poison<T>());
    for (int s = 0; s < systems; ++s)
      for (int i = 0; i < size; ++i) x.host[i * down + s * right] = random_fraction<T>();
    x.to_device();
    for (int k = 0; k < 5; ++k) {
      diagonals[k] = new Array<T>(x.host.size());
      diagonals[k]->fill(poison<T>());
      for (int s = 0; s < (shares ? 1 : systems); ++s)
        for (int i = 0; i < size; ++i) {
          const int column = i + k - 2;
          const bool is_there = column >= 0 && column < size && (has_five || (k > 0 && k < 4));
          // The main diagonal may be 0: what is beside it is larger.
          const Number x = k == 2   ? (i % 3 == 1 && i < size - 1 ? Number(0) : Number(1.5))
                           : k == 3 ? Number(-1)
                           : k == 1 ? Number(2)
                                    : wide(random_fraction<T>());
          if (is_there) diagonals[k]->host[i * down + s * right] = Of<T>::number(x);
        }
      diagonals[k]->to_device();
      places[k] = diagonals[k]->device;
    }
  }
  Systems(const Systems&) = delete;
  ~Systems() {
    for (Array<T>* const one : diagonals) delete one;
  }

  /// |A x - b| against |A| |x|; what is not of a system is left alone.
  void expect_solved(double tolerance, bool has_five, int line) {
    std::vector<T> got = x.from_device();
    int wrong = 0;
    for (int s = 0; s < systems; ++s)
      for (int i = 0; i < size; ++i) {
        Number rest = -wide(x.host[i * down + s * right]);
        double scale = std::abs(rest);
        for (int k = has_five ? 0 : 1; k < (has_five ? 5 : 4); ++k) {
          const int j = i + k - 2;
          if (j < 0 || j >= size) continue;
          const Number term = wide(diagonals[k]->host[i * down + (shares ? 0 : s * right)]) *
                              wide(got[j * down + s * right]);
          rest += term;
          scale += std::abs(term);
        }
        wrong += !(std::abs(rest) <= tolerance * scale);
      }
    for (int s = 0; s < systems; ++s)
      for (int i = 0; i < size; ++i) got[i * down + s * right] = x.host[i * down + s * right];
    for (size_t i = 0; i < got.size(); ++i) wrong += !same_bits(got[i], x.host[i]);
    if (!expect(wrong == 0, "a solution", line)) std::printf("  %d wrong of %d\n", wrong, size);
    for (Array<T>* const one : diagonals) {
      const std::vector<T> now = one->from_device();
      int changed = 0;
      for (size_t i = 0; i < now.size(); ++i) changed += !same_bits(now[i], one->host[i]);
      EXPECT(changed == 0);
    }
  }

  int size, systems, down, right;
  bool shares;
  Array<T> x;
  Array<T>* diagonals[5];
  T* places[5];
};

template <typename T>
void check_type(cusparseHandle_t handle, double tolerance) {
  for (const int m : {1, 2, 3, 5, 64, 1003})
    for (const int n : {1, 7, 131}) {
      if (m * n > 40000) continue;
      for (const bool pivots : {true, false}) {
        Systems<T> shared(m, n, 1, m + 2, true, false);
        RIGHT(columns(handle, pivots, m, n, shared.places, shared.x.device, m + 2));
        shared.expect_solved(tolerance, false, __LINE__);
      }
      Systems<T> apart(m, n, 1, m + 3, false, false);
      RIGHT(strided(handle, m, apart.places, apart.x.device, n, m + 3));
      apart.expect_solved(tolerance, false, __LINE__);
      for (const bool has_five : {false, true}) {
        Systems<T> mixed(m, n, n, 1, false, has_five);
        RIGHT(interleaved(handle, has_five, m, mixed.places, mixed.x.device, n));
        mixed.expect_solved(tolerance, has_five, __LINE__);
        if (m == 64) print_bits("solutions", mixed.x.from_device());
      }
    }
}

void check_refusals(cusparseHandle_t handle) {
  Systems<float> one(5, 1, 1, 5, false, true);
  size_t size = 0;
  float* const* const a = one.places;
  EXPECT(cusparseSgtsv2(nullptr, 5, 1, a[1], a[2], a[3], one.x.device, 5, nullptr) ==
         CUSPARSE_STATUS_NOT_INITIALIZED);
  EXPECT(cusparseSgtsv2(handle, 5, 1, a[1], a[2], a[3], one.x.device, 4, nullptr) ==
         CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT(cusparseSgtsv2(handle, 5, 1, a[1], nullptr, a[3], one.x.device, 5, nullptr) ==
         CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT(cusparseSgtsv2StridedBatch(handle, 5, a[1], a[2], a[3], one.x.device, 1, 4, nullptr) ==
         CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT(cusparseSgtsvInterleavedBatch(handle, 3, 5, a[1], a[2], a[3], one.x.device, 1, nullptr) ==
         CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT(cusparseSgpsvInterleavedBatch(handle, 0, 5, nullptr, a[1], a[2], a[3], a[4], one.x.device,
                                       1, nullptr) == CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT(cusparseSgtsv2_bufferSizeExt(handle, -1, 1, a[1], a[2], a[3], one.x.device, 5, &size) ==
         CUSPARSE_STATUS_INVALID_VALUE);
  const auto got = one.x.from_device();
  for (int i = 0; i < 5; ++i) EXPECT(same_bits(got[i], one.x.host[i]));
}

}  // namespace

int main() {
  cusparseHandle_t handle = nullptr;
  RIGHT(cusparseCreate(&handle));
  check_type<float>(handle, 1e-4);
  check_type<double>(handle, 1e-12);
  check_type<cuComplex>(handle, 1e-4);
  check_type<cuDoubleComplex>(handle, 1e-12);
  check_refusals(handle);
  EXPECT(cudaGetLastError() == cudaSuccess);
  RIGHT(cusparseDestroy(handle));
  return finish();
}
