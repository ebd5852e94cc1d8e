// An electromagnetic field in the plane: three kernels a step.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

#include <cmath>

CASE(fdtd2d) {
  const int n = bench::plate;
  const bench::Program program("fdtd2d.cl");
  const bench::Kernel step_ey(program.kernel("step_ey")), step_ex(program.kernel("step_ex")),
      step_hz(program.kernel("step_hz"));
  const std::vector<float> zero(n * n);
  const auto start = bench::numbers(n * n, 0, 1);
  bench::Array<float> ex(n * n), ey(n * n), hz(n * n);
  const bench::Extent size(32, 8), grid = bench::blocks(n, n, size);
  const auto prepare = [&] { ex.fill(zero), ey.fill(zero), hz.fill(start); };
  run.measure(prepare, [&] {
    for (int i = 0; i < bench::steps; ++i) {
      step_ey(grid, size, ey, hz, std::exp(-0.01f * static_cast<float>(i)), n);
      step_ex(grid, size, ex, hz, n);
      step_hz(grid, size, ex, ey, hz, n);
    }
    bench::finish();
  });
  hz.report(run);
}
