// Speckle reduction: statistics of the image, diffusion coefficients, diffusion.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

#include <utility>

static float speckle(const std::vector<cl_float2>& partial, float count) {
  double sum = 0, squares = 0;
  for (const cl_float2& one : partial) sum += one.s[0], squares += one.s[1];
  const double mean = sum / count;
  return static_cast<float>((squares / count - mean * mean) / (mean * mean));
}

CASE(srad) {
  const int n = bench::plate, threads = 256, sum_groups = 64;
  const bench::Program program("srad.cl", bench::macro("THREADS", threads));
  const bench::Kernel sums(program.kernel("sums")), coefficients(program.kernel("coefficients")),
      diffuse(program.kernel("diffuse"));
  const auto start = bench::numbers(n * n, 1, 2);
  bench::Array<float> image(start), other(n * n), coefficient(n * n);
  bench::Array<cl_float2> partial(sum_groups);
  const bench::Extent size(32, 8), grid = bench::blocks(n, n, size);
  run.measure([&] { image.fill(start); },
              [&] {
                const bench::Array<float>*from = &image, *to = &other;
                for (int i = 0; i < bench::speckle_steps; ++i) {
                  sums(sum_groups, threads, *from, partial, n * n);
                  const float now = speckle(partial.values(), static_cast<float>(n) * n);
                  coefficients(grid, size, *from, coefficient, n, now, 1 / (now * (1 + now)));
                  diffuse(grid, size, *from, coefficient, *to, n);
                  std::swap(from, to);
                }
                bench::finish();
              });
  image.report(run);
}
