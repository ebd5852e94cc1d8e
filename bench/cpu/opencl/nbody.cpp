// Gravity among all bodies: straight from memory, and with tiles of bodies in local memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

static void gravity(bench::Run& run, const char* name) {
  const int n = bench::bodies, tile = 128;
  const bench::Program program("nbody.cl", bench::macro("TILE", tile));
  const bench::Kernel kernel(program.kernel(name));
  bench::Array<float> bodies(bench::numbers(4 * n, 0, 1)), force(4 * n);
  run.measure([&] {
    kernel(bench::blocks(n, tile), tile, bodies, force, n);
    bench::finish();
  });
  force.report(run);
}

CASE(nbody) { gravity(run, "nbody"); }
CASE(nbody_tiled) { gravity(run, "nbody_tiled"); }
