// Loops that store to one place again and again, launched with the same array twice and with
// others. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Memory | arguments that are one array, parts of one array, different arrays, null, pinned, managed, registered: stores in loops are seen where they should be
#include "check.h"

__global__ void sums(int* c, const int* a, const int* b, int n, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  c[i] = 1;
  for (int k = 0; k < rounds; ++k) c[i] += a[i] * 3 + b[(i + k * 7) % n];
}

/// What a loop stores depends on what it loads, on and on; none at all for some threads.
__global__ void chain(unsigned* c, const unsigned* a, unsigned* last, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < i % 9; ++k) {
    c[i] = c[i] * 5 + a[i] + k;
    if (last) last[i] = a[i] ^ k;
  }
}

__global__ void product(int rows, int columns, int n, int factor, int* a, int* b, int* c) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < rows && j < columns) {
    c[i * columns + j] *= factor;
    for (int k = 0; k < n; ++k) c[i * columns + j] += a[i * n + k] * b[k * columns + j];
  }
}

struct Pair {
  int* to;
  const int* from;
};
/// Pointers in a structure: nobody knows where they point.
__global__ void in_structure(Pair pair, const int* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < 5; ++k) pair.to[i] += pair.from[i] + b[i];
}

static unsigned blocks(int n) { return (n + 63) / 64; }

static void test_sums(check::Random& random, int n) {
  const auto a = random.integers<int>(n, -99, 99), b = random.integers<int>(n, -99, 99);
  const int rounds = 11;
  const auto want = [&](bool same_a) {
    std::vector<int> c(n);
    for (int i = 0; i < n; ++i) {
      c[i] = 1;
      for (int k = 0; k < rounds; ++k) c[i] += (same_a ? c[i] : a[i]) * 3 + b[(i + k * 7) % n];
    }
    return c;
  };
  check::Array<int> da(a), db(b), dc(std::vector<int>(n, -5));
  sums<<<blocks(n), 64>>>(dc.data(), da.data(), db.data(), n, rounds);
  KERNEL_OK();
  check::equal("different arrays", dc.get(), want(false));
  sums<<<blocks(n), 64>>>(da.data(), da.data(), db.data(), n, rounds);
  KERNEL_OK();
  check::equal("one array", da.get(), want(true));

  // Parts of one allocation, beside each other and the same.
  std::vector<int> all(3 * n);
  std::copy(a.begin(), a.end(), all.begin() + n);
  std::copy(b.begin(), b.end(), all.begin() + 2 * n);
  check::Array<int> parts(all);
  int* const p = parts.data();
  sums<<<blocks(n), 64>>>(p, p + n, p + 2 * n, n, rounds);
  KERNEL_OK();
  auto got = parts.get();
  check::equal("parts", std::vector<int>(got.begin(), got.begin() + n), want(false));
  sums<<<blocks(n), 64>>>(p + n, p + n, p + 2 * n, n, rounds);
  KERNEL_OK();
  got = parts.get();
  check::equal("one part", std::vector<int>(got.begin() + n, got.begin() + 2 * n), want(true));

  // Memory of other kinds.
  int *pinned = nullptr, *managed = nullptr;
  CUDA_OK(cudaMallocHost(&pinned, n * sizeof(int)));
  CUDA_OK(cudaMallocManaged(&managed, n * sizeof(int)));
  std::copy(a.begin(), a.end(), pinned);
  std::copy(b.begin(), b.end(), managed);
  sums<<<blocks(n), 64>>>(dc.data(), pinned, managed, n, rounds);
  KERNEL_OK();
  check::equal("pinned and managed", dc.get(), want(false));
  sums<<<blocks(n), 64>>>(pinned, pinned, managed, n, rounds);
  KERNEL_OK();
  check::equal("one pinned", std::vector<int>(pinned, pinned + n), want(true));
  CUDA_OK(cudaFree(managed));
  CUDA_OK(cudaFreeHost(pinned));
  std::vector<int> own(a);
  CUDA_OK(cudaHostRegister(own.data(), n * sizeof(int), cudaHostRegisterDefault));
  sums<<<blocks(n), 64>>>(own.data(), own.data(), db.data(), n, rounds);
  KERNEL_OK();
  CUDA_OK(cudaHostUnregister(own.data()));
  check::equal("registered", own, want(true));
}

static void test_chain(check::Random& random, int n) {
  const auto a = random.integers<unsigned>(n, 0, 1000), c = random.integers<unsigned>(n, 0, 1000);
  for (const int same : {0, 1, 2, 3}) {  // nothing; c and a; a and last; no last
    std::vector<unsigned> sums(c), from(a), last(n, 7);
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < i % 9; ++k) {
        unsigned& read = same == 1 ? sums[i] : from[i];
        sums[i] = sums[i] * 5 + read + k;
        if (same != 3) (same == 2 ? from[i] : last[i]) = read ^ k;
      }
    check::Array<unsigned> dc(c), da(a), dl(std::vector<unsigned>(n, 7));
    chain<<<blocks(n), 64>>>(dc.data(), same == 1 ? dc.data() : da.data(),
                             same == 2   ? da.data()
                             : same == 3 ? nullptr
                                         : dl.data(),
                             n);
    KERNEL_OK();
    check::equal("chain: sums", dc.get(), sums);
    check::equal("chain: read", da.get(), from);
    check::equal("chain: last", dl.get(), last);
  }
}

static void test_product(check::Random& random, int rows, int columns, int n) {
  const auto a = random.integers<int>(rows * n, -9, 9),
             b = random.integers<int>(n * columns, -9, 9),
             c = random.integers<int>(rows * columns, -9, 9);
  std::vector<int> want(c);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      want[i * columns + j] *= -3;
      for (int k = 0; k < n; ++k) want[i * columns + j] += a[i * n + k] * b[k * columns + j];
    }
  check::Array<int> da(a), db(b), dc(c);
  const dim3 block(32, 8), grid((columns + 31) / 32, (rows + 7) / 8);
  product<<<grid, block>>>(rows, columns, n, -3, da.data(), db.data(), dc.data());
  KERNEL_OK();
  check::equal("product", dc.get(), want);
}

static void test_structure(check::Random& random, int n) {
  const auto a = random.integers<int>(n, -99, 99), b = random.integers<int>(n, -99, 99);
  check::Array<int> da(a), db(b);
  in_structure<<<blocks(n), 64>>>(Pair{da.data(), da.data()}, db.data(), n);
  KERNEL_OK();
  std::vector<int> want(a);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 5; ++k) want[i] += want[i] + b[i];
  check::equal("in a structure", da.get(), want);
}

int main() {
  check::Random random(7);
  for (const int n : {1, 63, 64, 1000, 4099}) {
    test_sums(random, n);
    test_chain(random, n);
    test_structure(random, n);
  }
  test_product(random, 97, 131, 61);
  test_product(random, 128, 64, 128);
  test_product(random, 1, 33, 0);
  return check::finish();
}
