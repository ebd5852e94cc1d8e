// A convolution of an image: a tile and its halo in local memory, weights in constant memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

CASE(convolution) {
  const int n = bench::image, window = 2 * bench::radius + 1, width = 32, height = 8;
  const bench::Program program("convolution.cl", bench::macro("RADIUS", bench::radius) +
                                                     bench::macro("WIDTH", width) +
                                                     bench::macro("HEIGHT", height));
  const bench::Kernel convolve(program.kernel("convolve"));
  bench::Array<float> weights(bench::numbers(window * window, 0, 0.1f, 2)),
      in(bench::numbers(n * n, 0, 1)), out(n * n);
  const bench::Extent size(width, height);
  run.measure([&] {
    convolve(bench::blocks(n, n, size), size, in, weights, out, n);
    bench::finish();
  });
  out.report(run);
}
