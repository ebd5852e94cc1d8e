// What programs are told of the device, by each call that tells it. driver_properties_test.py knows
// what the fake driver's GPUs say.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

#include <cuda.h>
#include <cstdlib>
#include <cstring>

using namespace devices;

__global__ void use_shared(int* a) {
  __shared__ int values[256];
  values[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = values[255 - threadIdx.x];
}

void tell(const char* what, long value) { std::printf("%s %ld\n", what, value); }

int attribute(cudaDeviceAttr which) {
  int value = -1, of_driver = -1;
  CUDA_OK(cudaDeviceGetAttribute(&value, which, 0));
  CHECK_EQ(cuDeviceGetAttribute(&of_driver, static_cast<CUdevice_attribute>(which), 0),
           CUDA_SUCCESS);
  CHECK_EQ(value, of_driver);
  return value;
}

int main() {
  cudaDeviceProp p;
  CUDA_OK(cudaGetDeviceProperties(&p, 0));
  CHECK_EQ(cuInit(0), CUDA_SUCCESS);
#define TELL(field, attr)                   \
  tell(#field, static_cast<long>(p.field)); \
  CHECK_EQ(static_cast<long>(p.field), attribute(cudaDevAttr##attr))
  TELL(maxThreadsPerMultiProcessor, MaxThreadsPerMultiProcessor);
  TELL(maxBlocksPerMultiProcessor, MaxBlocksPerMultiprocessor);
  TELL(sharedMemPerMultiprocessor, MaxSharedMemoryPerMultiprocessor);
  TELL(sharedMemPerBlockOptin, MaxSharedMemoryPerBlockOptin);
  TELL(reservedSharedMemPerBlock, ReservedSharedMemoryPerBlock);
  TELL(regsPerBlock, MaxRegistersPerBlock);
  TELL(regsPerMultiprocessor, MaxRegistersPerMultiprocessor);
  TELL(memoryBusWidth, GlobalMemoryBusWidth);
  TELL(memoryClockRate, MemoryClockRate);
  TELL(clockRate, ClockRate);
  TELL(l2CacheSize, L2CacheSize);
  TELL(asyncEngineCount, AsyncEngineCount);
  TELL(singleToDoublePrecisionPerfRatio, SingleToDoublePrecisionPerfRatio);
  TELL(ECCEnabled, EccEnabled);
  TELL(tccDriver, TccDriver);
  TELL(integrated, Integrated);
  TELL(computeMode, ComputeMode);
  TELL(hostNativeAtomicSupported, HostNativeAtomicSupported);
  TELL(concurrentManagedAccess, ConcurrentManagedAccess);
  TELL(pageableMemoryAccess, PageableMemoryAccess);
  TELL(memoryPoolSupportedHandleTypes, MemoryPoolSupportedHandleTypes);
  TELL(pciBusID, PciBusId);
  TELL(pciDeviceID, PciDeviceId);
  TELL(pciDomainID, PciDomainId);
  TELL(major, ComputeCapabilityMajor);
  TELL(minor, ComputeCapabilityMinor);
  tell("totalGlobalMem", static_cast<long>(p.totalGlobalMem >> 20));

  CUuuid uuid;
  CHECK_EQ(cuDeviceGetUuid(&uuid, 0), CUDA_SUCCESS);
  CHECK_EQ(std::memcmp(&uuid, &p.uuid, sizeof uuid), 0);
  std::printf("uuid ");
  for (const char byte : uuid.bytes) std::printf("%02x", static_cast<unsigned char>(byte));
  char bus[32] = "";
  CUDA_OK(cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
  std::printf("\nbus %s\n", bus);
  int device = -1;
  CUDA_OK(cudaDeviceGetByPCIBusId(&device, bus));
  CHECK_EQ(device, 0);
  char short_id[32];
  std::snprintf(short_id, sizeof short_id, "%x:%x:%x", p.pciDomainID, p.pciBusID, p.pciDeviceID);
  CUDA_OK(cudaDeviceGetByPCIBusId(&device, short_id));
  CHECK_EQ(device, 0);

  cudaFuncAttributes kernel;
  CUDA_OK(cudaFuncGetAttributes(&kernel, use_shared));
  CHECK_EQ(kernel.sharedSizeBytes, 256 * sizeof(int));
  tell("numRegs", kernel.numRegs);
  tell("localSizeBytes", static_cast<long>(kernel.localSizeBytes));
  tell("ptxVersion", kernel.ptxVersion);
  tell("binaryVersion", kernel.binaryVersion);
  tell("maxThreadsPerBlock", kernel.maxThreadsPerBlock);

  // What pools promise they keep.
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  cudaMemPool_t pool = nullptr;
  const cudaError_t made = cudaMemPoolCreate(&pool, &properties);
  CHECK_EQ(made, p.memoryPoolSupportedHandleTypes ? cudaSuccess : cudaErrorNotSupported);
  if (made == cudaSuccess) CUDA_OK(cudaMemPoolDestroy(pool));
  cudaGetLastError();

  // What is set is what the device has.
  for (const cudaLimit limit :
       {cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize}) {
    size_t before = 0, after = 0;
    CUDA_OK(cudaDeviceGetLimit(&before, limit));
    const cudaError_t set = cudaDeviceSetLimit(limit, 2 * before);
    CUDA_OK(cudaDeviceGetLimit(&after, limit));
    if (set == cudaSuccess)
      CHECK(after >= 2 * before);
    else
      std::printf("limit %d: %d\n", limit, set);
    cudaGetLastError();
  }
  size_t least = 0;
  CUDA_OK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1));
  CUDA_OK(cudaDeviceGetLimit(&least, cudaLimitPrintfFifoSize));
  tell("printf", static_cast<long>(least));

  size_t free = 0, total = 0, later = 0;
  CUDA_OK(cudaMemGetInfo(&free, &total));
  CHECK_EQ(total, p.totalGlobalMem);
  CHECK(free <= total);
  tell("free", static_cast<long>(free >> 20));
  void* memory = nullptr;
  CUDA_OK(cudaMalloc(&memory, 64 << 20));
  CUDA_OK(cudaMemGetInfo(&later, &total));
  tell("taken", static_cast<long>((free - std::min(free, later)) >> 20));
  CUDA_OK(cudaFree(memory));
  // Page-locked memory is the host's, and all that is free can be had; managed memory may be more.
  std::printf("locked %d\n", cudaMallocHost(&memory, 128 << 20));
  CUDA_OK(cudaFreeHost(memory));
  if (!p.integrated) {
    CUDA_OK(cudaMemGetInfo(&free, &total));
    memory = nullptr;
    std::printf("whole %d\n", cudaMalloc(&memory, free / (2 << 20) * (2 << 20)));
    cudaGetLastError();
    CUDA_OK(cudaFree(memory));
  }
  // A real GPU, which others may use, is not asked for more than it has: some drivers hang then.
  if (std::getenv("FAKE_CUDA_GPUS")) {
    void* managed = nullptr;
    std::printf("managed %d\n", cudaMallocManaged(&managed, total + (64 << 20)));
    cudaGetLastError();
    CUDA_OK(cudaFree(managed));
  }
  return finish();
}
