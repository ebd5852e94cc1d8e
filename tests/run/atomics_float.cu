// Floating-point atomics.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Atomics | atomicAdd on float and double, global and shared
// FEATURE: Atomics | atomicExch on float
#include "check.h"

// Small integers: the sum is exact in any order.
template <class T>
__global__ void add(const T* in, T* sums, T* block_sums) {
  __shared__ T sum;
  const unsigned i = check::global_index();
  if (check::thread_index() == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[i]);
  atomicAdd(&sums[i % 3], in[i]);
  const T old = atomicAdd(&sums[3], T(1));
  if (old == T(gridDim.x * check::thread_count() - 1)) sums[4] = T(42);  // exactly one thread
  __syncthreads();
  if (check::thread_index() == 0) block_sums[blockIdx.x] = sum;
}

template <class T>
void test(const char* type, dim3 block) {
  const int n = check::volume(block), blocks = 5, total = n * blocks;
  check::Random random(n);
  const auto in = random.integers<T>(total, -100, 1000);
  check::Array<T> source(in), sums(std::vector<T>(5, 0)), block_sums(blocks);
  add<T><<<blocks, block>>>(source.data(), sums.data(), block_sums.data());
  std::vector<T> want(5, 0), want_blocks(blocks, 0);
  for (int i = 0; i < total; ++i) {
    want[i % 3] += in[i];
    want_blocks[i / n] += in[i];
  }
  want[3] = T(total);
  want[4] = T(42);
  check::equal(check::name(type, block), sums.get(), want);
  check::equal(check::name(type, block) + " shared", block_sums.get(), want_blocks);
}

// Sums of arbitrary numbers: within the bound n u sum |x|.
template <class T>
void test_rounding(T unit) {
  const int total = 96 * 50;
  check::Random random(7);
  const auto in = random.reals<T>(total, -1, 1);
  check::Array<T> source(in), sums(std::vector<T>(5, 0)), block_sums(50);
  add<T><<<50, 96>>>(source.data(), sums.data(), block_sums.data());
  const auto got = sums.get();
  for (int k = 0; k < 3; ++k) {
    long double sum = 0, magnitude = 0;
    for (int i = k; i < total; i += 3) sum += in[i], magnitude += std::fabs(in[i]);
    CHECK(std::fabs(double(got[k] - sum)) <= double(total / 3 * unit * magnitude));
  }
}

__global__ void exchange(float* cell, float* total) {
  const float mine = static_cast<float>(check::global_index() + 1);
  atomicAdd(total, atomicExch(cell, mine));
}

int main() {
  for (dim3 block : check::few_block_shapes()) {
    test<float>("float", block);
    test<double>("double", block);
  }
  test_rounding<float>(0x1p-24f);
  test_rounding<double>(0x1p-53);
  check::Array<float> cell(std::vector<float>(1, 0)), total(std::vector<float>(1, 0));
  exchange<<<3, 257>>>(cell.data(), total.data());
  const int n = 3 * 257;
  CHECK_EQ(cell.get()[0] + total.get()[0], static_cast<float>(n * (n + 1) / 2));
  return check::finish();
}
