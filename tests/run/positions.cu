// Threads that know their place along x only as blockIdx.x * blockDim.x + threadIdx.x.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Launches | positions across blocks: narrow, odd and wide blocks, shifted and clamped, in 64 bits, with a fixed width
#include "check.h"

#include <algorithm>

struct Shape {
  dim3 grid, block;
};

// Rows of one thread, less than a vector, odd, more than a vector, as wide as a block can be.
static const Shape shapes[] = {
    {{61, 3, 1}, {1, 1, 1}},   {{40, 2, 1}, {3, 5, 1}},   {{17, 3, 2}, {8, 4, 2}},
    {{23, 5, 1}, {16, 16, 1}}, {{7, 2, 3}, {33, 7, 1}},   {{129, 1, 1}, {37, 1, 1}},
    {{35, 4, 1}, {32, 8, 1}},  {{3, 1, 2}, {1024, 1, 1}}, {{2, 2, 1}, {1, 64, 8}},
    {{9, 30, 1}, {16, 8, 1}},
};

/// What every thread writes to: as wide, high and deep as the launch and some more.
struct Box {
  int width, height, depth;
  explicit Box(const Shape& s)
      : width(s.grid.x * s.block.x), height(s.grid.y * s.block.y), depth(s.grid.z * s.block.z) {}
  int size() const { return width * height * depth; }
};

__global__ void stencil(const float* in, float* out, int w, int h, int limit) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= limit || y >= h) return;
  const float* plane = in + z * w * h;
  out[(z * h + y) * w + x] = plane[y * w + max(x - 1, 0)] + 2 * plane[y * w + x] +
                             3 * plane[y * w + min(x + 1, w - 1)] +
                             5 * plane[max(y - 1, 0) * w + x];
}

__global__ void shifted(const int* in, int* out, long long w, int h) {
  const long long x =
      static_cast<long long>(threadIdx.x) - 3 + static_cast<long long>(blockIdx.x) * blockDim.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= 0 && x < w) out[(z * h + y) * w + x] = in[(z * h + y) * w + (w - 1 - x)] * 3 + 1;
}

/// The width is the kernel's; launched with other ones, blocks overlap or leave gaps.
__global__ void fixed_width(int* counts, int w, int h) {
  const unsigned x = blockIdx.x * 16 + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
  atomicAdd(&counts[(z * h + y) * w + x], 1 + x % 5);
}

__global__ void strided(const int* in, int* out, int w, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int sum = 0;
    for (int k = 0; k <= i % 7; ++k) sum += in[(i + k * w) % n];
    if (blockIdx.y == 0 && threadIdx.y == 0 && blockIdx.z == 0 && threadIdx.z == 0) out[i] = sum;
  }
}

/// All threads of a column load the same, from a row above their own on and down to the last one.
__global__ void columns(const int* in, int* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.z * blockDim.z + threadIdx.z;
  const int y = static_cast<int>(threadIdx.y) - 1 + static_cast<int>(blockIdx.y * blockDim.y);
  unsigned sum = y;
  for (int k = 0; k < h; ++k) sum = sum * 3 + in[(z * h + k) * w + x];
  out[(z * h + (y + h) % h) * w + x] = sum;
}

/// The same, but those in the first row of their own block tell.
__global__ void first_rows(const int* in, int* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.z * blockDim.z + threadIdx.z;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned sum = threadIdx.y == 0 ? -1 : y;
  for (int k = 0; k < h; ++k) sum = sum * 3 + in[(z * h + k) * w + x];
  out[(z * h + y) * w + x] = sum;
}

/// Each thread but those at the end of its own block.
__global__ void ends_of_blocks(int* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
  out[(z * h + y) * w + x] = threadIdx.x == blockDim.x - 1 ? -x : x;
}

__global__ void with_private_array(const int* in, int* out, int w, int h, int rounds) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
  int kept[8];
  const int at = (z * h + y) * w + x;
  for (int k = 0; k < 8; ++k) kept[k] = in[at] * k;
  for (int k = 0; k < rounds; ++k) kept[(x + k) % 8] += kept[(k * 3 + y) % 8];
  out[at] = kept[x % 8] ^ kept[(z + 1) % 8];
}

