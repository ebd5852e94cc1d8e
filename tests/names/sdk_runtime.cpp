// Compiled with NVIDIA's cuda_runtime_api.h, linked with NVIDIA's libcudart; runs on ours of that
// name. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstring>
#include <vector>

#define CHECK(condition) \
  if (!(condition)) return std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition), 1
#define OK(call) CHECK((call) == cudaSuccess)

int properties() {
  struct {
    cudaDeviceProp properties;
    unsigned char behind[64];
  } got;
  std::memset(&got, 0xee, sizeof got);
  OK(cudaGetDeviceProperties(&got.properties, 0));
  for (unsigned char byte : got.behind) CHECK(byte == 0xee);
  const cudaDeviceProp& p = got.properties;
  CHECK(std::strstr(p.name, "Gridspan"));
  CHECK(p.warpSize == 32 && p.maxThreadsPerBlock == 1024 && p.unifiedAddressing == 1);
  CHECK(p.managedMemory == 1 && p.totalGlobalMem > 1 << 20 && p.maxTexture1D > 0);
  int value = 0;
  const struct {
    cudaDeviceAttr attribute;
    long long want;
  } pairs[] = {{cudaDevAttrComputeCapabilityMajor, p.major},
               {cudaDevAttrComputeCapabilityMinor, p.minor},
               {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
               {cudaDevAttrMaxGridDimX, p.maxGridSize[0]},
               {cudaDevAttrL2CacheSize, p.l2CacheSize},
               {cudaDevAttrMaxSharedMemoryPerBlockOptin, (long long)p.sharedMemPerBlockOptin},
               {cudaDevAttrMaxRegistersPerMultiprocessor, p.regsPerMultiprocessor},
               {cudaDevAttrMaxBlocksPerMultiprocessor, p.maxBlocksPerMultiProcessor},
               {cudaDevAttrCooperativeLaunch, p.cooperativeLaunch},
               {cudaDevAttrMaxTexture3DDepth, p.maxTexture3D[2]},
               {cudaDevAttrMaxSurface2DHeight, p.maxSurface2D[1]},
               {cudaDevAttrMemoryPoolsSupported, p.memoryPoolsSupported},
               {cudaDevAttrHostRegisterSupported, p.hostRegisterSupported}};
  for (const auto& pair : pairs) {
    OK(cudaDeviceGetAttribute(&value, pair.attribute, 0));
    CHECK(value == pair.want);
  }
  int chosen = -1;
  OK(cudaChooseDevice(&chosen, &p));
  CHECK(chosen == 0);
  return 0;
}

int memory() {
  constexpr size_t n = 10007, width = 301, height = 5;
  std::vector<unsigned> host(n), back(n, 0xdeadbeef);
  for (size_t i = 0; i < n; ++i) host[i] = static_cast<unsigned>(i * 2654435761u);
  void *a, *b, *managed;
  size_t pitch;
  cudaStream_t stream;
  cudaEvent_t start, end;
  float milliseconds = -1;
  OK(cudaMalloc(&a, n * 4));
  OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  OK(cudaEventCreate(&start));
  OK(cudaEventCreate(&end));
  OK(cudaEventRecord(start, stream));
  OK(cudaMemcpyAsync(a, host.data(), n * 4, cudaMemcpyHostToDevice, stream));
  OK(cudaMemsetAsync(static_cast<char*>(a) + 5, 0x3c, 1001, stream));
  OK(cudaMemcpyAsync(back.data(), a, n * 4, cudaMemcpyDeviceToHost, stream));
  OK(cudaEventRecord(end, stream));
  OK(cudaStreamSynchronize(stream));
  OK(cudaEventElapsedTime(&milliseconds, start, end));
  CHECK(milliseconds >= 0);
  std::memset(reinterpret_cast<char*>(host.data()) + 5, 0x3c, 1001);
  CHECK(host == back);
  OK(cudaMallocPitch(&b, &pitch, width, height));
  OK(cudaMemcpy2D(b, pitch, host.data(), width, width, height, cudaMemcpyHostToDevice));
  std::vector<char> rows(width * height, 1);
  OK(cudaMemcpy2D(rows.data(), width, b, pitch, width, height, cudaMemcpyDeviceToHost));
  CHECK(std::memcmp(rows.data(), host.data(), rows.size()) == 0);

  OK(cudaMallocManaged(&managed, n, cudaMemAttachGlobal));
  std::memset(managed, 7, n);
#if CUDART_VERSION >= 13000
  const cudaMemLocation there = {cudaMemLocationTypeDevice, {0}};
  OK(cudaMemAdvise(managed, n, cudaMemAdviseSetPreferredLocation, there));
  OK(cudaMemPrefetchAsync(managed, n, there, 0, stream));
#else
  OK(cudaMemAdvise(managed, n, cudaMemAdviseSetPreferredLocation, 0));
  OK(cudaMemPrefetchAsync(managed, n, 0, stream));
#endif
  OK(cudaStreamSynchronize(stream));
  CHECK(static_cast<char*>(managed)[n - 1] == 7);
  cudaPointerAttributes about;
  OK(cudaPointerGetAttributes(&about, a));
  CHECK(about.type == cudaMemoryTypeDevice && about.device == 0 && about.devicePointer == a);
  CHECK(cudaMalloc(&b, ~size_t{0} / 2) == cudaErrorMemoryAllocation);
  CHECK(cudaGetLastError() == cudaErrorMemoryAllocation && cudaGetLastError() == cudaSuccess);
  OK(cudaFree(a));
  OK(cudaFree(managed));
  OK(cudaEventDestroy(start));
  OK(cudaEventDestroy(end));
  OK(cudaStreamDestroy(stream));
  return 0;
}

int graphs() {
  char* memory;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaGraphNode_t first, second;
  OK(cudaMalloc(reinterpret_cast<void**>(&memory), 100));
  OK(cudaGraphCreate(&graph, 0));
  cudaMemsetParams fill = {};
  fill.dst = memory;
  fill.value = 3;
  fill.elementSize = 1;
  fill.width = 100;
  fill.height = 1;
  OK(cudaGraphAddMemsetNode(&first, graph, nullptr, 0, &fill));
  fill.dst = memory + 13;
  fill.value = 4;
  fill.width = 20;
  OK(cudaGraphAddMemsetNode(&second, graph, nullptr, 0, &fill));
  size_t edges = 0;
#if CUDART_VERSION >= 13000
  OK(cudaGraphAddDependencies(graph, &first, &second, nullptr, 1));
  cudaGraphNode_t from, to;
  cudaGraphEdgeData data;
  std::memset(&data, 0xee, sizeof data);
  edges = 1;
  OK(cudaGraphGetEdges(graph, &from, &to, &data, &edges));
  CHECK(from == first && to == second && data.type == 0 && data.from_port == 0);
  cudaGraphEdgeData port = {};
  port.from_port = 1;
  CHECK(cudaGraphAddDependencies(graph, &first, &second, &port, 1) != cudaSuccess);
  (void)cudaGetLastError();
#else
  OK(cudaGraphAddDependencies(graph, &first, &second, 1));
  OK(cudaGraphGetEdges(graph, nullptr, nullptr, &edges));
#endif
  CHECK(edges == 1);
  OK(cudaGraphInstantiate(&executable, graph, 0));
  OK(cudaGraphLaunch(executable, nullptr));
  char got[100] = {};
  OK(cudaMemcpy(got, memory, sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 100; ++i) CHECK(got[i] == (i >= 13 && i < 33 ? 4 : 3));
  OK(cudaGraphExecDestroy(executable));
  OK(cudaGraphDestroy(graph));
  OK(cudaFree(memory));
  return 0;
}

int main() {
  int version = 0, count = 0;
  OK(cudaRuntimeGetVersion(&version));
  OK(cudaGetDeviceCount(&count));
  CHECK(version >= 12000 && count >= 1);
  if (properties() || memory() || graphs()) return 1;
  CHECK(std::strcmp(cudaGetErrorName(cudaErrorNoDevice), "cudaErrorNoDevice") == 0);
  std::puts("right");
}
