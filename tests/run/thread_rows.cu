// Rows of threads that share what they read are run together: odd sizes, guards that fail inside a
// group of rows, layers, results that add to what is there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Launches | blocks of two and three dimensions of any shape: rows that are whole vectors, and others
#include "check.h"

namespace {

__global__ void product(const int* a, const int* b, int* c, int n, int m) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n) return;
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
  c[(threadIdx.z * m + row) * n + col] += sum + static_cast<int>(threadIdx.z);
}

std::vector<int> products(const std::vector<int>& a, const std::vector<int>& b, std::vector<int> c,
                          int n, int m, int layers) {
  for (int z = 0; z < layers; ++z)
    for (int y = 0; y < m; ++y)
      for (int x = 0; x < n; ++x) {
        int sum = z;
        for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
        c[(z * m + y) * n + x] += sum;
      }
  return c;
}

/// Rows share the reads of a staged tile; every thread counts itself.
__global__ void staged(const int* in, int* out, int* count, int rounds) {
  __shared__ int tile[16][33];
  const int x = threadIdx.x, y = threadIdx.y;
  for (int j = y; j < 16; j += blockDim.y)
    for (int i = x; i < 32; i += blockDim.x) tile[j][i] = in[(blockIdx.x * 16 + j) * 32 + i];
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < rounds; ++k)
    sum += tile[k & 15][x & 31] * (y + k) + tile[(k * 3) & 15][(x + 1) & 31];
  if (rounds > 5) atomicAdd(count, 1);
  out[check::global_index()] += sum;
}

std::vector<int> staged_sums(const std::vector<int>& in, dim3 shape, int blocks, int rounds) {
  std::vector<int> out;
  for (int block = 0; block < blocks; ++block)
    for (unsigned t = 0; t < check::volume(shape); ++t) {
      const int x = static_cast<int>(t % shape.x), y = static_cast<int>(t / shape.x % shape.y);
      const auto at = [&](int j, int i) { return in[(block * 16 + (j & 15)) * 32 + (i & 31)]; };
      int sum = 5;
      for (int k = 0; k < rounds; ++k) sum += at(k, x) * (y + k) + at(k * 3, x + 1);
      out.push_back(sum);
    }
  return out;
}

const std::vector<dim3> shapes = {dim3(16, 16),   dim3(32, 8),    dim3(32, 4),
                                  dim3(16, 12),   dim3(16, 8, 3), dim3(64, 5, 2),
                                  dim3(16, 4, 4), dim3(48, 9),    dim3(8, 32)};

void test_product(dim3 shape, int n, int m) {
  check::Random random(static_cast<unsigned>(n * m));
  const auto a = random.integers<int>(static_cast<std::size_t>(n * n), -9, 9);
  const auto b = random.integers<int>(static_cast<std::size_t>(n * n), -9, 9);
  const auto c = random.integers<int>(static_cast<std::size_t>(n * m) * shape.z, -9, 9);
  check::Array<int> da(a), db(b), dc(c);
  const dim3 grid((n + shape.x - 1) / shape.x, (m + shape.y - 1) / shape.y);
  product<<<grid, shape>>>(da.data(), db.data(), dc.data(), n, m);
  check::equal(check::name("product", shape), dc.get(),
               products(a, b, c, n, m, static_cast<int>(shape.z)));
}

void test_staged(dim3 shape, int rounds) {
  constexpr int blocks = 3;
  const auto in = check::Random(7).integers<int>(16 * 32 * blocks, -99, 99);
  const std::size_t threads = std::size_t{check::volume(shape)} * blocks;
  check::Array<int> from(in), to(std::vector<int>(threads, 5)), count(std::vector<int>(1, 0));
  staged<<<blocks, shape>>>(from.data(), to.data(), count.data(), rounds);
  check::equal(check::name("staged", shape), to.get(), staged_sums(in, shape, blocks, rounds));
  CHECK_EQ(count.get()[0], rounds > 5 ? static_cast<int>(threads) : 0);
}

}  // namespace

int main() {
  for (dim3 shape : shapes) {
    test_product(shape, 65, 62);
    test_product(shape, 33, 33);
    test_staged(shape, 3);
    test_staged(shape, 21);
  }
  return check::finish();
}
