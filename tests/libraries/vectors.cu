// cuBLAS, levels 1 and 2: vectors, products of matrices and vectors, outer products, against a
// plain reference, element by element: steps of either sign, odd sizes, both pointer modes,
// poisoned outputs, bad arguments. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "blas_vectors.h"

#include <cmath>

namespace {

const int sizes[] = {1, 2, 37, 255, 256, 4097, 10007};
/// Sums and searches of more than 65536 elements are of several blocks.
std::vector<int> sizes_of_sums() {
  std::vector<int> all(std::begin(sizes), std::end(sizes));
  if (!has_few()) all.insert(all.end(), {65536, 65537, 114689});
  return all;
}

template <typename T, typename Scal, typename Axpy, typename Copy, typename Swap>
void check_elements(cublasHandle_t handle, Scal scal, Axpy axpy, Copy copy, Swap swap) {
  int round = 0;
  for (const int n : sizes) {
    for (const int x_step : steps) {
      for (const int y_step : steps) {
        const bool on_device = ++round % 2;
        const T number = Of<T>::number(Number(-2, Of<T>::is_complex ? 1 : 0));
        const Number alpha = wide(number);
        {
          Vector<T> x(n, x_step), y(n, y_step);
          const Factor<T> factor(handle, number, on_device);
          EXPECT(axpy(handle, n, factor, x.device, x_step, y.device, y_step) ==
                 CUBLAS_STATUS_SUCCESS);
          EXPECT_ELEMENTS(y, [&](int i) { return alpha * wide(x[i]) + wide(y[i]); });
          EXPECT_ELEMENTS(x, [&](int i) { return wide(x[i]); });
          if (x_step > 0) {
            EXPECT(scal(handle, n, factor, x.device, x_step) == CUBLAS_STATUS_SUCCESS);
            EXPECT_ELEMENTS(x, [&](int i) { return alpha * wide(x[i]); });
          } else {
            EXPECT(scal(handle, n, factor, x.device, x_step) == CUBLAS_STATUS_SUCCESS);
            EXPECT_ELEMENTS(x, [&](int i) { return wide(x[i]); });
          }
        }
        Vector<T> x(n, x_step), y(n, y_step, false), z(n, x_step);
        EXPECT(copy(handle, n, x.device, x_step, y.device, y_step) == CUBLAS_STATUS_SUCCESS);
        EXPECT_ELEMENTS(y, [&](int i) { return wide(x[i]); });
        EXPECT(swap(handle, n, z.device, x_step, y.device, y_step) == CUBLAS_STATUS_SUCCESS);
        EXPECT_ELEMENTS(z, [&](int i) { return wide(x[i]); });
        EXPECT_ELEMENTS(y, [&](int i) { return wide(z[i]); });
      }
    }
  }
  // Nothing to do: nothing is touched, nothing is read.
  Vector<T> x(5, 1);
  const T nothing = Of<T>::number(0);
  EXPECT(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST) == CUBLAS_STATUS_SUCCESS);
  EXPECT(axpy(handle, 5, &nothing, nullptr, 1, x.device, 1) == CUBLAS_STATUS_SUCCESS);
  EXPECT(axpy(handle, 0, &nothing, nullptr, 1, nullptr, 1) == CUBLAS_STATUS_SUCCESS);
  EXPECT(axpy(handle, 5, nullptr, x.device, 1, x.device, 1) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(scal(nullptr, 5, &nothing, x.device, 1) == CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT(copy(handle, -1, nullptr, 1, nullptr, 1) == CUBLAS_STATUS_SUCCESS);
  EXPECT_ELEMENTS(x, [&](int i) { return wide(x[i]); });
}

template <typename T, typename Dot>
void check_dot(cublasHandle_t handle, bool conjugates, Dot dot) {
  int round = 0;
  for (const int n : sizes_of_sums())
    for (const int x_step : steps)
      for (const int y_step : steps) {
        Vector<T> x(n, x_step), y(n, y_step);
        Number expected = 0;
        for (int i = 0; i < n; ++i)
          expected += (conjugates ? std::conj(wide(x[i])) : wide(x[i])) * wide(y[i]);
        const T got = result_of<T>(handle, ++round % 2, [&](T* place) {
          return dot(handle, n, x.device, x_step, y.device, y_step, place);
        });
        EXPECT(wide(got) == expected);
      }
  for (const bool on_device : {false, true})
    EXPECT(wide(result_of<T>(handle, on_device, [&](T* place) {
             return dot(handle, 0, static_cast<const T*>(nullptr), 1,
                        static_cast<const T*>(nullptr), 1, place);
           })) == Number(0));
  EXPECT(dot(handle, 1, static_cast<const T*>(nullptr), 1, static_cast<const T*>(nullptr), 1,
             static_cast<T*>(nullptr)) == CUBLAS_STATUS_INVALID_VALUE);
}

template <typename T, typename Real, typename Index, typename Norm, typename Sum, typename Max,
          typename Min>
void check_sums(cublasHandle_t handle, Norm norm, Sum sum, Max largest, Min smallest) {
  int round = 0;
  const double precision = std::is_same_v<Real, float> ? 1e-6 : 1e-14;
  for (const int n : sizes_of_sums()) {
    for (const int step : {1, 3}) {
      const bool on_device = ++round % 2;
      Vector<T> x(n, step);
      double squares = 0, absolute = 0, most = -1, least = 1e9;
      Index most_at = 0, least_at = 0;
      for (int i = 0; i < n; ++i) {
        const Number element = wide(x[i]);
        const double size = std::abs(element.real()) + std::abs(element.imag());
        squares += std::norm(element);
        absolute += size;
        if (size > most) most = size, most_at = i + 1;
        if (size < least) least = size, least_at = i + 1;
      }
      const auto real = [&](auto function) {
        return static_cast<double>(result_of<Real>(handle, on_device, [&](Real* place) {
          return function(handle, n, x.device, step, place);
        }));
      };
      const auto index = [&](auto function) {
        return result_of<Index>(handle, on_device, [&](Index* place) {
          return function(handle, n, x.device, step, place);
        });
      };
      EXPECT(std::abs(real(norm) - std::sqrt(squares)) <= precision * std::sqrt(squares));
      EXPECT(real(sum) == absolute);
      EXPECT(index(largest) == most_at);
      EXPECT(index(smallest) == least_at);
    }
  }
  // Squares that overflow or vanish, and what is no number.
  const double large = std::is_same_v<Real, float> ? 1e30 : 1e300, small = 1 / large;
  Vector<T> x(3, 1);
  const auto norm_of = [&](double a, double b, double c) {
    x.host = {Of<T>::number(a), Of<T>::number(b), Of<T>::number(c), poison<T>()};
    x.to_device();
    return static_cast<double>(result_of<Real>(
        handle, false, [&](Real* place) { return norm(handle, 3, x.device, 1, place); }));
  };
  EXPECT(std::abs(norm_of(3 * large, 0, 4 * large) / (5 * large) - 1) < 1e-6);
  EXPECT(std::abs(norm_of(3 * small, 4 * small, 0) / (5 * small) - 1) < 1e-6);
  EXPECT(norm_of(0, 0, 0) == 0);
  EXPECT(std::isnan(norm_of(1, NAN, 2)));
  EXPECT(std::isinf(norm_of(1, INFINITY, 2)));
  // What is no number is not found, unless it is first.
  const auto found = [&](auto function, double a, double b, double c) {
    x.host = {Of<T>::number(a), Of<T>::number(b), Of<T>::number(c), poison<T>()};
    x.to_device();
    return result_of<Index>(handle, false,
                            [&](Index* place) { return function(handle, 3, x.device, 1, place); });
  };
  EXPECT(found(largest, 1, NAN, -3) == 3 && found(smallest, 2, NAN, -1) == 3);
  EXPECT(found(largest, NAN, 5, INFINITY) == 1 && found(smallest, NAN, 5, 0) == 1);
  EXPECT(found(largest, 1, INFINITY, -INFINITY) == 2);
  EXPECT(found(smallest, INFINITY, NAN, INFINITY) == 1);
  // Documented: 0 for no elements, and for steps that are not positive.
  for (const bool on_device : {false, true}) {
    EXPECT(result_of<Real>(handle, on_device,
                           [&](Real* place) { return norm(handle, 0, x.device, 1, place); }) == 0);
    EXPECT(result_of<Index>(handle, on_device, [&](Index* place) {
             return largest(handle, 3, x.device, 0, place);
           }) == 0);
  }
}

void check_mixed(cublasHandle_t handle) {
  const int n = 1001;
  Vector<cuComplex> x(n, 2);
  Vector<cuDoubleComplex> y(n, 1);
  const Factor<float> factor(handle, 3, false);
  EXPECT(cublasCsscal(handle, n, factor, x.device, 2) == CUBLAS_STATUS_SUCCESS);
  EXPECT_ELEMENTS(x, [&](int i) { return 3.0 * wide(x[i]); });
  const Factor<double> other(handle, -2, true);
  EXPECT(cublasZdscal_64(handle, n, other, y.device, 1) == CUBLAS_STATUS_SUCCESS);
  EXPECT_ELEMENTS(y, [&](int i) { return -2.0 * wide(y[i]); });

  // Half precision, summed in float.
  Array<__half> ones(4096), result(1);
  ones.fill(__float2half(1)), ones.to_device();
  EXPECT(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasDotEx(handle, 4096, ones.device, CUDA_R_16F, 1, ones.device, CUDA_R_16F, 1,
                     result.device, CUDA_R_16F, CUDA_R_32F) == CUBLAS_STATUS_SUCCESS);
  EXPECT(__half2float(result.from_device()[0]) == 4096);
  EXPECT(cublasDotEx(handle, 1, ones.device, CUDA_R_16F, 1, ones.device, CUDA_R_32F, 1,
                     result.device, CUDA_R_16F, CUDA_R_32F) == CUBLAS_STATUS_NOT_SUPPORTED);
}

template <typename T, typename Gemv, typename Strided, typename Batched>
void check_gemv(cublasHandle_t handle, Gemv gemv, Strided strided, Batched batched) {
  const int shapes[][2] = {{1, 1}, {37, 29}, {300, 7}, {5, 261}, {521, 9}};
  int round = 0;
  for (const auto& [m, n] : shapes)
    for (const cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C})
      for (const int x_step : steps)
        for (const int y_step : steps) {
          ++round;
          const int lda = m + 3, rows = op == CUBLAS_OP_N ? m : n,
                    inner = op == CUBLAS_OP_N ? n : m;
          const double beta = round % 3;
          Array<T> a(static_cast<std::size_t>(lda) * n);
          a.random(), a.to_device();
          Vector<T> x(inner, x_step), y(rows, y_step, beta != 0);
          Array<T> numbers(2);
          numbers.host = {Of<T>::number(-1), Of<T>::number(beta)};
          numbers.to_device();
          const bool on_device = round % 2;
          EXPECT(cublasSetPointerMode(
                     handle, on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST) ==
                 CUBLAS_STATUS_SUCCESS);
          const T* place = on_device ? numbers.device : numbers.host.data();
          EXPECT(gemv(handle, op, m, n, place, a.device, lda, x.device, x_step, place + 1, y.device,
                      y_step) == CUBLAS_STATUS_SUCCESS);
          EXPECT_ELEMENTS(y, [&](int i) {
            Number sum = 0;
            for (int l = 0; l < inner; ++l) {
              const Number element =
                  wide(op == CUBLAS_OP_N ? a.host[i + l * lda] : a.host[l + i * lda]);
              sum += (op == CUBLAS_OP_C ? std::conj(element) : element) * wide(x[l]);
            }
            return beta == 0 ? -sum : -sum + beta * wide(y[i]);
          });
        }
  // Two products at once.
  const int m = 13, n = 11;
  Array<T> a(m * n * 2);
  a.random(), a.to_device();
  Vector<T> x(n * 2, 1), y(m * 2, 1, false), z(m * 2, 1, false);
  const T one = Of<T>::number(1), nothing = Of<T>::number(0);
  EXPECT(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST) == CUBLAS_STATUS_SUCCESS);
  EXPECT(strided(handle, CUBLAS_OP_N, m, n, &one, a.device, m, m * n, x.device, 1, n, &nothing,
                 y.device, 1, m, 2) == CUBLAS_STATUS_SUCCESS);
  Array<const T*> pa(2), px(2);
  Array<T*> pz(2);
  for (int i = 0; i < 2; ++i)
    pa.host[i] = a.device + i * m * n, px.host[i] = x.device + i * n, pz.host[i] = z.device + i * m;
  pa.to_device(), px.to_device(), pz.to_device();
  EXPECT(batched(handle, CUBLAS_OP_N, m, n, &one, pa.device, m, px.device, 1, &nothing, pz.device,
                 1, 2) == CUBLAS_STATUS_SUCCESS);
  const auto expected = [&](int i) {
    Number sum = 0;
    for (int l = 0; l < n; ++l)
      sum += wide(a.host[i / m * m * n + i % m + l * m]) * wide(x[i / m * n + l]);
    return sum;
  };
  EXPECT_ELEMENTS(y, expected);
  EXPECT_ELEMENTS(z, expected);
  const auto call = [&](cublasOperation_t op, int rows, int columns, const T* alpha, int lda,
                        int x_step, int y_step) {
    return gemv(handle, op, rows, columns, alpha, a.device, lda, x.device, x_step, &nothing,
                y.device, y_step);
  };
  EXPECT(call((cublasOperation_t)5, 1, 1, &one, 1, 1, 1) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(call(CUBLAS_OP_N, -1, 1, &one, 1, 1, 1) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(call(CUBLAS_OP_N, 2, 1, &one, 1, 1, 1) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(call(CUBLAS_OP_N, 1, 1, &one, 1, 0, 1) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(call(CUBLAS_OP_N, 1, 1, &one, 1, 1, 0) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(call(CUBLAS_OP_N, 1, 1, nullptr, 1, 1, 1) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(call(CUBLAS_OP_N, 0, 1, &one, 1, 1, 1) == CUBLAS_STATUS_SUCCESS);
}

/// 16-bit matrices, summed in float.
template <typename In, typename Out, typename Strided, typename Batched>
void check_short_gemv(cublasHandle_t handle, Strided strided, Batched batched) {
  const int m = 21, n = 17;
  Array<In> a(m * n * 2), x(m * 2);
  Array<Out> y(n * 2), z(n * 2);
  a.random(), x.random(), y.fill(poison<Out>()), z.random();
  a.to_device(), x.to_device(), y.to_device(), z.to_device();
  Array<const In*> pa(2), px(2);
  Array<Out*> pz(2);
  for (int i = 0; i < 2; ++i)
    pa.host[i] = a.device + i * m * n, px.host[i] = x.device + i * m, pz.host[i] = z.device + i * n;
  pa.to_device(), px.to_device(), pz.to_device();
  const float alpha = -1, nothing = 0, beta = 2;
  EXPECT(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST) == CUBLAS_STATUS_SUCCESS);
  EXPECT(strided(handle, CUBLAS_OP_T, m, n, &alpha, a.device, m, m * n, x.device, 1, m, &nothing,
                 y.device, 1, n, 2) == CUBLAS_STATUS_SUCCESS);
  EXPECT(batched(handle, CUBLAS_OP_T, m, n, &alpha, pa.device, m, px.device, 1, &beta, pz.device, 1,
                 2) == CUBLAS_STATUS_SUCCESS);
  const std::vector<Out> of_y = y.from_device(), of_z = z.from_device();
  int different = 0;
  for (int i = 0; i < n * 2; ++i) {
    Number sum = 0;
    for (int l = 0; l < m; ++l)
      sum += wide(a.host[i / n * m * n + i % n * m + l]) * wide(x.host[i / n * m + l]);
    different += wide(of_y[i]) != -sum;
    different += wide(of_z[i]) != -sum + 2.0 * wide(z.host[i]);
  }
  EXPECT(different == 0);
}

template <typename T, typename Ger>
void check_ger(cublasHandle_t handle, bool conjugates, Ger ger) {
  int round = 0;
  for (const auto& [m, n] : {std::pair{1, 1}, {37, 29}, {3, 270}})
    for (const int x_step : steps)
      for (const int y_step : steps) {
        const int lda = m + 2;
        Array<T> a(static_cast<std::size_t>(lda) * n);
        a.fill(poison<T>());
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < m; ++i) a.host[i + j * lda] = random_number<T>();
        a.to_device();
        Vector<T> x(m, x_step), y(n, y_step);
        const Factor<T> factor(handle, Of<T>::number(-2), ++round % 2);
        EXPECT(ger(handle, m, n, factor, x.device, x_step, y.device, y_step, a.device, lda) ==
               CUBLAS_STATUS_SUCCESS);
        const std::vector<T> got = a.from_device();
        int different = 0;
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < lda; ++i) {
            const T before = a.host[i + j * lda], after = got[i + j * lda];
            if (i >= m)
              different += !same_bits(before, after);
            else
              different += wide(after) !=
                           wide(before) -
                               2.0 * wide(x[i]) * (conjugates ? std::conj(wide(y[j])) : wide(y[j]));
          }
        EXPECT(different == 0);
      }
}

template <typename T, typename Out, typename Call>
void show_bits(const char* name, cublasHandle_t handle, Call call) {
  Array<T> x(100003), y(100003);
  for (T& element : x.host) element = random_fraction<T>();
  for (T& element : y.host) element = random_fraction<T>();
  x.to_device(), y.to_device();
  print_bits(name, std::vector<Out>{result_of<Out>(handle, false, [&](Out* place) {
               return call(handle, 100003, x.device, y.device, place);
             })});
}

}  // namespace

int main() {
  cublasHandle_t handle;
  EXPECT(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  check_elements<float>(handle, cublasSscal, cublasSaxpy, cublasScopy, cublasSswap);
  check_elements<double>(handle, cublasDscal, cublasDaxpy, cublasDcopy, cublasDswap);
  check_elements<cuComplex>(handle, cublasCscal, cublasCaxpy, cublasCcopy, cublasCswap);
  check_elements<cuDoubleComplex>(handle, cublasZscal_64, cublasZaxpy_64, cublasZcopy_64,
                                  cublasZswap_64);
  check_dot<float>(handle, false, cublasSdot);
  check_dot<double>(handle, false, cublasDdot_64);
  check_dot<cuComplex>(handle, false, cublasCdotu);
  check_dot<cuComplex>(handle, true, cublasCdotc);
  check_dot<cuDoubleComplex>(handle, false, cublasZdotu);
  check_dot<cuDoubleComplex>(handle, true, cublasZdotc);
  check_sums<float, float, int>(handle, cublasSnrm2, cublasSasum, cublasIsamax, cublasIsamin);
  check_sums<double, double, int64_t>(handle, cublasDnrm2_64, cublasDasum_64, cublasIdamax_64,
                                      cublasIdamin_64);
  check_sums<cuComplex, float, int>(handle, cublasScnrm2, cublasScasum, cublasIcamax, cublasIcamin);
  check_sums<cuDoubleComplex, double, int>(handle, cublasDznrm2, cublasDzasum, cublasIzamax,
                                           cublasIzamin);
  check_mixed(handle);
  check_gemv<float>(handle, cublasSgemv, cublasSgemvStridedBatched, cublasSgemvBatched);
  check_gemv<double>(handle, cublasDgemv, cublasDgemvStridedBatched, cublasDgemvBatched);
  check_gemv<cuComplex>(handle, cublasCgemv, cublasCgemvStridedBatched, cublasCgemvBatched);
  check_gemv<cuDoubleComplex>(handle, cublasZgemv, cublasZgemvStridedBatched, cublasZgemvBatched);
  check_short_gemv<__half, __half>(handle, cublasHSHgemvStridedBatched, cublasHSHgemvBatched);
  check_short_gemv<__half, float>(handle, cublasHSSgemvStridedBatched_64, cublasHSSgemvBatched);
  check_short_gemv<__nv_bfloat16, __nv_bfloat16>(handle, cublasTSTgemvStridedBatched,
                                                 cublasTSTgemvBatched);
  check_short_gemv<__nv_bfloat16, float>(handle, cublasTSSgemvStridedBatched,
                                         cublasTSSgemvBatched_64);
  check_ger<float>(handle, false, cublasSger);
  check_ger<double>(handle, false, cublasDger);
  check_ger<cuComplex>(handle, false, cublasCgeru);
  check_ger<cuComplex>(handle, true, cublasCgerc);
  check_ger<cuDoubleComplex>(handle, false, cublasZgeru);
  check_ger<cuDoubleComplex>(handle, true, cublasZgerc);
  show_bits<float, float>(
      "Sdot", handle, [](cublasHandle_t h, int n, const float* x, const float* y, float* result) {
        return cublasSdot(h, n, x, 1, y, 1, result);
      });
  show_bits<cuDoubleComplex, double>(
      "Dznrm2", handle,
      [](cublasHandle_t h, int n, const cuDoubleComplex* x, const cuDoubleComplex*,
         double* result) { return cublasDznrm2(h, n, x, 1, result); });
  show_bits<double, double>(
      "Dasum", handle, [](cublasHandle_t h, int n, const double* x, const double*, double* result) {
        return cublasDasum(h, n, x, 1, result);
      });
  EXPECT(cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS);
  return finish();
}
