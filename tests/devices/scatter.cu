// Writes that may go anywhere: permutations, flags, elements of several sizes in one buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

struct Triple {  // its size divides no power of two
  int a, b, c;
};

template <class T>
__global__ void scatter(const T* in, const int* to, T* out, int n) {
  const int i = global_x();
  if (i < n) out[to[i]] = in[i];
}
__global__ void scatter_two(unsigned char* bytes, int* words, const int* to, int n) {
  const int i = global_x();
  if (i >= n) return;
  bytes[to[i]] = static_cast<unsigned char>(i + 1);
  words[to[n - 1 - i]] = i;
}
__global__ void scatter_row(const int* to, int* out, int w, int h) {
  const int x = global_x(), y = global_y();
  if (x < w && y < h) out[to[y] * w + x] = y * 1000 + x;
}
__global__ void any_negative(const int* in, int n, int* flag) {
  const int i = global_x();
  if (i < n && in[i] < 0) *flag = 1;
}
__global__ void mark_values(const int* in, int n, unsigned char* seen) {
  const int i = global_x();
  if (i < n) seen[in[i]] = 1;
}
// Breadth-first search as in Rodinia: flags by nodes, one flag for the host.
__global__ void visit(const int* first, const int* edges, const unsigned char* mask,
                      unsigned char* next, const unsigned char* visited, int* cost, int n) {
  const int node = global_x();
  if (node >= n || !mask[node]) return;
  for (int e = first[node]; e < first[node + 1]; ++e) {
    const int to = edges[e];
    if (visited[to]) continue;
    cost[to] = cost[node] + 1;
    next[to] = 1;
  }
}
__global__ void advance(unsigned char* mask, unsigned char* next, unsigned char* visited,
                        unsigned char* go_on, int n) {
  const int node = global_x();
  if (node >= n) return;
  mask[node] = next[node];
  if (!next[node]) return;
  visited[node] = 1;
  next[node] = 0;
  *go_on = 1;
}

template <class T>
void permuted(const char* what, const vector<T>& in, const vector<int>& order) {
  const int n = static_cast<int>(in.size());
  Array<T> from(in), to(n);
  Array<int> where(order);
  scatter<<<blocks(n, 32), 32>>>(from.data(), where.data(), to.data(), n);
  vector<T> want(n);
  for (int i = 0; i < n; ++i) want[order[i]] = in[i];
  result(what, to, want);
}

void some_only(Random& random, int n) {  // what is not written stays
  const vector<int> order = permutation(random, n);
  vector<int> want = random.integers<int>(n, -9, 9);
  const vector<int> in = random.integers<int>(n, -9, 9);  // often what stands there already
  Array<int> from(in), to(want), where(order);
  for (int turn = 0; turn < 3; ++turn) {
    const int count = n / (turn + 1) - turn;
    if (count <= 0) continue;
    scatter<<<blocks(count, 8), 8>>>(from.data(), where.data(), to.data(), count);
    for (int i = 0; i < count; ++i) want[order[i]] = in[i];
  }
  result("some", to, want);
}

void two_sizes(Random& random, int n) {
  const vector<int> order = permutation(random, n);
  Array<int> where(order), memory(3 * n + 1);
  vector<int> want = poisoned<int>(3 * n + 1);
  auto* const bytes = reinterpret_cast<unsigned char*>(memory.data()) + 1;
  scatter_two<<<blocks(n, 16), 16>>>(bytes, memory.data() + n + 1, where.data(), n);
  auto* const want_bytes = reinterpret_cast<unsigned char*>(want.data()) + 1;
  for (int i = 0; i < n; ++i) {
    want_bytes[order[i]] = static_cast<unsigned char>(i + 1);
    want[n + 1 + order[n - 1 - i]] = i;
  }
  result("two sizes", memory, want);
}

void flags(Random& random, int n) {
  vector<int> in = random.integers<int>(n, 0, 99);
  Array<int> flag(vector<int>(1, 0));
  for (const bool negative : {false, true}) {
    if (negative) in[random.integer(0, n - 1)] = -1, in[0] = in[n - 1] = -4;
    Array<int> values(in);
    any_negative<<<blocks(n, 16), 16>>>(values.data(), n, flag.data());
    result("flag", flag, vector<int>(1, negative));
  }
  for (int& value : in) value = std::abs(value);
  Array<int> values(in);
  Array<unsigned char> seen(vector<unsigned char>(100, 0));
  mark_values<<<blocks(n, 16), 16>>>(values.data(), n, seen.data());
  vector<unsigned char> want(100, 0);
  for (const int value : in) want[value] = 1;
  result("seen", seen, want);
}

void search(Random& random, int n) {
  vector<int> first{0}, edges;
  for (int node = 0; node < n; ++node) {
    const auto degree = random.integer(0, 5);
    for (int e = 0; e < degree; ++e) edges.push_back(static_cast<int>(random.integer(0, n - 1)));
    first.push_back(static_cast<int>(edges.size()));
  }
  edges.push_back(0);
  vector<int> want(n, -1);
  want[0] = 0;
  for (vector<int> front{0}; !front.empty();) {
    vector<int> after;
    for (const int node : front)
      for (int e = first[node]; e < first[node + 1]; ++e)
        if (want[edges[e]] < 0) want[edges[e]] = want[node] + 1, after.push_back(edges[e]);
    front = after;
  }
  vector<unsigned char> start(n, 0);
  start[0] = 1;
  vector<int> cost(n, -1);
  cost[0] = 0;
  Array<int> f(first), e(edges), c(cost);
  Array<unsigned char> mask(start), visited(start), next(vector<unsigned char>(n, 0));
  Array<unsigned char> go_on(vector<unsigned char>(1, 0));
  unsigned char more = 1;
  int turns = 0;
  while (more && ++turns <= n + 1) {
    more = 0;
    CUDA_OK(cudaMemcpy(go_on.data(), &more, 1, cudaMemcpyHostToDevice));
    visit<<<blocks(n, 32), 32>>>(f.data(), e.data(), mask.data(), next.data(), visited.data(),
                                 c.data(), n);
    advance<<<blocks(n, 32), 32>>>(mask.data(), next.data(), visited.data(), go_on.data(), n);
    CUDA_OK(cudaMemcpy(&more, go_on.data(), 1, cudaMemcpyDeviceToHost));
  }
  result("distances", c, want);
}

int main() {
  Random random(21);
  for (const int n : {1, 7, 97, 1009}) {
    const vector<int> order = permutation(random, n);
    permuted("bytes", random.integers<char>(n, -99, 99), order);
    permuted("shorts", random.integers<short>(n, -999, 999), order);
    permuted("doubles", random.reals<double>(n, -1, 1), order);
    vector<Triple> triples(n);
    for (Triple& t : triples) t = {int(random.bits()), int(random.bits()), int(random.bits())};
    permuted("triples", triples, order);
    some_only(random, n);
    two_sizes(random, n);
    flags(random, n);
    search(random, n);
  }
  constexpr int w = 43, h = 59;
  const vector<int> order = permutation(random, h);
  Array<int> where(order), out(w * h);
  const dim3 block(16, 4);
  scatter_row<<<blocks(w, h, block), block>>>(where.data(), out.data(), w, h);
  vector<int> want(w * h);
  for (int i = 0; i < w * h; ++i) want[order[i / w] * w + i % w] = i / w * 1000 + i % w;
  result("rows", out, want);
  return finish();
}
