// Particles move: structures of six numbers, of which three change.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

struct Particle {
  float x, y, z, vx, vy, vz;
};

__global__ void move(Particle* all, float time, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  all[i].x += time * all[i].vx;
  all[i].y += time * all[i].vy;
  all[i].z += time * all[i].vz;
}

CASE(particles) {
  const int n = bench::particles;
  const auto start = bench::numbers(6 * n, 0, 1);
  bench::Array<float> all(start);
  run.measure([&] { all.fill(start); },
              [&] {
                float* numbers = all;
                move<<<bench::blocks(n, 256), 256>>>(reinterpret_cast<Particle*>(numbers), 0.1f, n);
                bench::finish();
              });
  all.report(run);
}
