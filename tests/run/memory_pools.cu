// Stream-ordered allocation from memory pools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Memory | memory pools: default, own and current pool, cudaMallocFromPoolAsync, attributes, limits, access
#include "check.h"

__global__ void fill(int* values, int n, int seed) {
  const int i = check::global_index();
  if (i < n) values[i] = seed * i + 7;
}

cudaMemPoolProps properties(std::size_t most) {
  cudaMemPoolProps wanted = {};
  wanted.allocType = cudaMemAllocationTypePinned;
  wanted.location = {cudaMemLocationTypeDevice, 0};
  wanted.maxSize = most;
  return wanted;
}

std::uint64_t attribute(cudaMemPool_t pool, cudaMemPoolAttr which) {
  std::uint64_t value = 12345;
  CUDA_OK(cudaMemPoolGetAttribute(pool, which, &value));
  return value;
}

void check_contents(int* values, int n, int seed, cudaStream_t stream) {
  std::vector<int> out(n, -1), want(n);
  for (int i = 0; i < n; ++i) want[i] = seed * i + 7;
  CUDA_OK(cudaMemcpyAsync(out.data(), values, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  check::equal("contents", out, want);
}

void own_pool(cudaStream_t stream) {
  const int n = 1009;
  const auto wanted = properties(3 * n * sizeof(int));
  cudaMemPool_t pool = nullptr;
  CUDA_OK(cudaMemPoolCreate(&pool, &wanted));
  int *a = nullptr, *b = nullptr, *c = nullptr;
  CUDA_OK(cudaMallocFromPoolAsync(&a, n * sizeof(int), pool, stream));
  CUDA_OK(cudaMallocAsync(&b, 2 * n * sizeof(int), pool, stream));  // the overload with a pool
  CHECK_EQ(attribute(pool, cudaMemPoolAttrUsedMemCurrent), 3u * n * sizeof(int));
  CHECK_EQ(cudaMallocFromPoolAsync(&c, 1, pool, stream), cudaErrorMemoryAllocation);
  CHECK(c == nullptr);
  fill<<<8, 128, 0, stream>>>(a, n, 3);
  fill<<<16, 128, 0, stream>>>(b, 2 * n, -5);
  check_contents(a, n, 3, stream);
  check_contents(b, 2 * n, -5, stream);
  CUDA_OK(cudaFreeAsync(b, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  CHECK_EQ(attribute(pool, cudaMemPoolAttrUsedMemCurrent), 1u * n * sizeof(int));
  CHECK_EQ(attribute(pool, cudaMemPoolAttrUsedMemHigh), 3u * n * sizeof(int));
  std::uint64_t zero = 0, one = 1;
  CUDA_OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
  CHECK_EQ(attribute(pool, cudaMemPoolAttrUsedMemHigh), 1u * n * sizeof(int));
  CHECK_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &one), cudaErrorInvalidValue);
  CHECK_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &zero),
           cudaErrorInvalidValue);
  CUDA_OK(cudaMemPoolTrimTo(pool, 0));
  CUDA_OK(cudaMemPoolDestroy(pool));
  CHECK_EQ(cudaMallocFromPoolAsync(&c, 4, pool, stream), cudaErrorInvalidValue);
  check_contents(a, n, 3, stream);  // memory outlives its pool
  CUDA_OK(cudaFree(a));
  (void)cudaGetLastError();
}

void default_pool(cudaStream_t stream) {
  int supported = 0;
  CUDA_OK(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
  CHECK_EQ(supported, 1);
  cudaMemPool_t pool = nullptr, current = nullptr;
  CUDA_OK(cudaDeviceGetDefaultMemPool(&pool, 0));
  CUDA_OK(cudaDeviceGetMemPool(&current, 0));
  CHECK(pool == current);
  std::uint64_t threshold = ~0ull;
  CUDA_OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  CHECK_EQ(attribute(pool, cudaMemPoolAttrReleaseThreshold), threshold);
  int reuse = 0;
  CUDA_OK(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse));
  reuse = 9;
  CUDA_OK(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse));
  CHECK_EQ(reuse, 0);
  const auto before = attribute(pool, cudaMemPoolAttrUsedMemCurrent);
  char* memory = nullptr;
  CUDA_OK(cudaMallocAsync(&memory, 4099, stream));
  CHECK_EQ(attribute(pool, cudaMemPoolAttrUsedMemCurrent), before + 4099);
  // Another pool becomes the current one, and is so no longer when it is destroyed.
  const auto wanted = properties(0);
  cudaMemPool_t other = nullptr;
  CUDA_OK(cudaMemPoolCreate(&other, &wanted));
  CUDA_OK(cudaDeviceSetMemPool(0, other));
  char* more = nullptr;
  CUDA_OK(cudaMallocAsync(&more, 77, stream));
  CHECK_EQ(attribute(other, cudaMemPoolAttrUsedMemCurrent), 77u);
  CUDA_OK(cudaFreeAsync(more, stream));
  CUDA_OK(cudaMemPoolDestroy(other));
  CUDA_OK(cudaDeviceGetMemPool(&current, 0));
  CHECK(pool == current);
  CUDA_OK(cudaFreeAsync(memory, stream));
  CHECK_EQ(attribute(pool, cudaMemPoolAttrUsedMemCurrent), before);
  CHECK_EQ(cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

void access() {
  cudaMemPool_t pool = nullptr;
  CUDA_OK(cudaDeviceGetDefaultMemPool(&pool, 0));
  cudaMemAccessDesc wanted = {{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
  CUDA_OK(cudaMemPoolSetAccess(pool, &wanted, 1));
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  CUDA_OK(cudaMemPoolGetAccess(&flags, pool, &wanted.location));
  CHECK_EQ(flags, cudaMemAccessFlagsProtReadWrite);
  wanted.location.id = 5;
  CHECK_EQ(cudaMemPoolSetAccess(pool, &wanted, 1), cudaErrorInvalidDevice);
  (void)cudaGetLastError();
}

int main() {
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  own_pool(stream);
  own_pool(0);
  default_pool(stream);
  access();
  CUDA_OK(cudaStreamDestroy(stream));
  return check::finish();
}
