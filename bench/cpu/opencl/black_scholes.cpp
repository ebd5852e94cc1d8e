// Prices of options: functions of one number after the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

CASE(black_scholes) {
  const int n = bench::options;
  const bench::Program program("black_scholes.cl");
  const bench::Kernel price(program.kernel("price"));
  bench::Array<float> spot(bench::numbers(n, 5, 30)), strike(bench::numbers(n, 1, 100, 2)),
      years(bench::numbers(n, 0.25f, 10, 3)), call(n), put(n);
  run.measure([&] {
    price(bench::blocks(n, 128), 128, spot, strike, years, call, put, n);
    bench::finish();
  });
  auto both = call.values();
  const auto puts = put.values();
  both.insert(both.end(), puts.begin(), puts.end());
  run.result(both.data(), both.size());
}
