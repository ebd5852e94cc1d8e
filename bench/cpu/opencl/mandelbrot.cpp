// The Mandelbrot set: work-items that leave a loop at different times.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "device.h"

CASE(mandelbrot) {
  const int n = bench::picture;
  const bench::Program program("mandelbrot.cl");
  const bench::Kernel mandelbrot(program.kernel("mandelbrot"));
  bench::Array<int> out(n * n);
  const bench::Extent size(32, 8);
  run.measure([&] {
    mandelbrot(bench::blocks(n, n, size), size, out, n, bench::picture_limit);
    bench::finish();
  });
  out.report(run);
}
