// cuBLAS, level 1: rotations, and vectors whose element types are arguments, against a plain
// reference. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "blas_vectors.h"

namespace {

const int sizes[] = {1, 37, 256, 10007};

template <typename T>
constexpr cudaDataType type_of = CUDA_R_32F;
template <>
constexpr cudaDataType type_of<double> = CUDA_R_64F;
template <>
constexpr cudaDataType type_of<cuComplex> = CUDA_C_32F;
template <>
constexpr cudaDataType type_of<cuDoubleComplex> = CUDA_C_64F;
template <>
constexpr cudaDataType type_of<__half> = CUDA_R_16F;
template <>
constexpr cudaDataType type_of<__nv_bfloat16> = CUDA_R_16BF;
template <typename T>
constexpr bool is_short = sizeof(T) == 2;
/// What T is computed in.
template <typename T>
constexpr cudaDataType computed = is_short<T> ? CUDA_R_32F : type_of<T>;

// --- rotations

template <typename T, typename Cosine, typename Sine, typename Call>
void check_rot(cublasHandle_t handle, Call rot) {
  int round = 0;
  for (const int n : sizes)
    for (const int x_step : steps)
      for (const int y_step : steps) {
        Vector<T> x(n, x_step), y(n, y_step);
        const bool on_device = ++round % 2;
        const Number c = 2, s(-3, Of<Sine>::is_complex ? 1 : 0);
        const Factor<Cosine> cosine(handle, Of<Cosine>::number(c), on_device);
        const Factor<Sine> sine(handle, Of<Sine>::number(s), on_device);
        EXPECT(rot(handle, n, x.device, x_step, y.device, y_step,
                   static_cast<const Cosine*>(cosine),
                   static_cast<const Sine*>(sine)) == CUBLAS_STATUS_SUCCESS);
        EXPECT_ELEMENTS(x, [&](int i) { return c * wide(x[i]) + s * wide(y[i]); });
        EXPECT_ELEMENTS(y, [&](int i) { return c * wide(y[i]) - std::conj(s) * wide(x[i]); });
      }
  Vector<T> x(5, 1);
  const Factor<Cosine> c(handle, Of<Cosine>::number(2), false);
  const Factor<Sine> s(handle, Of<Sine>::number(2), false);
  EXPECT(rot(handle, 0, static_cast<T*>(nullptr), 1, static_cast<T*>(nullptr), 1,
             static_cast<const Cosine*>(c), static_cast<const Sine*>(s)) == CUBLAS_STATUS_SUCCESS);
  EXPECT(rot(handle, 5, x.device, 1, x.device, 1, static_cast<const Cosine*>(nullptr),
             static_cast<const Sine*>(s)) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(rot(nullptr, 5, x.device, 1, x.device, 1, static_cast<const Cosine*>(c),
             static_cast<const Sine*>(s)) == CUBLAS_STATUS_NOT_INITIALIZED);
}

template <typename T, typename Call>
void check_rotm(cublasHandle_t handle, Call rotm) {
  int round = 0;
  for (const int n : sizes)
    for (const int step : steps)
      for (const int flag : {-2, -1, 0, 1}) {
        Vector<T> x(n, step), y(n, steps[++round % 3]);
        const bool on_device = round % 2;
        EXPECT(cublasSetPointerMode(
                   handle, on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST) ==
               CUBLAS_STATUS_SUCCESS);
        Array<T> h(5);
        h.host = {Of<T>::number(flag), Of<T>::number(2), Of<T>::number(-3), Of<T>::number(3),
                  Of<T>::number(-2)};
        // What the flag says is not read.
        if (flag == 0 || flag == -2) h.host[1] = h.host[4] = poison<T>();
        if (flag == 1 || flag == -2) h.host[2] = h.host[3] = poison<T>();
        h.to_device();
        EXPECT(rotm(handle, n, x.device, step, y.device, y.step,
                    static_cast<const T*>(on_device ? h.device : h.host.data())) ==
               CUBLAS_STATUS_SUCCESS);
        const double h11 = flag == 0 || flag == -2 ? 1 : 2, h22 = flag == 0 || flag == -2 ? 1 : -2,
                     h21 = flag == -2  ? 0
                           : flag == 1 ? -1
                                       : -3,
                     h12 = flag == -2  ? 0
                           : flag == 1 ? 1
                                       : 3;
        EXPECT_ELEMENTS(x, [&](int i) { return h11 * wide(x[i]) + h12 * wide(y[i]); });
        EXPECT_ELEMENTS(y, [&](int i) { return h21 * wide(x[i]) + h22 * wide(y[i]); });
      }
}

/// Numbers of a call, in host or in device memory.
template <typename T>
struct Numbers {
  Numbers(cublasHandle_t handle, bool on_device, std::vector<Number> values)
      : on_device(on_device), array(values.size()) {
    EXPECT(cublasSetPointerMode(
               handle, on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST) ==
           CUBLAS_STATUS_SUCCESS);
    for (std::size_t i = 0; i < values.size(); ++i) array.host[i] = Of<T>::number(values[i]);
    array.to_device();
  }
  T* operator[](int i) { return (on_device ? array.device : array.host.data()) + i; }
  Number get(int i) { return wide(on_device ? array.from_device()[i] : array.host[i]); }
  bool on_device;
  Array<T> array;
};

template <typename T, typename R, typename Call>
void check_rotg(cublasHandle_t handle, double tolerance, Call rotg) {
  const bool is_complex = Of<T>::is_complex;
  for (const bool on_device : {false, true})
    for (const Number a : {Number(0), Number(3), Number(-4, is_complex ? 2 : 0), Number(1e-3)})
      for (const Number b : {Number(0), Number(4), Number(2, is_complex ? -1 : 0), Number(-5)}) {
        Numbers<T> values(handle, on_device, {a, b, 77});
        Numbers<R> cosine(handle, on_device, {77});
        EXPECT(rotg(handle, values[0], values[1], cosine[0], values[2]) == CUBLAS_STATUS_SUCCESS);
        const Number c = cosine.get(0), s = values.get(2), r = values.get(0);
        // (c s; -conj(s) c) (a b) is (r 0), and keeps lengths.
        EXPECT(std::abs(c * a + s * b - r) <= tolerance);
        EXPECT(std::abs(-std::conj(s) * a + c * b) <= tolerance);
        EXPECT(std::abs(std::norm(c) + std::norm(s) - 1) <= tolerance);
        if (is_complex) continue;
        // One number from which c and s come back.
        const double z = values.get(1).real();
        const double c_of_z = z == 1 ? 0 : std::abs(z) < 1 ? std::sqrt(1 - z * z) : 1 / z;
        const double s_of_z = z == 1 ? 1 : std::abs(z) < 1 ? z : std::sqrt(1 - c_of_z * c_of_z);
        EXPECT(std::abs(c_of_z - c.real()) <= 4 * tolerance &&
               std::abs(s_of_z - s.real()) <= 4 * tolerance);
      }
}

template <typename T, typename Call>
void check_rotmg(cublasHandle_t handle, double tolerance, Call rotmg) {
  struct Case {
    double d1, d2, x1, y1;
    int flag;
  };
  for (const bool on_device : {false, true})
    for (const Case& one :
         {Case{2, 3, 5, 1, 0}, Case{2, 3, 1, 5, 1}, Case{2, 0, 1, 5, -2}, Case{-1, 3, 1, 5, -1},
          Case{1e9, 2e9, 3, 1, -1}, Case{1e-9, 2e-9, 1, 3, -1}, Case{1, -3, 1, 5, -1}}) {
      Numbers<T> v(handle, on_device, {one.d1, one.d2, one.x1, one.y1, 7, 7, 7, 7, 7});
      EXPECT(rotmg(handle, v[0], v[1], v[2], static_cast<const T*>(v[3]), v[4]) ==
             CUBLAS_STATUS_SUCCESS);
      const auto get = [&](int i) { return v.get(i).real(); };
      const int flag = static_cast<int>(get(4));
      EXPECT(flag == one.flag);
      const bool is_error = one.d1 < 0 || one.d2 < 0;
      if (flag == -2) {
        EXPECT(get(0) == one.d1 && get(1) == one.d2 && get(2) == one.x1);
      } else if (is_error) {
        EXPECT(get(0) == 0 && get(1) == 0 && get(2) == 0 && get(5) == 0 && get(8) == 0);
      } else {
        const double h11 = flag == 0 ? 1 : get(5), h21 = flag == 1 ? -1 : get(6),
                     h12 = flag == 1 ? 1 : get(7), h22 = flag == 0 ? 1 : get(8);
        const double x = h11 * one.x1 + h12 * one.y1, y = h21 * one.x1 + h22 * one.y1;
        EXPECT(std::abs(x - get(2)) <= tolerance * std::abs(x));
        EXPECT(std::abs(y) <= tolerance * std::abs(h22 * one.y1));
        const double before = one.d1 * one.x1 * one.x1 + one.d2 * one.y1 * one.y1;
        EXPECT(std::abs(get(0) * x * x - before) <= 8 * tolerance * before);
        EXPECT(flag >= 0 || (std::abs(get(0)) < 16777216 && std::abs(get(0)) > 1.0 / 16777216));
      }
    }
}

// --- element types as arguments

template <typename T, typename Scale>
void check_types(cublasHandle_t handle) {
  const cudaDataType type = type_of<T>, scale = type_of<Scale>, execution = computed<T>;
  int round = 0;
  for (const int n : sizes)
    for (const int step : steps) {
      const bool on_device = ++round % 2 && (!is_short<T> || !is_short<Scale>);
      Vector<T> x(n, step), y(n, steps[round % 3]);
      const Factor<Scale> alpha(handle, Of<Scale>::number(-2), on_device);
      EXPECT(cublasAxpyEx(handle, n, alpha, scale, x.device, type, step, y.device, type, y.step,
                          execution) == CUBLAS_STATUS_SUCCESS);
      EXPECT_ELEMENTS(y, [&](int i) { return -2.0 * wide(x[i]) + wide(y[i]); });
      EXPECT(cublasScalEx_64(handle, n, alpha, scale, x.device, type, step, execution) ==
             CUBLAS_STATUS_SUCCESS);
      EXPECT_ELEMENTS(x, [&](int i) { return (step > 0 ? -2.0 : 1.0) * wide(x[i]); });
      Vector<T> z(n, step), w(n, y.step), v(n, step);
      EXPECT(cublasCopyEx(handle, n, z.device, type, step, w.device, type, w.step) ==
             CUBLAS_STATUS_SUCCESS);
      EXPECT_ELEMENTS(w, [&](int i) { return wide(z[i]); });
      EXPECT(cublasSwapEx(handle, n, v.device, type, step, w.device, type, w.step) ==
             CUBLAS_STATUS_SUCCESS);
      EXPECT_ELEMENTS(v, [&](int i) { return wide(z[i]); });
      EXPECT_ELEMENTS(w, [&](int i) { return wide(v[i]); });
    }
  Vector<T> x(4, 1);
  const Factor<Scale> alpha(handle, Of<Scale>::number(-2), false);
  EXPECT(cublasAxpyEx(handle, 4, alpha, scale, x.device, type, 1, x.device, CUDA_R_8I, 1,
                      execution) == CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT(cublasScalEx(handle, 4, alpha, scale, x.device, type, 1, CUDA_R_8I) ==
         CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT(cublasScalEx(handle, 4, nullptr, scale, x.device, type, 1, execution) ==
         CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(cublasCopyEx(nullptr, 4, x.device, type, 1, x.device, type, 1) ==
         CUBLAS_STATUS_NOT_INITIALIZED);
}

template <typename T, typename Real>
void check_typed_sums(cublasHandle_t handle, double tolerance) {
  int round = 0;
  const cudaDataType execution = is_short<T> ? CUDA_R_32F : type_of<Real>;
  for (const int n : {1, 37, 256, 5000})
    for (const int step : {1, 3}) {
      Vector<T> x(n, step);
      const bool on_device = ++round % 2;
      double squares = 0, absolute = 0, most = -1, least = 1e9;
      int most_at = 0, least_at = 0;
      for (int i = 0; i < n; ++i) {
        const Number element = wide(x[i]);
        const double size = std::abs(element.real()) + std::abs(element.imag());
        squares += std::norm(element);
        absolute += size;
        if (size > most) most = size, most_at = i + 1;
        if (size < least) least = size, least_at = i + 1;
      }
      const double norm = wide(result_of<Real>(handle, on_device, [&](Real* place) {
                            return cublasNrm2Ex(handle, n, x.device, type_of<T>, step, place,
                                                type_of<Real>, execution);
                          })).real();
      EXPECT(std::abs(norm - std::sqrt(squares)) <= tolerance * std::sqrt(squares));
      const double sum = wide(result_of<Real>(handle, on_device, [&](Real* place) {
                           return cublasAsumEx(handle, n, x.device, type_of<T>, step, place,
                                               type_of<Real>, execution);
                         })).real();
      EXPECT(std::abs(sum - absolute) <= tolerance * absolute);
      EXPECT(result_of<int>(handle, on_device, [&](int* place) {
               return cublasIamaxEx(handle, n, x.device, type_of<T>, step, place);
             }) == most_at);
      EXPECT(result_of<std::int64_t>(handle, on_device, [&](std::int64_t* place) {
               return cublasIaminEx_64(handle, n, x.device, type_of<T>, step, place);
             }) == least_at);
    }
}

template <typename T, typename Number_, typename Sine = Number_>
auto rot_ex() {
  return [](cublasHandle_t h, int n, T* x, int x_step, T* y, int y_step, const Number_* c,
            const Sine* s) {
    return cublasRotEx(h, n, x, type_of<T>, x_step, y, type_of<T>, y_step, c, s, type_of<Sine>,
                       computed<T>);
  };
}
template <typename T>
auto rotm_ex() {
  return [](cublasHandle_t h, int n, T* x, int x_step, T* y, int y_step, const T* parameters) {
    return cublasRotmEx(h, n, x, type_of<T>, x_step, y, type_of<T>, y_step, parameters, type_of<T>,
                        computed<T>);
  };
}

}  // namespace

int main() {
  cublasHandle_t handle;
  EXPECT(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  check_rot<float, float, float>(handle, cublasSrot);
  check_rot<double, double, double>(handle, cublasDrot_64);
  check_rot<cuComplex, float, cuComplex>(handle, cublasCrot);
  check_rot<cuComplex, float, float>(handle, cublasCsrot);
  check_rot<cuDoubleComplex, double, cuDoubleComplex>(handle, cublasZrot);
  check_rot<cuDoubleComplex, double, double>(handle, cublasZdrot);
  check_rot<__half, __half, __half>(handle, rot_ex<__half, __half>());
  check_rot<__half, float, float>(handle, rot_ex<__half, float>());
  check_rot<__nv_bfloat16, __nv_bfloat16, __nv_bfloat16>(handle,
                                                         rot_ex<__nv_bfloat16, __nv_bfloat16>());
  check_rot<double, double, double>(handle, rot_ex<double, double>());
  check_rot<cuComplex, float, cuComplex>(handle, rot_ex<cuComplex, float, cuComplex>());
  check_rot<cuDoubleComplex, double, double>(handle, rot_ex<cuDoubleComplex, double, double>());
  check_rotm<float>(handle, cublasSrotm);
  check_rotm<double>(handle, cublasDrotm);
  check_rotm<float>(handle, rotm_ex<float>());
  check_rotm<__half>(handle, rotm_ex<__half>());
  check_rotm<__nv_bfloat16>(handle, rotm_ex<__nv_bfloat16>());
  check_rotg<float, float>(handle, 2e-6, cublasSrotg);
  check_rotg<double, double>(handle, 4e-15, cublasDrotg);
  check_rotg<cuComplex, float>(handle, 2e-6, cublasCrotg);
  check_rotg<cuDoubleComplex, double>(handle, 4e-15, cublasZrotg);
  check_rotg<double, double>(
      handle, 4e-15, [](cublasHandle_t h, double* a, double* b, double* c, double* s) {
        return cublasRotgEx(h, a, b, CUDA_R_64F, c, s, CUDA_R_64F, CUDA_R_64F);
      });
  check_rotmg<float>(handle, 1e-6, cublasSrotmg);
  check_rotmg<double>(handle, 1e-14, cublasDrotmg);
  check_types<float, float>(handle);
  check_types<double, double>(handle);
  check_types<cuComplex, cuComplex>(handle);
  check_types<cuDoubleComplex, cuDoubleComplex>(handle);
  check_types<__half, float>(handle);
  check_types<__half, __half>(handle);
  check_types<__nv_bfloat16, float>(handle);
  check_types<__nv_bfloat16, __nv_bfloat16>(handle);
  check_typed_sums<float, float>(handle, 1e-6);
  check_typed_sums<double, double>(handle, 1e-14);
  check_typed_sums<cuComplex, float>(handle, 1e-6);
  check_typed_sums<cuDoubleComplex, double>(handle, 1e-14);
  check_typed_sums<__half, __half>(handle, 1e-3);
  check_typed_sums<__nv_bfloat16, __nv_bfloat16>(handle, 8e-3);
  EXPECT(cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS);
  return finish();
}
