// Prices of options: functions of one number after the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"

#include <cmath>

static float normal(float d) { return 0.5f * std::erfc(-0.70710678f * d); }

CASE(black_scholes) {
  constexpr float interest = 0.02f, volatility = 0.3f;
  const int n = bench::options;
  const auto spot = bench::numbers(n, 5, 30), strike = bench::numbers(n, 1, 100, 2),
             years = bench::numbers(n, 0.25f, 10, 3);
  std::vector<float> both(2 * n);
  run.measure([&] {
    float *call = both.data(), *put = call + n;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; ++i) {
      const float s = spot[i], x = strike[i], t = years[i], spread = volatility * std::sqrt(t);
      const float d1 = (std::log(s / x) + (interest + 0.5f * volatility * volatility) * t) / spread;
      const float d2 = d1 - spread, discounted = x * std::exp(-interest * t);
      const float n1 = normal(d1), n2 = normal(d2);
      call[i] = s * n1 - discounted * n2;
      put[i] = discounted * (1 - n2) - s * (1 - n1);
    }
  });
  run.result(both.data(), both.size());
}
