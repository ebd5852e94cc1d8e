// Templates for devices that nobody uses: nvcc does not look for the names in them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Language | templates in `#ifdef __CUDA_ARCH__` that nobody uses and that name what is not there
#include "check.h"

#ifdef __CUDA_ARCH__
template <class Core, unsigned threads>
struct Resolver {
  __device__ static int resolve(int carry, unsigned* x) {
    lowest = fold<limbs>(x, carry);
    return __ballot_sync(0xffffffff, lowest == 0);
  }
};
template <class T>
__device__ T not_there(T x) {
  Missing<T> one(x);
  return one.value + of_nobody(3);
}
#endif
template <class T>
__device__ T twice(T x) {
  return x + x;
}

__global__ void kernel(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = twice(in[i]);
}

int main() {
  check::Random random(59);
  constexpr int n = 257;
  const auto in = random.integers<int>(n, -1000, 1000);
  check::Array<int> source(in), out(n);
  kernel<<<(n + 63) / 64, 64>>>(source.data(), out.data(), n);
  KERNEL_OK();
  std::vector<int> want(n);
  for (int i = 0; i < n; ++i) want[i] = 2 * in[i];
  check::equal("kernel", out.get(), want);
  return check::finish();
}
