// What no relation describes: loaded pointers, printf, the device heap, clocks, fences, recursion.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each is recognised and named by the model, and takes down no more than it must.
#include "model.h"

using namespace model;

// An array of row pointers.
__global__ void loaded_pointer(const int* const* rows, int* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = rows[y][x];
}

struct Node {
  Node* next;
  int value;
};

__global__ void linked_list(const Node* const* heads, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (const Node* node = heads[i]; node; node = node->next) sum += node->value;
  out[i] = sum;
}

// A pointer that was an integer.
__global__ void integer_pointer(unsigned long long address, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = reinterpret_cast<const int*>(address)[i];
}

__global__ void prints(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (in[i] > 1000) printf("never: %d\n", i);
  out[i] = in[i];
}

__global__ void device_heap(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int* mine = static_cast<int*>(malloc(3 * sizeof(int)));
  for (int k = 0; k < 3; ++k) mine[k] = i + k;
  out[i] = mine[0] + mine[2];
  free(mine);
}

__global__ void clocks(long long* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const long long start = clock64();
  out[i] = clock64() - start;
}

// The last block to finish adds up the others' sums.
__device__ unsigned finished = 0;

__global__ void last_block(const int* in, int* sums, int* total, int n) {
  __shared__ int sum, last;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&sum, in[i]);
  __syncthreads();
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
    if (last) {
      int all = 0;
      for (unsigned b = 0; b < gridDim.x; ++b) all += sums[b];
      *total = all;
    }
  }
}

// A grid barrier by hand: everyone waits until all blocks have arrived.
__global__ void hand_barrier(int* arrived, const int* in, int* middle, int* out) {
  const int b = blockIdx.x, count = gridDim.x;
  middle[b] = 2 * in[b];
  __threadfence();
  atomicAdd(arrived, 1);
  while (*static_cast<volatile int*>(arrived) < count) {
  }
  out[b] = middle[(b + 1) % count];
}

__global__ void volatile_cells(volatile int* cells, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) cells[i] = cells[i] + 1;
}

__device__ int fibonacci(const int* base, int k) {
  return k < 2 ? base[k] : fibonacci(base, k - 1) + fibonacci(base, k - 2);
}

__global__ void recursion(const int* base, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = fibonacci(base, i % 10);
}

__device__ int twice(int v) { return 2 * v; }
__device__ int negated(int v) { return -v; }
__device__ int (*const operations[2])(int) = {twice, negated};

__global__ void function_pointer(const int* in, int* out, int n, int which) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = operations[which](in[i]);
}

__global__ void traps(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (in[i] > 1000) __trap();
  out[i] = in[i] + 1;
}

__global__ void fence(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = in[i];
  __threadfence();
  out[n + i] = in[i];
}

static void test_pointers(Random& random, int w, int h, dim3 block) {
  const auto in = small<int>(random, w * h);
  Array<int> d_in(in), d_rows_out(w * h), d_integer(w * h), d_list(h);
  vector<const int*> rows(h);
  for (int y = 0; y < h; ++y) rows[y] = d_in.data() + y * w;
  Array<const int*> d_rows(rows);
  loaded_pointer<<<blocks(w, h, block), block>>>(d_rows.data(), d_rows_out.data(), w, h);
  equal("loaded_pointer", d_rows_out.get(), in);
  integer_pointer<<<blocks(w * h, 32), 32>>>(reinterpret_cast<unsigned long long>(d_in.data()),
                                             d_integer.data(), w * h);
  equal("integer_pointer", d_integer.get(), in);

  // List y holds row y of the matrix.
  Array<Node> d_nodes(w * h);
  vector<Node> nodes(w * h);
  vector<const Node*> heads(h);
  vector<int> sums(h);
  for (int i = 0; i < w * h; ++i) {
    nodes[i] = Node{i % w + 1 < w ? d_nodes.data() + i + 1 : nullptr, in[i]};
    sums[i / w] += in[i];
  }
  for (int y = 0; y < h; ++y) heads[y] = d_nodes.data() + y * w;
  CUDA_OK(cudaMemcpy(d_nodes.data(), nodes.data(), nodes.size() * sizeof(Node),
                     cudaMemcpyHostToDevice));
  Array<const Node*> d_heads(heads);
  linked_list<<<blocks(h, 8), 8>>>(d_heads.data(), d_list.data(), h);
  equal("linked_list", d_list.get(), sums);
}

