// Virtual memory management: address ranges, and memory mapped into them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcuda
// FEATURE: Driver API | cuMemAddressReserve, cuMemCreate, cuMemMap, cuMemSetAccess: arrays that grow, memory at two addresses, sharing by file descriptor
#include <cuda.h>
#include <unistd.h>

#include "check.h"

#define CU_OK(call) CHECK_EQ((call), CUDA_SUCCESS)

__global__ void fill(int* out, long n, int from) {
  for (long i = check::global_index(); i < n; i += long(gridDim.x) * blockDim.x) {
    out[i] = from + static_cast<int>(i % 1009);
  }
}
__global__ void twice(int* data, long n) {
  for (long i = check::global_index(); i < n; i += long(gridDim.x) * blockDim.x) data[i] *= 2;
}

CUmemAllocationProp pinned() {
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  return properties;
}

size_t granularity() {
  const CUmemAllocationProp properties = pinned();
  size_t size = 0;
  CU_OK(cuMemGetAllocationGranularity(&size, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  return size;
}

void allow(CUdeviceptr at, size_t size, CUmemAccess_flags flags) {
  const CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, flags};
  CU_OK(cuMemSetAccess(at, size, &access, 1));
}

/// Kernels and copies see pieces that touch as one array.
void growing(size_t unit) {
  const CUmemAllocationProp properties = pinned();
  CUdeviceptr base = 0;
  CU_OK(cuMemAddressReserve(&base, 5 * unit, 4 * unit, 0, 0));
  CHECK_EQ(base % (4 * unit), CUdeviceptr{0});
  size_t size = 0;
  for (int step = 1; step <= 2; ++step) {
    CUmemGenericAllocationHandle handle = 0;
    CU_OK(cuMemCreate(&handle, step * unit, &properties, 0));
    CHECK_EQ(cuMemMap(base + size, step * unit, unit, handle, 0), CUDA_ERROR_INVALID_VALUE);
    CU_OK(cuMemMap(base + size, step * unit, 0, handle, 0));
    CHECK_EQ(cuMemMap(base + size, step * unit, 0, handle, 0), CUDA_ERROR_INVALID_VALUE);
    CU_OK(cuMemRelease(handle));
    CHECK_EQ(cuMemRelease(handle), CUDA_ERROR_INVALID_VALUE);
    allow(base + size, step * unit, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    size += step * unit;
  }
  int* const data = reinterpret_cast<int*>(base);
  const long n = static_cast<long>(size / sizeof(int));
  fill<<<13, 96>>>(data, n, 5);
  twice<<<9, 128>>>(data, n);
  std::vector<int> got(n, -1), want(n);
  CUDA_OK(cudaMemcpy(got.data(), data, size, cudaMemcpyDeviceToHost));
  for (long i = 0; i < n; ++i) want[i] = 2 * (5 + static_cast<int>(i % 1009));
  check::equal("two pieces", got, want);
  cudaPointerAttributes attributes;
  CUDA_OK(cudaPointerGetAttributes(&attributes, data + n - 1));
  CHECK_EQ(attributes.type, cudaMemoryTypeDevice);
  CUDA_OK(cudaMemset(data, 0, size));
  CUDA_OK(cudaMemcpy(got.data(), data, size, cudaMemcpyDefault));
  check::equal("filled", got, std::vector<int>(n));
  // Behind its end nothing is mapped.
  CHECK_EQ(cudaMemset(data, 0, size + 1), cudaErrorInvalidValue);
  CHECK_EQ(cuMemAddressFree(base, 5 * unit), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(cuMemUnmap(base, 2 * unit), CUDA_ERROR_INVALID_VALUE);  // half of the second piece
  CU_OK(cuMemUnmap(base, unit));
  CHECK_EQ(cudaMemset(data, 0, 4), cudaErrorInvalidValue);
  CUDA_OK(cudaMemset(data + unit / sizeof(int), 1, 2 * unit));
  CU_OK(cuMemUnmap(base + unit, 2 * unit));
  CU_OK(cuMemAddressFree(base, 5 * unit));
  (void)cudaGetLastError();
}

/// What is written at one address is read at the other.
void two_addresses(size_t unit) {
  CUmemAllocationProp properties = pinned();
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  CUdeviceptr base = 0;
  CUmemGenericAllocationHandle handle = 0, again = 0, imported = 0;
  CU_OK(cuMemAddressReserve(&base, 3 * unit, 0, 0, 0));
  CU_OK(cuMemCreate(&handle, unit, &properties, 0));
  int file = -1;
  CU_OK(cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  CU_OK(cuMemImportFromShareableHandle(&imported,
                                       reinterpret_cast<void*>(static_cast<uintptr_t>(file)),
                                       CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
  close(file);
  CU_OK(cuMemMap(base, unit, 0, handle, 0));
  CU_OK(cuMemMap(base + 2 * unit, unit, 0, imported, 0));
  allow(base, unit, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  allow(base + 2 * unit, unit, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  unsigned long long flags = 99;
  const CUmemLocation here = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CU_OK(cuMemGetAccess(&flags, &here, base + 5));
  CHECK_EQ(flags, 3ull);
  CHECK_EQ(cuMemGetAccess(&flags, &here, base + unit), CUDA_ERROR_INVALID_VALUE);
  CU_OK(cuMemRetainAllocationHandle(&again, reinterpret_cast<void*>(base + 16)));
  CHECK_EQ(again, handle);
  CU_OK(cuMemGetAllocationPropertiesFromHandle(&properties, again));
  CHECK_EQ(properties.type, CU_MEM_ALLOCATION_TYPE_PINNED);
  for (const auto one : {handle, again, imported}) CU_OK(cuMemRelease(one));
  const long n = static_cast<long>(unit / sizeof(int));
  fill<<<7, 64>>>(reinterpret_cast<int*>(base), n, 1);
  twice<<<7, 64>>>(reinterpret_cast<int*>(base + 2 * unit), n);
  std::vector<int> got(n, -1), want(n);
  CUDA_OK(cudaMemcpy(got.data(), reinterpret_cast<int*>(base), unit, cudaMemcpyDeviceToHost));
  for (long i = 0; i < n; ++i) want[i] = 2 * (1 + static_cast<int>(i % 1009));
  check::equal("at two addresses", got, want);
  allow(base, unit, CU_MEM_ACCESS_FLAGS_PROT_NONE);
  CHECK_EQ(cudaMemset(reinterpret_cast<void*>(base), 0, 4), cudaErrorInvalidValue);
  CU_OK(cuMemUnmap(base, unit));
  CU_OK(cuMemUnmap(base + 2 * unit, unit));
  CU_OK(cuMemAddressFree(base, 3 * unit));
  (void)cudaGetLastError();
}

void refusals(size_t unit) {
  CUmemAllocationProp properties = pinned();
  CUmemGenericAllocationHandle handle = 0;
  CUdeviceptr base = 0;
  CHECK_EQ(cuMemCreate(&handle, unit + 1, &properties, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(cuMemAddressReserve(&base, unit - 1, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(cuMemAddressFree(unit, unit), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(cuMemMap(unit, unit, 0, 12345, 0), CUDA_ERROR_INVALID_VALUE);
  properties.location.id = 1;
  CHECK_EQ(cuMemCreate(&handle, unit, &properties, 0), CUDA_ERROR_INVALID_VALUE);
  properties = pinned();
  int file = -1;
  CU_OK(cuMemCreate(&handle, unit, &properties, 0));
  CHECK_EQ(cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
           CUDA_ERROR_INVALID_VALUE);
  CU_OK(cuMemRelease(handle));
}

int main() {
  CU_OK(cuInit(0));
  int supported = 0;
  CU_OK(
      cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
  CHECK_EQ(supported, 1);
  const size_t unit = granularity();
  CHECK(unit > 0 && (unit & (unit - 1)) == 0);
  growing(unit);
  two_addresses(unit);
  refusals(unit);
  return check::finish();
}
