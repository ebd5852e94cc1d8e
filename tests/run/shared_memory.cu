// Static shared memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Shared memory | static arrays of every type, 2-D and 3-D, of structs, several per kernel
// FEATURE: Shared memory | __shared__ in device functions and in templates, one instance per function
// FEATURE: Shared memory | pointers to shared memory passed to functions and kept in structs
#include "check.h"

#include <algorithm>

struct Cell {
  char tag;
  double value;
  short pair[3];
};

__global__ void types(unsigned long long* out) {
  __shared__ char bytes[1024];
  __shared__ short halves[1024];
  __shared__ float reals[1024];
  __shared__ double precise[1024];
  __shared__ int scalar;
  __shared__ bool flags[1024];
  const unsigned t = check::thread_index(), n = check::thread_count();
  bytes[t] = static_cast<char>(t);
  halves[t] = static_cast<short>(t * 3);
  reals[t] = t * 0.5f;
  precise[t] = t * 0.25;
  flags[t] = t % 3 == 0;
  if (t == n - 1) scalar = 1000;
  __syncthreads();
  const unsigned u = n - 1 - t;
  out[blockIdx.x * n + t] = static_cast<unsigned long long>(
      static_cast<unsigned char>(bytes[u]) + halves[u] + reals[u] * 2 + precise[u] * 4 + scalar +
      (flags[u] ? 100000 : 0));
}

__global__ void structs(double* out) {
  __shared__ Cell cells[512];
  const unsigned t = check::thread_index(), n = check::thread_count();
  if (t < 512) {
    cells[t].tag = static_cast<char>('a' + t % 26);
    cells[t].value = t * 1.5;
    for (int k = 0; k < 3; ++k) cells[t].pair[k] = static_cast<short>(t + k);
  }
  __syncthreads();
  const unsigned m = n < 512 ? n : 512;
  Cell copy = cells[(t + 1) % m];
  copy.pair[t % 3] += 10;
  out[blockIdx.x * n + t] =
      copy.tag + copy.value + copy.pair[0] + copy.pair[1] * 2 + copy.pair[2] * 4;
}

