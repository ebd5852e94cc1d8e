// Speckle reduction: rows in parallel, pixels of a row in vectors, borders apart.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"

#include <algorithm>

constexpr float rate = 0.5f;

static float speckle(const float* image, int count) {
  double sum = 0, squares = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum, squares)
  for (int first = 0; first < count; first += 1024) {
    float part = 0, part_squares = 0;
#pragma omp simd reduction(+ : part, part_squares)
    for (int i = first; i < first + 1024; ++i) {
      part += image[i];
      part_squares += image[i] * image[i];
    }
    sum += part;
    squares += part_squares;
  }
  const double mean = sum / count;
  return static_cast<float>((squares / count - mean * mean) / (mean * mean));
}

/// Calls cell(x, west, east) for a row of n.
template <class Cell>
static void sweep(int n, Cell cell) {
  cell(0, 0, 1);
#pragma omp simd
  for (int x = 1; x < n - 1; ++x) cell(x, x - 1, x + 1);
  cell(n - 1, n - 2, n - 1);
}

static void coefficients(const float* image, float* coefficient, int n, float speckle) {
  const float scale = 1 / (speckle * (1 + speckle));
#pragma omp parallel for schedule(static)
  for (int y = 0; y < n; ++y) {
    const float *row = image + y * n, *above = image + std::max(y - 1, 0) * n,
                *below = image + std::min(y + 1, n - 1) * n;
    float* to = coefficient + y * n;
    sweep(n, [=](int x, int x_west, int x_east) {
      const float c = row[x], inverse = 1 / c, north = above[x] - c, south = below[x] - c,
                  west = row[x_west] - c, east = row[x_east] - c;
      const float gradient =
          (north * north + south * south + west * west + east * east) * inverse * inverse;
      const float laplacian = (north + south + west + east) * inverse;
      const float spread = 1 + 0.25f * laplacian;
      const float q = (0.5f * gradient - 0.0625f * laplacian * laplacian) / (spread * spread);
      const float d = 1 / (1 + (q - speckle) * scale);
      to[x] = d < 0 ? 0 : d > 1 ? 1 : d;
    });
  }
}

static void diffuse(const float* image, const float* coefficient, float* out, int n) {
#pragma omp parallel for schedule(static)
  for (int y = 0; y < n; ++y) {
    const int next = std::min(y + 1, n - 1) * n;
    const float *row = image + y * n, *above = image + std::max(y - 1, 0) * n,
                *below = image + next, *here = coefficient + y * n, *there = coefficient + next;
    float* to = out + y * n;
    sweep(n, [=](int x, int west, int east) {
      const float c = row[x];
      const float flow = here[x] * (above[x] - c) + here[x] * (row[west] - c) +
                         there[x] * (below[x] - c) + here[east] * (row[east] - c);
      to[x] = c + 0.25f * rate * flow;
    });
  }
}

CASE(srad) {
  const int n = bench::plate;
  const auto start = bench::numbers(n * n, 1, 2);
  std::vector<float> image, other(n * n), coefficient(n * n);
  run.measure([&] { image = start; },
              [&] {
                for (int i = 0; i < bench::speckle_steps; ++i) {
                  coefficients(image.data(), coefficient.data(), n, speckle(image.data(), n * n));
                  diffuse(image.data(), coefficient.data(), other.data(), n);
                  image.swap(other);
                }
              });
  run.result(image.data(), image.size());
}
