// All shortest paths: a launch for each node on the way.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

__global__ void relax(int* distance, int n, int k) {
  int to = blockIdx.x * blockDim.x + threadIdx.x, from = blockIdx.y * blockDim.y + threadIdx.y;
  if (from >= n || to >= n) return;
  int through = distance[from * n + k] + distance[k * n + to];
  if (through < distance[from * n + to]) distance[from * n + to] = through;
}

CASE(floyd_warshall) {
  const int n = bench::nodes;
  auto edges = bench::integers(n * n, 10000);
  for (int i = 0; i < n; ++i) edges[i * n + i] = 0;
  bench::Array<int> distance(edges);
  const dim3 size(32, 8), grid = bench::blocks(n, n, size);
  run.measure([&] { distance.fill(edges); },
              [&] {
                for (int k = 0; k < n; ++k) relax<<<grid, size>>>(distance, n, k);
                bench::finish();
              });
  distance.report(run);
}
