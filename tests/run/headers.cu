// The headers programs include, all in one file, and what arrives without any.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Language | headers: cuda.h, cuda_runtime.h, cuda_runtime_api.h, device_launch_parameters.h, vector_types.h, vector_functions.h, device_functions.h, math_functions.h, driver_types.h, host_defines.h, builtin_types.h
// FEATURE: Language | C and C++ standard headers beside them (algorithm, complex, limits, numeric, random, thread, type_traits)
__global__ void without_any_include(int* out) { out[threadIdx.x] = threadIdx.x * 2; }
// nvcc includes the C library's basics by itself.
static int implicit_host(int x) {
  return abs(x) + static_cast<int>(sqrt(16.0)) + (int)strlen("abc");
}

#include <builtin_types.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <device_launch_parameters.h>
#include <driver_types.h>
#include <vector_functions.h>
#include <vector_types.h>
#if CUDART_VERSION < 13000
#include <device_functions.h>
#include <host_defines.h>
#include <math_functions.h>
#endif

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <cmath>
#include <complex>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <vector>

#include "check.h"

__global__ void standard(int* out, float* real) {
  const int i = check::global_index();
  out[i] = static_cast<int>(std::is_same<decltype(i), const int>::value) +
           static_cast<int>(std::numeric_limits<short>::digits) * 2;
  real[i] = std::sqrt(4.0f) + std::fabs(-1.5f) + std::pow(2.0f, 3.0f);
}

int main() {
  check::Array<int> out(33), second(33);
  check::Array<float> real(33);
  without_any_include<<<1, 33>>>(out.data());
  std::vector<int> want(33);
  std::iota(want.begin(), want.end(), 0);
  std::transform(want.begin(), want.end(), want.begin(), [](int x) { return 2 * x; });
  check::equal("without_any_include", out.get(), want);
  standard<<<1, 33>>>(second.data(), real.data());
  check::equal("standard", second.get(), std::vector<int>(33, 31));
  check::equal("real", real.get(), std::vector<float>(33, 11.5f));
  CHECK_EQ(implicit_host(-5), 12);
  const std::complex<double> z = std::polar(1.0, 0.0);
  CHECK_EQ(z.real(), 1.0);
  CHECK(CUDART_VERSION >= 11000);
  CHECK(CUDA_VERSION >= 11000);
  return check::finish();
}
