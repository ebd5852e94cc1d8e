// Breadth-first search: a launch for each level, a work-item for each node of the frontier.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

#include <utility>

CASE(bfs) {
  const int n = bench::graph;
  const bench::Program program("bfs.cl");
  const bench::Kernel expand(program.kernel("expand"));
  const bench::Sparse graph(n);
  const std::vector<int> zero(1), source(n);
  std::vector<int> start(n, -1);
  start[0] = 0;
  bench::Array<int> begin(graph.begin), target(graph.column), depth(start), first(source),
      second(source), counter(1);
  run.measure(
      [&] {
        depth.fill(start);
        first.fill(source);
      },
      [&] {
        const bench::Array<int>*frontier = &first, *next = &second;
        int count = 1;
        for (int level = 1; count > 0; ++level) {
          counter.fill(zero);
          expand(bench::blocks(count, 128), 128, begin, target, *frontier, count, depth, level,
                 *next, counter);
          count = counter.values()[0];
          std::swap(frontier, next);
        }
        bench::finish();
      });
  depth.report(run);
}
