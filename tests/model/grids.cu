// Grids of one to three dimensions, flattened indices, grid-stride loops, several elements a
// thread. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model.h"

using namespace model;

__global__ void grid_1d(int* out, int n) {
  const int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i < n) out[i] = i;
}

__global__ void grid_2d(int* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = x - y;
}

__global__ void grid_3d(int* out, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < nx && y < ny && z < nz) out[(z * ny + y) * nx + x] = x + 10 * y + 100 * z;
}

// The x axis of the grid runs over rows: axes and subscripts need not go together.
__global__ void grid_crossed(int* out, int w, int h) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < h && column < w) out[row * w + column] = row;
}

// One block per row; the threads of the block stride over it.
__global__ void block_per_row(const int* in, int* out, int w) {
  for (int x = threadIdx.x; x < w; x += blockDim.x)
    out[blockIdx.x * w + x] = in[blockIdx.x * w + x] + 1;
}

// Two-dimensional grid, one-dimensional array: how programs got past 65535 blocks.
__global__ void grid_flattened(int* out, int n) {
  const int block = blockIdx.y * gridDim.x + blockIdx.x;
  const int i = block * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;
}

// Two-dimensional blocks, one-dimensional array.
__global__ void block_flattened(int* out, int n) {
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  const int i = blockIdx.x * (blockDim.x * blockDim.y) + t;
  if (i < n) out[i] = i;
}

__global__ void grid_stride(const int* in, int* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = 2 * in[i];
}

__global__ void grid_stride_2d(const int* in, int* out, int w, int h) {
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < h; y += gridDim.y * blockDim.y)
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < w; x += gridDim.x * blockDim.x)
      out[y * w + x] = 3 * in[y * w + x];
}

__global__ void grid_stride_rows(const int* in, int* out, int w, int h) {
  for (int y = blockIdx.x; y < h; y += gridDim.x)
    for (int x = threadIdx.x; x < w; x += blockDim.x) out[y * w + x] = in[y * w + x] - 1;
}

__global__ void two_per_thread(int* out, int n) {
  const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = i;
  if (i + 1 < n) out[i + 1] = i + 1;
}

// Four elements a thread, a block apart: contiguous within a block's 4 * blockDim.
__global__ void four_per_thread(int* out, int n) {
  const int base = blockIdx.x * blockDim.x * 4 + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int i = base + k * blockDim.x;
    if (i < n) out[i] = i;
  }
}

// A thread works on m neighbours.
__global__ void chunk_per_thread(int* out, int n, int m) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < m; ++k) {
    const int i = t * m + k;
    if (i < n) out[i] = i;
  }
}

__global__ void one_per_block(const int* in, int* out) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// One element of every blockDim: over a part, blockIdx.x * blockDim.x is not a full range.
__global__ void first_of_block(int* out) {
  if (threadIdx.x == 0) out[blockIdx.x * blockDim.x] = blockIdx.x;
}

// Every block writes element blockIdx.y: cutting along x would write it twice.
__global__ void only_y(int* out) { out[blockIdx.y * blockDim.x + threadIdx.x] = 5; }

