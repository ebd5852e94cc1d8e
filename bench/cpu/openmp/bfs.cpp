// Breadth-first search: each thread collects what it finds, levels are joined at their end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"

#include <algorithm>

static int expand(const bench::Sparse& graph, const int* frontier, int count, int* depth, int level,
                  int* next) {
  int found = 0;
#pragma omp parallel
  {
    static thread_local std::vector<int> mine;
    mine.clear();
#pragma omp for schedule(dynamic, 256)
    for (int i = 0; i < count; ++i) {
      const int node = frontier[i];
      for (int k = graph.begin[node]; k < graph.begin[node + 1]; ++k) {
        const int to = graph.column[k];
        int unknown = -1;
        if (__atomic_load_n(&depth[to], __ATOMIC_RELAXED) == -1 &&
            __atomic_compare_exchange_n(&depth[to], &unknown, level, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
          mine.push_back(to);
      }
    }
    const int size = static_cast<int>(mine.size());
    std::copy(mine.begin(), mine.end(), next + __atomic_fetch_add(&found, size, __ATOMIC_RELAXED));
  }
  return found;
}

CASE(bfs) {
  const int n = bench::graph;
  const bench::Sparse graph(n);
  std::vector<int> start(n, -1), depth, frontier(n), next(n);
  start[0] = 0;
  run.measure([&] { depth = start; },
              [&] {
                int count = 1;
                frontier[0] = 0;
                for (int level = 1; count > 0; ++level) {
                  count = expand(graph, frontier.data(), count, depth.data(), level, next.data());
                  frontier.swap(next);
                }
              });
  run.result(depth.data(), depth.size());
}
