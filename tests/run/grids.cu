// Grids of all shapes and the built-in variables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Launches | 1-D, 2-D, 3-D grids and blocks; threadIdx, blockIdx, blockDim, gridDim, warpSize
// FEATURE: Launches | grid-stride loops in one and two dimensions
// FEATURE: Launches | big grids: 70000 blocks in x, 65535 in y and z, 2^21 small blocks
#include "check.h"

struct Place {
  uint3 thread, block;
  dim3 block_size, grid_size;
  int warp;
};

__global__ void where(Place* out) {
  const unsigned i = check::global_index();
  Place p;
  p.thread = threadIdx;
  p.block = blockIdx;
  p.block_size = blockDim;
  p.grid_size = gridDim;
  p.warp = warpSize;
  out[i] = p;
}

void test_where(dim3 grid, dim3 block) {
  const unsigned n = check::volume(grid) * check::volume(block);
  check::Array<Place> out(n);
  where<<<grid, block>>>(out.data());
  std::vector<Place> want(n);
  unsigned i = 0;
  for (unsigned bz = 0; bz < grid.z; ++bz)
    for (unsigned by = 0; by < grid.y; ++by)
      for (unsigned bx = 0; bx < grid.x; ++bx)
        for (unsigned tz = 0; tz < block.z; ++tz)
          for (unsigned ty = 0; ty < block.y; ++ty)
            for (unsigned tx = 0; tx < block.x; ++tx)
              want[i++] = Place{make_uint3(tx, ty, tz), make_uint3(bx, by, bz), block, grid, 32};
  check::equal(check::name("where", block), out.get(), want);
}

__global__ void stride(const float* in, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    out[i] = in[i] * 2 + 1;
}

__global__ void stride2(const int* in, int* out, int width, int height) {
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += blockDim.y * gridDim.y)
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width; x += blockDim.x * gridDim.x)
      out[y * width + x] = in[y * width + x] + x - y;
}

__global__ void mark(unsigned char* seen, unsigned every) {
  const unsigned b = check::block_index();
  if (b % every == 0) seen[b / every * check::thread_count() + check::thread_index()] = 1 + b % 199;
}

__global__ void count_blocks(unsigned long long* counter) {
  if (blockIdx.x % 1024 == 1023) atomicAdd(counter, blockIdx.x);
}

void test_mark(dim3 grid, dim3 block, unsigned every) {
  const unsigned blocks = check::volume(grid), n = check::volume(block);
  const unsigned marked = (blocks + every - 1) / every;
  check::Array<unsigned char> seen(marked * n);
  mark<<<grid, block>>>(seen.data(), every);
  std::vector<unsigned char> want(marked * n);
  for (unsigned i = 0; i < marked * n; ++i) want[i] = 1 + i / n * every % 199;
  check::equal("mark", seen.get(), want);
}

int main() {
  for (dim3 block : check::block_shapes())
    for (dim3 grid : {dim3(1), dim3(7), dim3(3, 2), dim3(2, 3, 5), dim3(1, 1, 4)})
      test_where(grid, block);
  check::Random random(101);
  for (int n : {1, 31, 1009, 20011})
    for (int blocks : {1, 3, 64})
      for (int threads : {1, 33, 257}) {
        const auto in = random.reals<float>(n, -1, 1);
        check::Array<float> source(in), out(n);
        stride<<<blocks, threads>>>(source.data(), out.data(), n);
        std::vector<float> want(n);
        for (int i = 0; i < n; ++i) want[i] = in[i] * 2 + 1;
        check::equal("stride", out.get(), want);
      }
  for (dim3 grid : {dim3(1), dim3(3, 2), dim3(1, 7)})
    for (dim3 block : {dim3(1), dim3(32, 4), dim3(7, 5)}) {
      const int width = 101, height = 53;
      const auto in = random.integers<int>(width * height, -1000, 1000);
      check::Array<int> source(in), out(width * height);
      stride2<<<grid, block>>>(source.data(), out.data(), width, height);
      std::vector<int> want(width * height);
      for (int i = 0; i < width * height; ++i) want[i] = in[i] + i % width - i / width;
      check::equal("stride2", out.get(), want);
    }
  test_mark(dim3(70000), dim3(3), 1);
  test_mark(dim3(3, 65535), dim3(2), 97);
  test_mark(dim3(1, 2, 65535), dim3(1), 31);
  check::Array<unsigned long long> counter(std::vector<unsigned long long>(1, 0));
  const unsigned blocks = 1u << 21;
  count_blocks<<<blocks, 1>>>(counter.data());
  unsigned long long want = 0;
  for (unsigned b = 1023; b < blocks; b += 1024) want += b;
  CHECK_EQ(counter.get()[0], want);
  return check::finish();
}
