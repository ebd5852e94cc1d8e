// k-means: the nearest centre of each point, sums by atomics in shared memory, new centres.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

constexpr int features = bench::features, clusters = bench::clusters;

/// Points have their features `count` numbers apart, so that neighbours read neighbours.
__global__ void assign(const float* points, const float* centres, int* nearest, int count) {
  __shared__ float s[clusters * features];
  for (int i = threadIdx.x; i < clusters * features; i += blockDim.x) s[i] = centres[i];
  __syncthreads();
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= count) return;
  float least = 1e30f;
  int best = 0;
  for (int c = 0; c < clusters; ++c) {
    float distance = 0;
    for (int f = 0; f < features; ++f) {
      float d = points[f * count + p] - s[c * features + f];
      distance += d * d;
    }
    if (distance < least) {
      least = distance;
      best = c;
    }
  }
  nearest[p] = best;
}

__global__ void add_up(const float* points, const int* nearest, float* sums, int* sizes,
                       int count) {
  __shared__ float s[clusters * features];
  __shared__ int size[clusters];
  for (int i = threadIdx.x; i < clusters * features; i += blockDim.x) s[i] = 0;
  for (int i = threadIdx.x; i < clusters; i += blockDim.x) size[i] = 0;
  __syncthreads();
  for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < count; p += gridDim.x * blockDim.x) {
    int c = nearest[p];
    atomicAdd(&size[c], 1);
    for (int f = 0; f < features; ++f) atomicAdd(&s[c * features + f], points[f * count + p]);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < clusters * features; i += blockDim.x) atomicAdd(&sums[i], s[i]);
  for (int i = threadIdx.x; i < clusters; i += blockDim.x) atomicAdd(&sizes[i], size[i]);
}

/// Also clears the sums for the next time.
__global__ void divide(float* centres, float* sums, int* sizes) {
  int c = blockIdx.x, f = threadIdx.x;
  int size = sizes[c];
  if (size > 0) centres[c * features + f] = sums[c * features + f] / size;
  sums[c * features + f] = 0;
  __syncthreads();
  if (f == 0) sizes[c] = 0;
}

CASE(kmeans) {
  const int n = bench::points;
  const auto start = bench::numbers(clusters * features, 0, 1, 2);
  bench::Array<float> points(bench::numbers(n * features, 0, 1)), centres(start),
      sums(clusters * features);
  bench::Array<int> nearest(n), sizes(clusters);
  run.measure([&] { centres.fill(start); },
              [&] {
                for (int i = 0; i < bench::rounds; ++i) {
                  assign<<<bench::blocks(n, 256), 256>>>(points, centres, nearest, n);
                  add_up<<<32, 256>>>(points, nearest, sums, sizes, n);
                  divide<<<clusters, features>>>(centres, sums, sizes);
                }
                bench::finish();
              });
  centres.report(run);
}
