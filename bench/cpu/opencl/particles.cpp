// Particles move: structures of six numbers, of which three change.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

CASE(particles) {
  const int n = bench::particles;
  const bench::Program program("particles.cl");
  const bench::Kernel move(program.kernel("move"));
  const auto start = bench::numbers(6 * n, 0, 1);
  bench::Array<float> all(start);
  run.measure([&] { all.fill(start); },
              [&] {
                move(bench::blocks(n, 256), 256, all, 0.1f, n);
                bench::finish();
              });
  all.report(run);
}
