// Breadth-first search: a launch for each level, a thread for each node of the frontier.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

#include <utility>

__global__ void expand(const int* begin, const int* target, const int* frontier, int count,
                       int* depth, int level, int* next, int* next_count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int node = frontier[i];
  for (int k = begin[node]; k < begin[node + 1]; ++k) {
    int to = target[k];
    if (depth[to] == -1 && atomicCAS(&depth[to], -1, level) == -1)
      next[atomicAdd(next_count, 1)] = to;
  }
}

CASE(bfs) {
  const int n = bench::graph;
  const bench::Sparse graph(n);
  std::vector<int> start(n, -1);
  start[0] = 0;
  bench::Array<int> begin(graph.begin), target(graph.column), depth(start), first(n), second(n),
      counter(1);
  run.measure([&] { depth.fill(start); },
              [&] {
                int *frontier = first, *next = second, count = 1;
                bench::check(cudaMemset(frontier, 0, sizeof(int)));
                for (int level = 1; count > 0; ++level) {
                  bench::check(cudaMemset(counter, 0, sizeof(int)));
                  expand<<<bench::blocks(count, 128), 128>>>(begin, target, frontier, count, depth,
                                                             level, next, counter);
                  bench::check(cudaMemcpy(&count, counter, sizeof count, cudaMemcpyDeviceToHost));
                  std::swap(frontier, next);
                }
                bench::finish();
              });
  depth.report(run);
}
