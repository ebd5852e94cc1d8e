// Particles move: structures of six numbers, of which three change.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"

CASE(particles) {
  const int n = bench::particles;
  const auto start = bench::numbers(6 * n, 0, 1);
  auto all = start;
  float* numbers = all.data();
  run.measure([&] { all = start; },
              [&] {
#pragma omp parallel for schedule(static)
                for (int i = 0; i < n; ++i)
                  for (int axis = 0; axis < 3; ++axis)
                    numbers[6 * i + axis] += 0.1f * numbers[6 * i + 3 + axis];
              });
  run.result(numbers, 6 * n);
}
