// Quotients of what a launch knows: chunks for threads and blocks, halves, parts of a size.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model.h"

using namespace model;

// Every thread has a chunk of neighbours.
__global__ void chunk_of_thread(const int* in, int* out, int n) {
  const int threads = gridDim.x * blockDim.x;
  const int chunk = (n + threads - 1) / threads;
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * chunk;
  for (int i = first; i < min(first + chunk, n); ++i) out[i] = in[i] + 1;
}

// Every block has one.
__global__ void chunk_of_block(const int* in, int* out, int n) {
  const int chunk = (n + gridDim.x - 1) / gridDim.x;
  const int first = blockIdx.x * chunk, end = min(first + chunk, n);
  for (int i = first + threadIdx.x; i < end; i += blockDim.x) out[i] = in[i] + 2;
}

// The second of k equal parts is added to the first.
__global__ void fold(int* data, unsigned n, unsigned k) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, part = n / k;
  if (i < part) data[i] += data[i + part];
}

// A matrix of k rows; what is left over comes after it.
__global__ void rows_of(const int* in, int* out, unsigned n, unsigned k) {
  const unsigned w = n / k, x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < k) out[y * w + x] = in[y * w + x] * 3;
}

// From where a whole number of parts is left.
__global__ void without_rest(const int* in, int* out, unsigned n, unsigned k) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, rest = n % k;
  if (i < n - rest) out[i] = in[i + rest];
}

static void test(Random& random, int n, int k, unsigned grid, unsigned block) {
  const auto in = small<int>(random, n);
  Array<int> d_in(in);
  auto same = [&](const char* name, auto&& launch, const vector<int>& want) {
    Array<int> out(poisoned<int>(n));
    launch(out.data());
    equal(name, out.get(), want);
  };
  vector<int> one = in, two = in, folded = in, tripled = poisoned<int>(n), moved = tripled;
  for (int i = 0; i < n; ++i) one[i] += 1, two[i] += 2;
  const int part = n / k, rest = n % k;
  for (int i = 0; i < part; ++i) folded[i] = in[i] + (k > 1 ? in[i + part] : in[i]);
  for (int i = 0; i < part * k; ++i) tripled[i] = 3 * in[i];
  for (int i = 0; i < n - rest; ++i) moved[i] = in[i + rest];
  same(
      "chunk_of_thread", [&](int* out) { chunk_of_thread<<<grid, block>>>(d_in.data(), out, n); },
      one);
  same(
      "chunk_of_block", [&](int* out) { chunk_of_block<<<grid, block>>>(d_in.data(), out, n); },
      two);
  if (k > 1) {
    Array<int> data(in);
    fold<<<blocks(part + 1, block), block>>>(data.data(), n, k);
    equal("fold", data.get(), folded);
  }
  const dim3 tile(block, 3), tiles(blocks(part + 1, block), blocks(k, 3));
  same("rows_of", [&](int* out) { rows_of<<<tiles, tile>>>(d_in.data(), out, n, k); }, tripled);
  same(
      "without_rest",
      [&](int* out) { without_rest<<<blocks(n, block), block>>>(d_in.data(), out, n, k); }, moved);
}

int main() {
  Random random(33);
  test(random, 1000, 7, 5, 16);
  test(random, 997, 2, 12, 8);
  test(random, 64, 64, 4, 16);
  test(random, 13, 5, 7, 32);  // more threads than elements
  test(random, 5, 9, 3, 4);    // parts of nothing
  test(random, 1, 1, 1, 1);
  return check::finish();
}