static void test_services(Random& random, int n, unsigned block) {
  const unsigned grid = blocks(n, block);
  const auto in = small<int>(random, n);
  Array<int> d_in(in), d_print(n), d_heap(n), d_trap(n), d_fence(2 * n), d_call(n), d_recursion(n),
      d_cells(in);
  Array<long long> d_clock(n);
  prints<<<grid, block>>>(d_in.data(), d_print.data(), n);
  device_heap<<<grid, block>>>(d_heap.data(), n);
  clocks<<<grid, block>>>(d_clock.data(), n);
  traps<<<grid, block>>>(d_in.data(), d_trap.data(), n);
  fence<<<grid, block>>>(d_in.data(), d_fence.data(), n);
  function_pointer<<<grid, block>>>(d_in.data(), d_call.data(), n, 1);
  volatile_cells<<<grid, block>>>(d_cells.data(), n);
  Array<int> d_base(vector<int>{3, 5});
  recursion<<<grid, block>>>(d_base.data(), d_recursion.data(), n);
  vector<int> heap(n), plus(n), twice_over(2 * n), negative(n), numbers(n);
  vector<int> series = {3, 5};
  for (int i = 0; i < n; ++i) {
    heap[i] = 2 * i + 2;
    plus[i] = in[i] + 1;
    twice_over[i] = twice_over[n + i] = in[i];
    negative[i] = -in[i];
    while (int(series.size()) < 10) series.push_back(series.end()[-1] + series.end()[-2]);
    numbers[i] = series[i % 10];
  }
  equal("prints", d_print.get(), in);
  equal("device_heap", d_heap.get(), heap);
  equal("traps", d_trap.get(), plus);
  equal("fence", d_fence.get(), twice_over);
  equal("function_pointer", d_call.get(), negative);
  equal("volatile_cells", d_cells.get(), plus);
  equal("recursion", d_recursion.get(), numbers);
  const auto ticks = d_clock.get();
  CHECK(std::all_of(ticks.begin(), ticks.end(), [](long long t) { return t >= 0; }));
}

static void test_grid(Random& random, int n, unsigned block) {
  const unsigned grid = blocks(n, block);
  const auto in = small<int>(random, n);
  Array<int> d_in(in), d_sums(grid), d_total(1);
  for (int time = 0; time < 2; ++time)  // the counter wraps back to zero
    last_block<<<grid, block>>>(d_in.data(), d_sums.data(), d_total.data(), n);
  vector<int> sums(grid);
  int total = 0;
  for (int i = 0; i < n; ++i) sums[i / block] += in[i], total += in[i];
  equal("last_block sums", d_sums.get(), sums);
  equal("last_block total", d_total.get(), {total});

  Array<int> arrived(vector<int>{0}), middle(n), out(n);
  hand_barrier<<<n, 1>>>(arrived.data(), d_in.data(), middle.data(), out.data());
  vector<int> want(n);
  for (int i = 0; i < n; ++i) want[i] = 2 * in[(i + 1) % n];
  equal("hand_barrier", out.get(), want);
}

int main() {
  Random random(13);
  test_pointers(random, 37, 11, dim3(8, 4));
  test_pointers(random, 1, 1, dim3(8, 4));
  test_services(random, 53, 16);
  test_services(random, 1, 16);
  test_grid(random, 29, 8);
  test_grid(random, 1, 8);
  return check::finish();
}
