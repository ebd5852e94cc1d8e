// Pointers kept in memory: arrays of pointers, linked lists, made by the host and by kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program sees one address for each buffer; what a kernel stores must be that, whichever device
// it ran on.
#include "devices.h"

using namespace devices;

struct Node {
  int value;
  Node* next;
};

__device__ int* kept;

__global__ void add_through(int* const* rows, int w, int h, int amount) {
  const int x = global_x(), y = global_y();
  if (x < w && y < h) rows[y][x] += amount * x + y;
}
__global__ void make_rows(int** rows, int* data, int w, int h) {
  const int y = global_x();
  if (y < h) rows[y] = data + y * w;
}
__global__ void link(Node* nodes, const int* order, int n) {
  const int i = global_x();
  if (i >= n) return;
  nodes[order[i]].value = i;
  nodes[order[i]].next = i + 1 < n ? &nodes[order[i + 1]] : nullptr;
}
__global__ void link_straight(Node* nodes, int n) {
  const int i = global_x();
  if (i >= n) return;
  nodes[i].value = i;
  nodes[i].next = i + 1 < n ? nodes + i + 1 : nullptr;
}
__global__ void walk(const Node* first, int* out, int n) {
  const Node* node = first;
  for (int i = 0; i < n; ++i) {
    out[i] = node->value;
    node = node->next;
  }
  out[n] = node == nullptr;
}
__global__ void add_all(int* data, int n, int amount) {
  const int i = global_x();
  if (i < n) data[i] += amount;
}
__global__ void keep(int* data) { kept = data; }
__global__ void use_kept(int n) {
  const int i = global_x();
  if (i < n) kept[i] *= 3;
}
__global__ void swap_rows(int** rows, int h) {
  const int y = global_x();
  if (y >= h / 2) return;
  int* const row = rows[y];
  rows[y] = rows[h - 1 - y];
  rows[h - 1 - y] = row;
}

int main() {
  Random random(20);
  constexpr int w = 97, h = 41;
  const dim3 block(32, 2);
  vector<int> host = random.integers<int>(w * h, 0, 99);
  Array<int> data(host);
  int** rows = nullptr;
  CUDA_OK(cudaMalloc(&rows, h * sizeof(int*)));
  vector<int*> table(h);
  for (int y = 0; y < h; ++y) table[y] = data.data() + y * w;
  CUDA_OK(cudaMemcpy(rows, table.data(), h * sizeof(int*), cudaMemcpyHostToDevice));
  const auto add = [&](int amount) {
    add_through<<<blocks(w, h, block), block>>>(rows, w, h, amount);
    for (int i = 0; i < w * h; ++i) host[i] += amount * (i % w) + i / w;
  };
  const auto add_one = [&](int amount) {  // spreads the data over the devices again
    add_all<<<blocks(w * h, 64), 64>>>(data.data(), w * h, amount);
    for (int& value : host) value += amount;
  };
  add(1), add_one(5), add(2), add_one(-3);
  result("rows of the host", data, host);

  CUDA_OK(cudaMemset(rows, 0, h * sizeof(int*)));
  make_rows<<<blocks(h, 4), 4>>>(rows, data.data(), w, h);
  vector<int*> made(h);
  CUDA_OK(cudaMemcpy(made.data(), rows, h * sizeof(int*), cudaMemcpyDeviceToHost));
  int strange = 0;
  for (int y = 0; y < h; ++y) strange += made[y] != table[y];
  CHECK_EQ(strange, 0);
  add_one(1), add(3);
  result("rows of a kernel", data, host);
  swap_rows<<<blocks(h / 2, 4), 4>>>(rows, h);
  add_one(2);
  add_through<<<blocks(w, h, block), block>>>(rows, w, h, 1);
  for (int i = 0; i < w * h; ++i) host[i] += i % w + (h - 1 - i / w);
  result("rows that changed places", data, host);

  keep<<<1, 1>>>(data.data());
  add_one(4);
  use_kept<<<blocks(w * h, 64), 64>>>(w * h);
  for (int& value : host) value *= 3;
  result("a variable that points", data, host);

  for (const int n : {1, 2, 50, 1009}) {
    const vector<int> order = permutation(random, n);
    Array<int> ranks(order), out(n + 1);
    Array<Node> nodes(n);
    link<<<blocks(n, 16), 16>>>(nodes.data(), ranks.data(), n);
    walk<<<1, 1>>>(nodes.data() + order[0], out.data(), n);
    vector<int> want(n + 1);
    std::iota(want.begin(), want.end(), 0);
    want[n] = 1;
    result("list", out, want);
    link_straight<<<blocks(n, 16), 16>>>(nodes.data(), n);
    CUDA_OK(cudaMemset(out.data(), 0, (n + 1) * sizeof(int)));
    walk<<<1, 1>>>(nodes.data(), out.data(), n);
    result("straight list", out, want);
  }
  CUDA_OK(cudaFree(rows));
  return finish();
}