static void test(const Shape& s) {
  const Box box(s);
  const int n = box.size(), w = box.width, h = box.height;
  check::Random random(n);
  const auto numbers = random.integers<int>(n, -1000, 1000);
  check::Array<int> in(numbers), out(n), counts(std::vector<int>(n + 1024 + 64, 0));
  std::vector<float> values(n);
  for (int i = 0; i < n; ++i) values[i] = static_cast<float>(numbers[i]);
  check::Array<float> from(values), to(std::vector<float>(n, -7));
  const auto at = [&](int x, int y, int z) { return (z * h + y) * w + x; };

  const int limit = w - w / 5;
  stencil<<<s.grid, s.block>>>(from.data(), to.data(), w, h, limit);
  KERNEL_OK();
  std::vector<float> want(n, -7);
  std::vector<int> whole(n);
  for (int z = 0; z < box.depth; ++z)
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < limit; ++x)
        want[at(x, y, z)] = values[at(std::max(x - 1, 0), y, z)] + 2 * values[at(x, y, z)] +
                            3 * values[at(std::min(x + 1, w - 1), y, z)] +
                            5 * values[at(x, std::max(y - 1, 0), z)];
  check::equal("stencil", to.get(), want);

  CUDA_OK(cudaMemset(out.data(), 0x99, n * sizeof(int)));
  shifted<<<s.grid, s.block>>>(in.data(), out.data(), w, h);
  KERNEL_OK();
  whole.assign(n, static_cast<int>(0x99999999u));
  for (int z = 0; z < box.depth; ++z)
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w - 3; ++x) whole[at(x, y, z)] = numbers[at(w - 1 - x, y, z)] * 3 + 1;
  check::equal("shifted", out.get(), whole);

  const int pitch = 16 * (s.grid.x - 1) + s.block.x;
  std::vector<int> sums(n + 1024 + 64, 0);
  if (pitch <= w) {
    fixed_width<<<s.grid, s.block>>>(counts.data(), w, h);
    KERNEL_OK();
    for (int z = 0; z < box.depth; ++z)
      for (int y = 0; y < h; ++y)
        for (unsigned b = 0; b < s.grid.x; ++b)
          for (unsigned t = 0; t < s.block.x; ++t)
            sums[at(b * 16 + t, y, z)] += 1 + (b * 16 + t) % 5;
    check::equal("fixed width", counts.get(), sums);
  }

  CUDA_OK(cudaMemset(out.data(), 0x99, n * sizeof(int)));
  strided<<<s.grid, s.block>>>(in.data(), out.data(), w, n);
  KERNEL_OK();
  for (int i = 0; i < n; ++i) {
    whole[i] = 0;
    for (int k = 0; k <= i % 7; ++k) whole[i] += numbers[(i + k * w) % n];
  }
  check::equal("strided", out.get(), whole);

  const auto sum_of_column = [&](unsigned sum, int x, int z) {
    for (int k = 0; k < h; ++k) sum = sum * 3 + static_cast<unsigned>(numbers[at(x, k, z)]);
    return static_cast<int>(sum);
  };
  CUDA_OK(cudaMemset(out.data(), 0x99, n * sizeof(int)));
  columns<<<s.grid, s.block>>>(in.data(), out.data(), w, h);
  KERNEL_OK();
  for (int i = 0; i < n; ++i) {
    const int y = i / w % h;
    whole[i] = sum_of_column(y == h - 1 ? -1 : y, i % w, i / w / h);
  }
  check::equal("columns", out.get(), whole);
  CUDA_OK(cudaMemset(out.data(), 0x99, n * sizeof(int)));
  first_rows<<<s.grid, s.block>>>(in.data(), out.data(), w, h);
  KERNEL_OK();
  for (int i = 0; i < n; ++i) {
    const int y = i / w % h;
    whole[i] = sum_of_column(y % s.block.y == 0 ? -1 : y, i % w, i / w / h);
  }
  check::equal("first rows", out.get(), whole);

  ends_of_blocks<<<s.grid, s.block>>>(out.data(), w, h);
  KERNEL_OK();
  for (int i = 0; i < n; ++i) {
    const int x = i % w;
    whole[i] = x % s.block.x == s.block.x - 1 ? -x : x;
  }
  check::equal("ends of blocks", out.get(), whole);

  with_private_array<<<s.grid, s.block>>>(in.data(), out.data(), w, h, 11);
  KERNEL_OK();
  for (int i = 0; i < n; ++i) {
    const int x = i % w, y = i / w % h, z = i / w / h;
    int kept[8];
    for (int k = 0; k < 8; ++k) kept[k] = numbers[i] * k;
    for (int k = 0; k < 11; ++k) kept[(x + k) % 8] += kept[(k * 3 + y) % 8];
    whole[i] = kept[x % 8] ^ kept[(z + 1) % 8];
  }
  check::equal("private array", out.get(), whole);
}

int main() {
  for (const Shape& shape : shapes) test(shape);
  return check::finish();
}
