// What the tests of cuBLAS' vectors share: vectors with gaps, numbers and results in either memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "blas_check.h"

#include <algorithm>
#include <cmath>

const int steps[] = {1, 3, -2};

/// A vector with gaps of poison.
template <typename T>
struct Vector : Array<T> {
  Vector(int n, int step, bool random = true)
      : Array<T>(static_cast<std::size_t>(n) * std::abs(step) + 1), count(n), step(step) {
    this->fill(poison<T>());
    for (int i = 0; i < n; ++i) at(this->host, i) = random ? random_number<T>() : poison<T>();
    this->to_device();
  }
  T& at(std::vector<T>& values, int i) const {
    return values[step > 0 ? i * step : (i - count + 1) * step];
  }
  T operator[](int i) { return at(this->host, i); }
  int count, step;
};

/// Elements are as `expected` says, by index; the gaps are as they were.
template <typename T, typename Expected>
void expect_elements(Vector<T>& vector, Expected expected, int line, double tolerance = 0) {
  std::vector<T> got = vector.from_device();
  int different = 0;
  for (int i = 0; i < vector.count; ++i) {
    const Number wanted = expected(i);
    different += !(std::abs(wide(vector.at(got, i)) - wanted) <=
                   tolerance * std::max(1.0, std::abs(wanted)));
    vector.at(got, i) = vector[i];
  }
  for (std::size_t i = 0; i < got.size(); ++i) different += !same_bits(got[i], vector.host[i]);
  if (!expect(different == 0, "elements of a vector", line))
    std::printf("  %d different of %d, step %d\n", different, vector.count, vector.step);
}
#define EXPECT_ELEMENTS(vector, ...) expect_elements(vector, __VA_ARGS__, __LINE__)
#define EXPECT_NEAR(vector, tolerance, ...) \
  expect_elements(vector, __VA_ARGS__, __LINE__, tolerance)

/// A number on the host, or on the device with the handle's mode set so.
template <typename T>
class Factor {
 public:
  Factor(cublasHandle_t handle, T value, bool on_device) : value_(1) {
    value_.host[0] = value;
    value_.to_device();
    EXPECT(cublasSetPointerMode(
               handle, on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST) ==
           CUBLAS_STATUS_SUCCESS);
    place_ = on_device ? value_.device : value_.host.data();
  }
  operator const T*() const { return place_; }

 private:
  Array<T> value_;
  const T* place_;
};

/// What a function puts into a result in host and in device memory.
template <typename Out, typename Call>
Out result_of(cublasHandle_t handle, bool on_device, Call call) {
  EXPECT(cublasSetPointerMode(handle,
                              on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST) ==
         CUBLAS_STATUS_SUCCESS);
  Array<Out> place(1);
  place.fill(poison<Out>());
  place.to_device();
  EXPECT(call(on_device ? place.device : place.host.data()) == CUBLAS_STATUS_SUCCESS);
  return on_device ? place.from_device()[0] : place.host[0];
}
