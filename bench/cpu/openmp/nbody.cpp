// Gravity among all bodies: coordinates apart, the pull of many bodies on one in vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"

#include <cmath>

static void gravity(bench::Run& run) {
  const int n = bench::bodies;
  const auto bodies = bench::numbers(4 * n, 0, 1);
  std::vector<float> force(4 * n), xs(n), ys(n), zs(n), masses(n);
  run.measure([&] {
    float *px = xs.data(), *py = ys.data(), *pz = zs.data(), *mass = masses.data();
#pragma omp parallel
    {
#pragma omp for schedule(static)
      for (int i = 0; i < n; ++i) {
        px[i] = bodies[4 * i], py[i] = bodies[4 * i + 1];
        pz[i] = bodies[4 * i + 2], mass[i] = bodies[4 * i + 3];
      }
#pragma omp for schedule(static)
      for (int i = 0; i < n; ++i) {
        const float mx = px[i], my = py[i], mz = pz[i];
        float ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
        for (int j = 0; j < n; ++j) {
          const float dx = px[j] - mx, dy = py[j] - my, dz = pz[j] - mz;
          const float r = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + 1e-3f);
          const float f = mass[j] * r * r * r;
          ax += f * dx;
          ay += f * dy;
          az += f * dz;
        }
        force[4 * i] = ax;
        force[4 * i + 1] = ay;
        force[4 * i + 2] = az;
      }
    }
  });
  run.result(force.data(), force.size());
}

CASE(nbody) { gravity(run); }
CASE(nbody_tiled) { gravity(run); }
