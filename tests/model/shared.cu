// Tiles staged through shared memory; values that are the same for a whole block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model.h"

using namespace model;

constexpr int tile = 8;

// Rows of the tile are read along x, and written along x too: blocks are transposed by their index.
__global__ void transpose_tile(const int* in, int* out, int w, int h) {
  __shared__ int cells[tile][tile + 1];
  int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  if (x < w && y < h) cells[threadIdx.y][threadIdx.x] = in[y * w + x];
  __syncthreads();
  x = blockIdx.y * tile + threadIdx.x;
  y = blockIdx.x * tile + threadIdx.y;
  if (x < h && y < w) out[y * h + x] = cells[threadIdx.x][threadIdx.y];
}

// As in the samples of every vendor: a block of 8x2 threads does a tile of 8x8.
__global__ void transpose_rows(const int* in, int* out, int w, int h) {
  __shared__ int cells[tile][tile + 1];
  const int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  for (int j = 0; j < tile; j += 2)
    if (x < w && y + j < h) cells[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
  __syncthreads();
  const int tx = blockIdx.y * tile + threadIdx.x, ty = blockIdx.x * tile + threadIdx.y;
  for (int j = 0; j < tile; j += 2)
    if (tx < h && ty + j < w) out[(ty + j) * h + tx] = cells[threadIdx.x][threadIdx.y + j];
}

constexpr int radius = 3;

// The tile has a halo on both sides that the first threads load.
__global__ void stencil_tile(const int* in, int* out, int n) {
  extern __shared__ int cells[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x + radius;
  cells[t] = i < n ? in[i] : 0;
  if (threadIdx.x < radius) {
    cells[t - radius] = i - radius >= 0 && i - radius < n ? in[i - radius] : 0;
    const int right = i + blockDim.x;
    cells[t + blockDim.x] = right < n ? in[right] : 0;
  }
  __syncthreads();
  if (i >= n) return;
  int sum = 0;
  for (int d = -radius; d <= radius; ++d) sum += cells[t + d];
  out[i] = sum;
}

// All threads together load the tile with its halo, in strides of the block.
__global__ void stencil_block_stride(const int* in, int* out, int n) {
  extern __shared__ int cells[];
  const int first = blockIdx.x * blockDim.x - radius;
  for (int t = threadIdx.x; t < blockDim.x + 2 * radius; t += blockDim.x) {
    const int i = first + t;
    cells[t] = i >= 0 && i < n ? in[i] : 0;
  }
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (int d = 0; d <= 2 * radius; ++d) sum += cells[threadIdx.x + d];
  out[i] = sum;
}

// Sum over blocks in a tree, two elements a thread.
__global__ void reduce_tree(const int* in, int* out, int n) {
  extern __shared__ int partial[];
  const int t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  int sum = i < n ? in[i] : 0;
  if (i + blockDim.x < n) sum += in[i + blockDim.x];
  partial[t] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) partial[t] += partial[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

// Thread 0 computes where the block's output starts; all use it.
__global__ void uniform_shared(int* out, int n) {
  __shared__ int base;
  if (threadIdx.x == 0) base = blockIdx.x * blockDim.x;
  __syncthreads();
  const int i = base + threadIdx.x;
  if (i < n) out[i] = i;
}

// A row chosen by the block's index alone.
__global__ void uniform_row(const int* in, int* out, int w, int h) {
  const int row = blockIdx.x % h, third = blockIdx.x / h;
  const int x = third * blockDim.x + threadIdx.x;
  if (x < w) out[row * w + x] = in[row * w + x] + third;
}

// Block-uniform, but from memory: bounded by nothing the model knows.
__global__ void uniform_loaded(const int* in, const int* start, int* out) {
  const int base = start[blockIdx.x];
  out[blockIdx.x * blockDim.x + threadIdx.x] = in[base + threadIdx.x];
}

static void test_transpose(Random& random, int w, int h) {
  const auto in = small<int>(random, w * h);
  Array<int> d_in(in), d_tile(w * h), d_rows(w * h);
  const dim3 block(tile, tile), grid = blocks(w, h, block);
  transpose_tile<<<grid, block>>>(d_in.data(), d_tile.data(), w, h);
  transpose_rows<<<grid, dim3(tile, 2)>>>(d_in.data(), d_rows.data(), w, h);
  vector<int> want(w * h);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) want[x * h + y] = in[y * w + x];
  equal("transpose_tile", d_tile.get(), want);
  equal("transpose_rows", d_rows.get(), want);
}

static void test_lines(Random& random, int n, unsigned block) {
  const unsigned grid = blocks(n, block);
  const auto in = small<int>(random, n);
  vector<int> want(n), sums(blocks(n, 2 * block)), ascending(n);
  for (int i = 0; i < n; ++i) {
    for (int j = std::max(0, i - radius); j <= std::min(n - 1, i + radius); ++j) want[i] += in[j];
    sums[i / (2 * block)] += in[i];
    ascending[i] = i;
  }
  Array<int> d_in(in), d_tile(n), d_stride(n), d_sums(sums.size()), d_uniform(n);
  const size_t bytes = (block + 2 * radius) * sizeof(int);
  stencil_tile<<<grid, block, bytes>>>(d_in.data(), d_tile.data(), n);
  stencil_block_stride<<<grid, block, bytes>>>(d_in.data(), d_stride.data(), n);
  reduce_tree<<<sums.size(), block, bytes>>>(d_in.data(), d_sums.data(), n);
  uniform_shared<<<grid, block>>>(d_uniform.data(), n);
  equal("stencil_tile", d_tile.get(), want);
  equal("stencil_block_stride", d_stride.get(), want);
  equal("reduce_tree", d_sums.get(), sums);
  equal("uniform_shared", d_uniform.get(), ascending);
}

static void test_uniform(Random& random, int w, int h, unsigned block) {
  const auto in = small<int>(random, w * h);
  Array<int> d_in(in), d_out(w * h);
  uniform_row<<<h * blocks(w, block), block>>>(d_in.data(), d_out.data(), w, h);
  auto want = in;
  for (int i = 0; i < w * h; ++i) want[i] += i % w / block;
  equal("uniform_row", d_out.get(), want);

  const auto start = random.integers<int>(5, 0, 20);
  const auto line = small<int>(random, 20 + block);
  Array<int> d_start(start), d_line(line), d_loaded(5 * block);
  uniform_loaded<<<5, block>>>(d_line.data(), d_start.data(), d_loaded.data());
  vector<int> loaded(5 * block);
  for (unsigned i = 0; i < 5 * block; ++i) loaded[i] = line[start[i / block] + i % block];
  equal("uniform_loaded", d_loaded.get(), loaded);
}

int main() {
  Random random(11);
  test_transpose(random, 37, 23);
  test_transpose(random, 1, 5);
  test_lines(random, 131, 16);
  test_lines(random, 1, 16);
  test_lines(random, 64, 32);
  test_uniform(random, 37, 5, 8);
  test_uniform(random, 1, 1, 8);
  return check::finish();
}
