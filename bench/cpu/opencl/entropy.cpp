// How mixed an image is around each pixel: a work-item counts the shades of its window.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

CASE(entropy) {
  const int n = bench::image, window = 2 * bench::radius + 1;
  const bench::Program program(
      "entropy.cl", bench::macro("RADIUS", bench::radius) + bench::macro("SHADES", bench::shades));
  const bench::Kernel kernel(program.kernel("entropy"));
  bench::Array<float> weight(bench::entropies(window * window)), out(n * n);
  bench::Array<int> in(bench::integers(n * n, bench::shades));
  const bench::Extent size(32, 8);
  run.measure([&] {
    kernel(bench::blocks(n, n, size), size, in, weight, out, n);
    bench::finish();
  });
  out.report(run);
}
