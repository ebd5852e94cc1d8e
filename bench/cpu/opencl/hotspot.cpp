// Heat on a chip: straight from memory, and with a tile and its halo in local memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

static void heat(bench::Run& run, const char* name, int n = bench::plate,
                 int steps = bench::steps) {
  const int width = 32, height = 8;
  const bench::Program program("hotspot.cl",
                               bench::macro("WIDTH", width) + bench::macro("HEIGHT", height));
  const bench::Kernel kernel(program.kernel(name));
  const auto start = bench::numbers(n * n, 70, 90, 2);
  bench::Array<float> power(bench::numbers(n * n, 0, 1)), a(start), b(n * n);
  const bench::Extent size(width, height);
  run.measure([&] { a.fill(start); },
              [&] {
                for (int i = 0; i < steps; i += 2) {
                  kernel(bench::blocks(n, n, size), size, power, a, b, n);
                  kernel(bench::blocks(n, n, size), size, power, b, a, n);
                }
                bench::finish();
              });
  a.report(run);
}

CASE(hotspot) { heat(run, "hotspot"); }
CASE(hotspot_tiled) { heat(run, "hotspot_tiled"); }
CASE(hotspot_large) { heat(run, "hotspot", bench::large_plate, bench::few_steps); }
