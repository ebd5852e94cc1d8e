// Shortest paths between all pairs of nodes of a graph (Floyd-Warshall).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <vector>

static const char usage[] =
    "usage: floyd_warshall [NODES]\n"
    "Lengths of all shortest paths of a random directed graph of NODES nodes (default 512).\n";
constexpr long largest = 32767;

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t status, const char* call, int line) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, line, call, cudaGetErrorString(status));
  exit(1);
}

/// Sizes from the command line, in order, over the defaults; one error line for anything else.
static std::vector<long> sizes_from(int argc, char** argv, std::vector<long> sizes) {
  for (int i = 1; i < argc; ++i) {
    if (!strcmp(argv[i], "--help")) exit(fputs(usage, stdout) < 0);
    char* end = argv[i];
    const long value = strtol(argv[i], &end, 10);
    if (i <= int(sizes.size()) && end != argv[i] && !*end && value > 0 && value <= largest) {
      sizes[i - 1] = value;
      continue;
    }
    fprintf(stderr, "%s: bad argument '%s' (sizes are 1 to %ld; see --help)\n", argv[0], argv[i],
            largest);
    exit(1);
  }
  return sizes;
}

/// On a terminal, after two seconds, shows how far the work has come.
static void progress(long done, long total) {
  static time_t start;
  if (done == 0) start = time(nullptr);
  if ((done < total && done % (total / 50 + 1)) || !isatty(STDERR_FILENO)) return;
  CHECK(cudaDeviceSynchronize());
  if (time(nullptr) - start < 2) return;
  const int filled = int(done * 50 / total);
  fprintf(stderr, "\r[%.*s%*s] %3ld%%", filled,
          "##################################################", 50 - filled, "",
          done * 100 / total);
  if (done == total) fputs("\r\033[K", stderr);
}

/// Milliseconds that one of `count` calls of `work` takes, measured with CUDA events.
template <class Work>
static double milliseconds(long count, Work work) {
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaEventRecord(begin));
  for (long i = 0; i < count; ++i) {
    progress(i, count);
    work(i);
    CHECK(cudaGetLastError());
  }
  CHECK(cudaEventRecord(end));
  CHECK(cudaEventSynchronize(end));
  progress(count, count);
  float total = 0;
  CHECK(cudaEventElapsedTime(&total, begin, end));
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  return total / count;
}

/// Compares element by element with `want(i)`, at most `bound(i)` away; names the first difference.
template <class T, class Want, class Bound>
static bool agrees(const char* what, const std::vector<T>& got, Want want, Bound bound) {
  size_t wrong = 0;
  double worst = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    const double error = std::fabs(double(got[i]) - double(want(i)));
    if (error > worst) worst = error;
    if (error <= bound(i)) continue;  // a NaN is wrong too
    if (wrong++ == 0)
      fprintf(stderr, "%s[%zu] is %.9g, reference %.9g\n", what, i, double(got[i]),
              double(want(i)));
  }
  if (wrong)
    fprintf(stderr, "%s: %zu of %zu elements are wrong\n", what, wrong, got.size());
  else
    printf("%-22s %zu elements agree, largest error %.2g\n", what, got.size(), worst);
  return wrong == 0;
}

constexpr int unreachable = 1 << 29;  // twice this still fits an int

/// One step: may paths go through node k? Row k and column k do not change in step k.
__global__ void relax(int* distance, int n, int k) {
  const int to = blockIdx.x * blockDim.x + threadIdx.x;
  const int from = blockIdx.y * blockDim.y + threadIdx.y;
  if (from >= n || to >= n) return;
  const int through = distance[size_t(from) * n + k] + distance[size_t(k) * n + to];
  if (through < distance[size_t(from) * n + to]) distance[size_t(from) * n + to] = through;
}

/// Distances from one node, by Dijkstra's algorithm over a dense matrix.
static std::vector<int> dijkstra(const std::vector<int>& edges, int n, int from) {
  std::vector<int> distance(n, unreachable);
  std::vector<char> done(n, 0);
  distance[from] = 0;
  for (int round = 0; round < n; ++round) {
    int nearest = -1;
    for (int v = 0; v < n; ++v)
      if (!done[v] && (nearest < 0 || distance[v] < distance[nearest])) nearest = v;
    if (distance[nearest] >= unreachable) break;
    done[nearest] = 1;
    for (int v = 0; v < n; ++v)
      distance[v] = std::min(distance[v], distance[nearest] + edges[size_t(nearest) * n + v]);
  }
  return distance;
}

int main(int argc, char** argv) try {
  const int n = int(sizes_from(argc, argv, {512})[0]);
  const size_t cells = size_t(n) * n, bytes = cells * sizeof(int);

  // About six edges leave each node; every seventh node has none, so some pairs stay unreachable.
  std::vector<int> edges(cells, unreachable), result(cells, -1), want;
  unsigned random = 12345;
  const auto next = [&] { return (random = random * 1664525u + 1013904223u) >> 8; };
  for (int from = 0; from < n; ++from) {
    for (int e = 0; e < 6 && from % 7 != 3; ++e)
      edges[size_t(from) * n + next() % n] = 1 + int(next() % 1000);
    edges[size_t(from) * n + from] = 0;
  }
  int* distance;
  CHECK(cudaMalloc(&distance, bytes));
  CHECK(cudaMemcpy(distance, edges.data(), bytes, cudaMemcpyHostToDevice));
  const dim3 block(32, 8), grid((n + 31) / 32, (n + 7) / 8);
  const double time = milliseconds(n, [&](long k) { relax<<<grid, block>>>(distance, n, int(k)); });
  CHECK(cudaMemcpy(result.data(), distance, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(distance));
  printf("%-22s %.3f ms in %d launches  %.2f GB/s  %.2f Gops/s\n", "relax", time * n, n,
         3e-6 * bytes / time, 2e-6 * cells / time);

  want.reserve(cells);
  for (int from = 0; from < n; ++from) {
    progress(from, n);
    const auto row = dijkstra(edges, n, from);
    want.insert(want.end(), row.begin(), row.end());
  }
  progress(n, n);
  if (!agrees(
          "path lengths", result, [&](size_t i) { return want[i]; }, [](size_t) { return 0.0; }))
    return 1;
  puts("PASS");
} catch (const std::exception& error) {
  fprintf(stderr, "%s: %s\n", argv[0], error.what());
  return 1;
}
