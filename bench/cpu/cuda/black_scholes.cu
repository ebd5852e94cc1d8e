// Prices of options: functions of one number after the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

constexpr float interest = 0.02f, volatility = 0.3f;

__global__ void price(const float* spot, const float* strike, const float* years, float* call,
                      float* put, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = spot[i], x = strike[i], t = years[i];
  float spread = volatility * sqrtf(t);
  float d1 = (logf(s / x) + (interest + 0.5f * volatility * volatility) * t) / spread;
  float d2 = d1 - spread;
  float discounted = x * expf(-interest * t);
  call[i] = s * normcdff(d1) - discounted * normcdff(d2);
  put[i] = discounted * normcdff(-d2) - s * normcdff(-d1);
}

CASE(black_scholes) {
  const int n = bench::options;
  bench::Array<float> spot(bench::numbers(n, 5, 30)), strike(bench::numbers(n, 1, 100, 2)),
      years(bench::numbers(n, 0.25f, 10, 3)), call(n), put(n);
  run.measure([&] {
    price<<<bench::blocks(n, 128), 128>>>(spot, strike, years, call, put, n);
    bench::finish();
  });
  auto both = call.values();
  const auto puts = put.values();
  both.insert(both.end(), puts.begin(), puts.end());
  run.result(both.data(), both.size());
}
