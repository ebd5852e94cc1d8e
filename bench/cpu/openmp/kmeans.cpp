// k-means: stretches of points in vectors against all centres, each thread's own sums.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"

constexpr int features = bench::features, clusters = bench::clusters, stretch = 32;

/// Points have their features `count` numbers apart.
static void find_nearest(const float* points, int count, const float* centres, int* nearest) {
  float least[stretch], distance[stretch];
  for (int p = 0; p < stretch; ++p) least[p] = 1e30f, nearest[p] = 0;
  for (int c = 0; c < clusters; ++c) {
    for (int p = 0; p < stretch; ++p) distance[p] = 0;
    for (int f = 0; f < features; ++f)
#pragma omp simd
      for (int p = 0; p < stretch; ++p) {
        const float d = points[f * count + p] - centres[c * features + f];
        distance[p] += d * d;
      }
#pragma omp simd
    for (int p = 0; p < stretch; ++p) {
      nearest[p] = distance[p] < least[p] ? c : nearest[p];
      least[p] = distance[p] < least[p] ? distance[p] : least[p];
    }
  }
}

static void improve(const float* points, int count, float* centres) {
  float sums[clusters * features] = {};
  int sizes[clusters] = {};
#pragma omp parallel for schedule(static) reduction(+ : sums, sizes)
  for (int first = 0; first < count; first += stretch) {
    int nearest[stretch];
    find_nearest(points + first, count, centres, nearest);
    for (int p = 0; p < stretch; ++p) ++sizes[nearest[p]];
    for (int f = 0; f < features; ++f)
      for (int p = 0; p < stretch; ++p)
        sums[nearest[p] * features + f] += points[f * count + first + p];
  }
  for (int c = 0; c < clusters; ++c)
    for (int f = 0; f < features && sizes[c] > 0; ++f)
      centres[c * features + f] = sums[c * features + f] / static_cast<float>(sizes[c]);
}

CASE(kmeans) {
  const int n = bench::points;
  const auto start = bench::numbers(clusters * features, 0, 1, 2),
             points = bench::numbers(n * features, 0, 1);
  auto centres = start;
  run.measure([&] { centres = start; },
              [&] {
                for (int i = 0; i < bench::rounds; ++i) improve(points.data(), n, centres.data());
              });
  run.result(centres.data(), centres.size());
}