// A reversed grid.
__global__ void reversed_blocks(int* out, int n) {
  const int i = (gridDim.x - 1 - blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;
}

static vector<int> iota(int n, int factor = 1) {
  vector<int> v(n);
  for (int i = 0; i < n; ++i) v[i] = factor * i;
  return v;
}

static void test_lines(Random& random, int n, dim3 shape) {
  const unsigned block = check::volume(shape);
  const unsigned grid = blocks(n, block);
  const auto run = [&](const char* name, auto launch) {
    Array<int> out(n);
    launch(out.data());
    equal(name, out.get(), iota(n));
  };
  run("grid_1d", [&](int* out) { grid_1d<<<grid, block>>>(out, n); });
  run("grid_flattened",
      [&](int* out) { grid_flattened<<<dim3(3, blocks(grid, 3)), block>>>(out, n); });
  run("block_flattened", [&](int* out) { block_flattened<<<grid, shape>>>(out, n); });
  run("two_per_thread", [&](int* out) { two_per_thread<<<blocks(n, 2 * block), block>>>(out, n); });
  run("four_per_thread",
      [&](int* out) { four_per_thread<<<blocks(n, 4 * block), block>>>(out, n); });
  run("chunk_per_thread",
      [&](int* out) { chunk_per_thread<<<blocks(n, 5 * block), block>>>(out, n, 5); });
  run("reversed_blocks", [&](int* out) { reversed_blocks<<<grid, block>>>(out, n); });
  Array<int> in(iota(n));
  for (unsigned g : {1u, 2u, 3u, 11u}) {
    Array<int> out(n);
    grid_stride<<<g, block>>>(in.data(), out.data(), n);
    equal("grid_stride", out.get(), iota(n, 2));
  }

  const auto values = small<int>(random, 5 * block);
  Array<int> d_values(values), sums(5), firsts(5 * block), rows(3 * block);
  one_per_block<<<5, block>>>(d_values.data(), sums.data());
  first_of_block<<<5, block>>>(firsts.data());
  only_y<<<dim3(1, 3), block>>>(rows.data());
  vector<int> want_sums(5);
  auto want_firsts = poisoned<int>(5 * block);
  for (unsigned i = 0; i < 5 * block; ++i) {
    want_sums[i / block] += values[i];
    if (i % block == 0) want_firsts[i] = i / block;
  }
  equal("one_per_block", sums.get(), want_sums);
  equal("first_of_block", firsts.get(), want_firsts);
  equal("only_y", rows.get(), vector<int>(3 * block, 5));
}

static void test_planes(Random& random, int w, int h, dim3 block) {
  const dim3 grid = blocks(w, h, block);
  const auto in = small<int>(random, w * h);
  Array<int> d_in(in);
  const auto run = [&](const char* name, auto launch, auto value) {
    Array<int> out(w * h);
    launch(out.data());
    vector<int> want(w * h);
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x) want[y * w + x] = value(x, y);
    equal(name, out.get(), want);
  };
  const auto at = [&](int x, int y) { return in[y * w + x]; };
  run(
      "grid_2d", [&](int* out) { grid_2d<<<grid, block>>>(out, w, h); },
      [&](int x, int y) { return x - y; });
  run(
      "grid_crossed", [&](int* out) { grid_crossed<<<blocks(h, w, block), block>>>(out, w, h); },
      [&](int, int y) { return y; });
  run(
      "block_per_row", [&](int* out) { block_per_row<<<h, block.x>>>(d_in.data(), out, w); },
      [&](int x, int y) { return at(x, y) + 1; });
  for (dim3 g : {dim3(1, 1), dim3(2, 3)})
    run(
        "grid_stride_2d", [&](int* out) { grid_stride_2d<<<g, block>>>(d_in.data(), out, w, h); },
        [&](int x, int y) { return 3 * at(x, y); });
  run(
      "grid_stride_rows", [&](int* out) { grid_stride_rows<<<3, 8>>>(d_in.data(), out, w, h); },
      [&](int x, int y) { return at(x, y) - 1; });
}

static void test_boxes(int nx, int ny, int nz, dim3 block) {
  Array<int> out(nx * ny * nz);
  grid_3d<<<blocks(nx, ny, nz, block), block>>>(out.data(), nx, ny, nz);
  vector<int> want;
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) want.push_back(x + 10 * y + 100 * z);
  equal("grid_3d", out.get(), want);
}

int main() {
  Random random(7);
  test_lines(random, 131, dim3(5, 3));
  test_lines(random, 1, dim3(8, 2));
  test_lines(random, 96, dim3(4, 4));
  test_planes(random, 37, 13, dim3(8, 4));
  test_planes(random, 1, 1, dim3(8, 4));
  test_planes(random, 5, 29, dim3(3, 7));
  test_boxes(11, 7, 5, dim3(4, 2, 2));
  test_boxes(1, 1, 1, dim3(4, 2, 2));
  return check::finish();
}
