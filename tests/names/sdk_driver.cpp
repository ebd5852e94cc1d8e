// Compiled with NVIDIA's cuda.h, whose names have versions; runs on our libcuda.so.1.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda.h>

#include <cstdio>
#include <cstring>
#include <vector>

#define CHECK(condition) \
  if (!(condition)) return std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition), 1
#define OK(call) CHECK((call) == CUDA_SUCCESS)

int device_facts(CUdevice device) {
  char name[100] = {};
  size_t bytes = 0;
  CUuuid id;
  OK(cuDeviceGetName(name, sizeof name, device));
  CHECK(std::strstr(name, "Gridspan"));
  OK(cuDeviceTotalMem(&bytes, device));
  CHECK(bytes > 1 << 20);
  OK(cuDeviceGetUuid(&id, device));
  // A program of a later CUDA may ask for attributes that we have never heard of.
  for (int attribute = 1; attribute < CU_DEVICE_ATTRIBUTE_MAX; ++attribute) {
    int value = -77;
    const CUresult result =
        cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(attribute), device);
    CHECK(result == CUDA_SUCCESS || result == CUDA_ERROR_INVALID_VALUE);
    CHECK(result != CUDA_SUCCESS || value != -77);
  }
  return 0;
}

int memory() {
  constexpr size_t n = 10007;
  std::vector<unsigned> host(n, 0xdeadbeef), back(n, 0xdeadbeef);
  for (size_t i = 0; i < n; ++i) host[i] = static_cast<unsigned>(i * 2654435761u);
  CUdeviceptr a, b, base;
  size_t pitch, size, free_bytes, all_bytes;
  CUstream stream;
  OK(cuMemGetInfo(&free_bytes, &all_bytes));
  OK(cuMemAlloc(&a, n * 4));
  OK(cuMemAllocPitch(&b, &pitch, 333, 7, 4));
  CHECK(pitch >= 333);
  OK(cuMemGetAddressRange(&base, &size, a + 40));
  CHECK(base == a && size >= n * 4);
  OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  OK(cuMemcpyHtoDAsync(a, host.data(), n * 4, stream));
  OK(cuMemsetD32Async(a + 4 * 100, 77, 50, stream));
  OK(cuMemsetD8Async(a, 0x5a, 9, stream));
  OK(cuMemcpyDtoHAsync(back.data(), a, n * 4, stream));
  OK(cuStreamSynchronize(stream));
  std::memset(host.data(), 0x5a, 9);
  for (size_t i = 100; i < 150; ++i) host[i] = 77;
  CHECK(host == back);

  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = host.data();
  copy.srcPitch = 333;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = b;
  copy.dstPitch = pitch;
  copy.WidthInBytes = 333;
  copy.Height = 7;
  OK(cuMemcpy2D(&copy));
  std::vector<unsigned char> rows(333 * 7, 0xee);
  for (size_t row = 0; row < 7; ++row) OK(cuMemcpyDtoH(&rows[row * 333], b + row * pitch, 333));
  CHECK(std::memcmp(rows.data(), host.data(), rows.size()) == 0);
  OK(cuMemFree(a));
  OK(cuMemFree(b));
  OK(cuStreamDestroy(stream));
  return 0;
}

int events() {
  CUevent start, end;
  float milliseconds = -1;
  OK(cuEventCreate(&start, 0));
  OK(cuEventCreate(&end, 0));
  OK(cuEventRecord(start, nullptr));
  OK(cuEventRecord(end, nullptr));
  OK(cuEventSynchronize(end));
  OK(cuEventElapsedTime(&milliseconds, start, end));
  CHECK(milliseconds >= 0);
  OK(cuEventDestroy(start));
  OK(cuEventDestroy(end));
  return 0;
}

int entry_points() {
  void* found = nullptr;
  CUdriverProcAddressQueryResult status;
  OK(cuGetProcAddress("cuMemAlloc", &found, 3020, CU_GET_PROC_ADDRESS_DEFAULT, &status));
  CHECK(found && status == CU_GET_PROC_ADDRESS_SUCCESS);
  CUdeviceptr memory = 0;
  OK(reinterpret_cast<CUresult (*)(CUdeviceptr*, size_t)>(found)(&memory, 1000));
  OK(cuMemFree(memory));
  void* usual = nullptr;
  void* per_thread = nullptr;
  OK(cuGetProcAddress("cuMemcpyAsync", &usual, 12000, CU_GET_PROC_ADDRESS_LEGACY_STREAM, &status));
  OK(cuGetProcAddress("cuMemcpyAsync", &per_thread, 12000,
                      CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, &status));
  CHECK(usual && per_thread && usual != per_thread);
  found = &memory;
  CHECK(cuGetProcAddress("cuNoSuchFunction", &found, 12000, 0, &status) == CUDA_SUCCESS ||
        cuGetProcAddress("cuNoSuchFunction", &found, 12000, 0, &status) == CUDA_ERROR_NOT_FOUND);
  CHECK(!found && status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  CHECK(cuGetProcAddress("cuInit", nullptr, 12000, 0, &status) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuGetProcAddress("cuInit", &found, 12000, 64, &status) == CUDA_ERROR_INVALID_VALUE);
  const void* table = &memory;
  CUuuid id = {};
  CHECK(cuGetExportTable(&table, &id) == CUDA_ERROR_NOT_FOUND);
  CHECK(cuGetExportTable(&table, &id) == CUDA_ERROR_NOT_FOUND);
  CHECK(!table);
  return 0;
}

int capture() {
  CUstream stream;
  CUgraph graph;
  CUgraphExec executable;
  CUdeviceptr memory;
  OK(cuMemAlloc(&memory, 4 * 37));
  OK(cuMemsetD32(memory, 1, 37));
  OK(cuStreamCreate(&stream, 0));
  OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  OK(cuMemsetD32Async(memory, 9, 37, stream));
  CUstreamCaptureStatus status;
  OK(cuStreamIsCapturing(stream, &status));
  CHECK(status == CU_STREAM_CAPTURE_STATUS_ACTIVE);
  OK(cuStreamEndCapture(stream, &graph));
  OK(cuGraphInstantiate(&executable, graph, 0));
  OK(cuGraphLaunch(executable, stream));
  OK(cuStreamSynchronize(stream));
  unsigned got[37] = {};
  OK(cuMemcpyDtoH(got, memory, sizeof got));
  for (unsigned value : got) CHECK(value == 9);
  OK(cuGraphExecDestroy(executable));
  OK(cuGraphDestroy(graph));
  OK(cuStreamDestroy(stream));
  OK(cuMemFree(memory));
  return 0;
}

int main() {
  int version = 0, count = 0;
  CUdevice device;
  CUcontext context, other = nullptr;
  OK(cuInit(0));
  OK(cuDriverGetVersion(&version));
  OK(cuDeviceGetCount(&count));
  CHECK(version >= 12000 && count >= 1);
  OK(cuDeviceGet(&device, 0));
  OK(cuDevicePrimaryCtxRetain(&context, device));
  OK(cuCtxSetCurrent(context));
#if CUDA_VERSION >= 13000
  OK(cuCtxCreate(&other, nullptr, 0, device));
#else
  OK(cuCtxCreate(&other, 0, device));
#endif
  CUcontext popped;
  OK(cuCtxPopCurrent(&popped));
  CHECK(popped == other);
  OK(cuCtxPushCurrent(other));
  OK(cuCtxDestroy(other));
  OK(cuCtxSetCurrent(context));
  if (device_facts(device) || memory() || events() || entry_points() || capture()) return 1;
  OK(cuDevicePrimaryCtxRelease(device));
  std::puts("right");
}