// The classic tile with padding, transposed through shared memory.
__global__ void transpose(const float* in, float* out, int width, int height) {
  __shared__ float tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x;
  const int y = blockIdx.y * 16 + threadIdx.y;
  for (int j = 0; j < 16; j += blockDim.y)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  const int oy = blockIdx.x * 16 + threadIdx.y;
  for (int j = 0; j < 16; j += blockDim.y)
    if (x < height && oy + j < width)
      out[(oy + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void cube(int* out) {
  __shared__ int cells[4][5][6];
  const int t = check::thread_index();
  for (int i = t; i < 120; i += check::thread_count()) cells[i / 30][i / 6 % 5][i % 6] = i * i;
  __syncthreads();
  for (int i = t; i < 120; i += check::thread_count()) {
    const int x = i % 6, y = i / 6 % 5, z = i / 30;
    out[blockIdx.x * 120 + i] = cells[3 - z][(y + 1) % 5][5 - x];
  }
}

// A shared array inside a device function is one object, however often the function is called.
__device__ int through_function(int t, int n, int value) {
  __shared__ int inside[1024];
  __syncthreads();
  inside[t] = value;
  __syncthreads();
  return inside[(t + 1) % n];
}
template <int Tag>
__device__ int per_instance(int t, int value) {
  __shared__ int cell[1024];
  cell[t] = value + Tag;
  return cell[t];
}
struct Handle {
  int* cells;
  int stride;
  __device__ int& at(int i) const { return cells[i * stride]; }
};
__device__ void fill(int* cells, int t) { cells[t] = t * 11; }

__global__ void in_functions(int* out) {
  __shared__ int cells[2048];
  const int t = check::thread_index(), n = check::thread_count();
  int value = through_function(t, n, t * 2);
  value = through_function(t, n, value + 1);
  const int one = per_instance<1>(t, value), two = per_instance<2>(t, value);
  fill(cells, t);
  __syncthreads();
  Handle handle{cells, 1};
  const int read = handle.at((t + 3) % n);
  __syncthreads();
  handle = Handle{cells, 2};
  handle.at(t) = t;
  __syncthreads();
  int* p = &cells[0];
  const int* end = p + 2 * n;
  int sum = 0;
  if (t < 3)
    for (; p < end; p += 2) sum += *p;
  out[blockIdx.x * n + t] = value + one * 3 + two * 5 + read * 7 + sum;
}

// 48 KiB: all a kernel gets without asking.
__global__ void full_size(int* out) {
  __shared__ int big[12288];
  const int t = check::thread_index(), n = check::thread_count();
  for (int i = t; i < 12288; i += n) big[i] = i ^ static_cast<int>(blockIdx.x);
  __syncthreads();
  int sum = 0;
  for (int i = 12287 - t; i >= 0; i -= n) sum += big[i];
  atomicAdd(&out[blockIdx.x], sum);
}

int main() {
  for (dim3 block : check::block_shapes()) {
    const int n = check::volume(block), blocks = 3;
    {
      check::Array<unsigned long long> out(blocks * n);
      types<<<blocks, block>>>(out.data());
      std::vector<unsigned long long> want(blocks * n);
      for (int i = 0; i < blocks * n; ++i) {
        const unsigned u = n - 1 - i % n;
        want[i] = u % 256 + u * 3 + u + u + 1000 + (u % 3 == 0 ? 100000 : 0);
      }
      check::equal(check::name("types", block), out.get(), want);
    }
    {
      check::Array<double> out(blocks * n);
      structs<<<blocks, block>>>(out.data());
      std::vector<double> want(blocks * n);
      for (int i = 0; i < blocks * n; ++i) {
        const int t = i % n, u = (t + 1) % std::min(n, 512);
        int pair[3] = {u, u + 1, u + 2};
        pair[t % 3] += 10;
        want[i] = 'a' + u % 26 + u * 1.5 + pair[0] + pair[1] * 2 + pair[2] * 4;
      }
      check::equal(check::name("structs", block), out.get(), want);
    }
    {
      check::Array<int> out(blocks * 120);
      cube<<<blocks, block>>>(out.data());
      std::vector<int> want(blocks * 120);
      for (int i = 0; i < blocks * 120; ++i) {
        const int k = i % 120, from = (3 - k / 30) * 30 + (k / 6 % 5 + 1) % 5 * 6 + 5 - k % 6;
        want[i] = from * from;
      }
      check::equal(check::name("cube", block), out.get(), want);
    }
    {
      check::Array<int> out(blocks * n);
      in_functions<<<blocks, block>>>(out.data());
      std::vector<int> want(blocks * n);
      for (int i = 0; i < blocks * n; ++i) {
        const int t = i % n, value = (t + 2) % n * 2 + 1;
        want[i] = value + (value + 1) * 3 + (value + 2) * 5 + (t + 3) % n * 11 * 7 +
                  (t < 3 ? n * (n - 1) / 2 : 0);
      }
      check::equal(check::name("in_functions", block), out.get(), want);
    }
    {
      check::Array<int> out(std::vector<int>(blocks, 0));
      full_size<<<blocks, block>>>(out.data());
      std::vector<int> want(blocks, 0);
      for (int b = 0; b < blocks; ++b)
        for (int i = 0; i < 12288; ++i) want[b] += i ^ b;
      check::equal(check::name("full_size", block), out.get(), want);
    }
  }
  for (int rows : {16, 8, 1})
    for (int width : {1, 16, 37, 101}) {
      const int height = 53;
      check::Random random(width);
      const auto in = random.reals<float>(width * height, -1, 1);
      check::Array<float> source(in), out(width * height);
      transpose<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, rows)>>>(
          source.data(), out.data(), width, height);
      std::vector<float> want(width * height);
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) want[x * height + y] = in[y * width + x];
      check::equal("transpose", out.get(), want);
    }
  return check::finish();
}
