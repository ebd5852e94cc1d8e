// Pinned, mapped, registered and managed memory; what the library knows about a pointer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Host memory functions | cudaMallocHost, cudaHostAlloc (mapped), cudaHostGetDevicePointer, cudaHostRegister, cudaFreeHost
// FEATURE: Host memory functions | cudaMallocManaged
// FEATURE: Host memory functions | cudaPointerGetAttributes
#include "check.h"

__global__ void scale(int* a, int factor) { a[check::global_index()] *= factor; }

cudaMemoryType type_of(const void* p) {
  cudaPointerAttributes attributes;
  CUDA_OK(cudaPointerGetAttributes(&attributes, p));
  return attributes.type;
}

int main() {
  const int n = 3 * 97;
  std::vector<int> want(n);
  for (int i = 0; i < n; ++i) want[i] = i * 3;
  {
    int* pinned = nullptr;
    CUDA_OK(cudaMallocHost(reinterpret_cast<void**>(&pinned), n * sizeof(int)));
    for (int i = 0; i < n; ++i) pinned[i] = i;
    check::Array<int> device(n);
    CUDA_OK(cudaMemcpyAsync(device.data(), pinned, n * sizeof(int), cudaMemcpyHostToDevice, 0));
    scale<<<3, 97>>>(device.data(), 3);
    CUDA_OK(cudaMemcpyAsync(pinned, device.data(), n * sizeof(int), cudaMemcpyDeviceToHost, 0));
    CUDA_OK(cudaDeviceSynchronize());
    check::equal("pinned", std::vector<int>(pinned, pinned + n), want);
    CHECK(type_of(pinned) == cudaMemoryTypeHost);
    CHECK(type_of(device.data()) == cudaMemoryTypeDevice);
    CHECK(type_of(device.data() + 17) == cudaMemoryTypeDevice);
    int local = 0;
    CHECK(type_of(&local) == cudaMemoryTypeUnregistered);
    cudaPointerAttributes attributes;
    CUDA_OK(cudaPointerGetAttributes(&attributes, device.data()));
    CHECK_EQ(attributes.device, 0);
    CHECK(attributes.devicePointer == device.data());
    CUDA_OK(cudaFreeHost(pinned));
  }
  {
    int *mapped = nullptr, *device = nullptr;
    CUDA_OK(cudaHostAlloc(reinterpret_cast<void**>(&mapped), n * sizeof(int), cudaHostAllocMapped));
    CUDA_OK(cudaHostGetDevicePointer(reinterpret_cast<void**>(&device), mapped, 0));
    for (int i = 0; i < n; ++i) mapped[i] = i;
    scale<<<3, 97>>>(device, 3);
    CUDA_OK(cudaDeviceSynchronize());
    check::equal("mapped", std::vector<int>(mapped, mapped + n), want);
    unsigned flags = 0;
    CUDA_OK(cudaHostGetFlags(&flags, mapped));
    CHECK(flags & cudaHostAllocMapped);
    CUDA_OK(cudaFreeHost(mapped));
  }
  {
    std::vector<int> own(n);
    for (int i = 0; i < n; ++i) own[i] = i;
    CUDA_OK(cudaHostRegister(own.data(), n * sizeof(int), cudaHostRegisterMapped));
    CHECK(type_of(own.data()) == cudaMemoryTypeHost);
    int* device = nullptr;
    CUDA_OK(cudaHostGetDevicePointer(reinterpret_cast<void**>(&device), own.data(), 0));
    scale<<<3, 97>>>(device, 3);
    CUDA_OK(cudaDeviceSynchronize());
    check::equal("registered", own, want);
    CUDA_OK(cudaHostUnregister(own.data()));
    CHECK(type_of(own.data()) == cudaMemoryTypeUnregistered);
  }
  {
    int* managed = nullptr;
    CUDA_OK(cudaMallocManaged(&managed, n * sizeof(int)));
    for (int round = 0; round < 3; ++round) {
      for (int i = 0; i < n; ++i) managed[i] = i;
      scale<<<3, 97>>>(managed, 3);
      CUDA_OK(cudaDeviceSynchronize());
      check::equal("managed", std::vector<int>(managed, managed + n), want);
    }
    CHECK(type_of(managed) == cudaMemoryTypeManaged);
    CUDA_OK(cudaFree(managed));
  }
  // A driver may refuse it; what it has told is what there is.
  size_t heap = 0;
  if (cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20) == cudaSuccess) {
    CUDA_OK(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
    CHECK(heap >= 16 << 20);
  }
  return check::finish();
}
