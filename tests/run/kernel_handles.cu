// Kernels and driver functions by other names than their own: handles, entry points, launch
// attributes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcuda
// FEATURE: Launches | through handles of the program's kernels: cudaGetFuncBySymbol, cudaGetKernel
// FEATURE: Launches | attributes: cuLaunchKernelEx, cudaLaunchKernelExC, events at completion
// FEATURE: Driver API | cuGetProcAddress, cudaGetDriverEntryPoint, cudaGetDriverEntryPointByVersion
// FEATURE: Driver API | functions of modules listed, asked and launched: names, parameters, modules of the program
// FEATURE: Device management | windows of persisting cache: kept, and held to the device's limits
#include <cuda.h>

#include <algorithm>

#include "check.h"

#define CU_OK(call) CHECK_EQ((call), CUDA_SUCCESS)

constexpr int n = 700;

__device__ int offset = 5;

__global__ void fill(int* out, int value, short step) {
  extern __shared__ int tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i * step;
  __syncthreads();
  if (i < n) out[i] = value + tile[threadIdx.x] + offset;
}

struct Memory {
  int* values;
  Memory() { CUDA_OK(cudaMalloc(&values, n * sizeof(int))); }
  ~Memory() { CUDA_OK(cudaFree(values)); }
  void expect(const char* what, int value, int step) {
    std::vector<int> got(n), want(n);
    CUDA_OK(cudaMemcpy(got.data(), values, n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) want[i] = value + i * step + 5;
    check::equal(what, got, want);
    CUDA_OK(cudaMemset(values, 0xA5, n * sizeof(int)));
  }
};

void handles(Memory& memory) {
  const void* const symbol = reinterpret_cast<const void*>(fill);
  cudaFunction_t function = nullptr;
  cudaKernel_t kernel = nullptr;
  CUDA_OK(cudaGetFuncBySymbol(&function, symbol));
  CUDA_OK(cudaGetKernel(&kernel, symbol));
  cudaFunction_t again = nullptr;
  CUDA_OK(cudaGetFuncBySymbol(&again, symbol));
  CHECK(again == function);
  CHECK_EQ(cudaGetFuncBySymbol(&again, &memory), cudaErrorInvalidDeviceFunction);
  CHECK_EQ(cudaGetKernel(nullptr, symbol), cudaErrorInvalidValue);
  (void)cudaGetLastError();
  int value = 10;
  short step = 3;
  void* arguments[] = {&memory.values, &value, &step};
  CUDA_OK(cudaLaunchKernel(function, 7, 100, arguments, 400, nullptr));
  memory.expect("by function", 10, 3);
  value = 20;
  CUDA_OK(cudaLaunchKernel(kernel, 7, 100, arguments, 400, nullptr));
  memory.expect("by kernel", 20, 3);
  CU_OK(cuLaunchKernel(function, 7, 1, 1, 100, 1, 1, 400, nullptr, arguments, nullptr));
  memory.expect("by the driver API", 20, 3);

  // One kernel, one set of attributes, whatever it is called.
  CUDA_OK(cudaFuncSetAttribute(symbol, cudaFuncAttributeMaxDynamicSharedMemorySize, 4000));
  int most = 0;
  CU_OK(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function));
  CHECK_EQ(most, 4000);
  const char *name = nullptr, *symbol_name = nullptr;
  CU_OK(cuFuncGetName(&name, function));
  CUDA_OK(cudaFuncGetName(&symbol_name, symbol));
  CHECK(std::strcmp(name, symbol_name) == 0);
  std::size_t place = 0, size = 0;
  CU_OK(cuFuncGetParamInfo(function, 2, &place, &size));
  CHECK(place == 12 && size == 2);
  CHECK_EQ(cuFuncGetParamInfo(function, 3, &place, &size), CUDA_ERROR_INVALID_VALUE);
  CUfunctionLoadingState loading = CU_FUNCTION_LOADING_STATE_UNLOADED;
  CU_OK(cuFuncLoad(function));
  CU_OK(cuFuncIsLoaded(&loading, function));
  CHECK_EQ(loading, CU_FUNCTION_LOADING_STATE_LOADED);
  CHECK_EQ(cuFuncGetName(&name, nullptr), CUDA_ERROR_INVALID_HANDLE);

  // The module it is part of.
  CUmodule module = nullptr;
  CU_OK(cuFuncGetModule(&module, function));
  unsigned count = 0;
  CU_OK(cuModuleGetFunctionCount(&count, module));
  CHECK_EQ(count, 1u);
  CUfunction listed[2] = {};
  CU_OK(cuModuleEnumerateFunctions(listed, 2, module));
  CHECK(listed[0] == function && !listed[1]);
  CUdeviceptr address = 0;
  CU_OK(cuModuleGetGlobal(&address, &size, module, "offset"));
  void* same = nullptr;
  CUDA_OK(cudaGetSymbolAddress(&same, offset));
  CHECK(reinterpret_cast<CUdeviceptr>(same) == address && size == sizeof(int));
  CHECK_EQ(cuModuleUnload(module), CUDA_ERROR_NOT_PERMITTED);
}

void launch_attributes(Memory& memory) {
  cudaFunction_t function = nullptr;
  CUDA_OK(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(fill)));
  CUevent event;
  CU_OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  CUlaunchAttribute attributes[3] = {};
  attributes[0].id = CU_LAUNCH_ATTRIBUTE_PRIORITY;
  attributes[1].id = CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT;
  attributes[1].value.launchCompletionEvent.event = event;
  attributes[2].id = CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN;
  attributes[2].value.memSyncDomain = CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE;
  CUlaunchConfig config = {7, 1, 1, 100, 1, 1, 400, nullptr, attributes, 3};
  int value = 1;
  short step = 2;
  void* arguments[] = {&memory.values, &value, &step};
  CU_OK(cuLaunchKernelEx(&config, function, arguments, nullptr));
  CU_OK(cuEventSynchronize(event));
  memory.expect("with attributes", 1, 2);
  struct {
    int* values;
    int value;
    short step;
  } buffer = {memory.values, 2, 4};
  std::size_t size = 14;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  CU_OK(cuLaunchKernelEx(&config, function, nullptr, extra));
  memory.expect("with a buffer", 2, 4);
  CHECK_EQ(cuLaunchKernelEx(&config, function, arguments, extra), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(cuLaunchKernelEx(nullptr, function, arguments, nullptr), CUDA_ERROR_INVALID_VALUE);
  attributes[0].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attributes[0].value.clusterDim = {2, 1, 1};
  CHECK_EQ(cuLaunchKernelEx(&config, function, arguments, nullptr), CUDA_ERROR_NOT_SUPPORTED);
  attributes[0].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  attributes[0].value.cooperative = 1;
  config.gridDimX = 1;
  config.blockDimX = n;
  config.sharedMemBytes = n * sizeof(int);
  value = 3;
  CU_OK(cuLaunchKernelEx(&config, function, arguments, nullptr));
  memory.expect("cooperative", 3, 2);
  CU_OK(cuEventDestroy(event));
}

template <class Function>
Function* entry(const char* name, int version = 12050, cuuint64_t flags = 0) {
  void* found = nullptr;
  CUdriverProcAddressQueryResult status;
  CU_OK(cuGetProcAddress(name, &found, version, flags, &status));
  CHECK_EQ(status, CU_GET_PROC_ADDRESS_SUCCESS);
  return reinterpret_cast<Function*>(found);
}

void entry_points() {
  CUdeviceptr address = 0;
  CU_OK(entry<decltype(cuMemAlloc)>("cuMemAlloc")(&address, 64));
  CU_OK(entry<decltype(cuMemFree)>("cuMemFree", 3020)(address));
  CHECK(entry<decltype(cuMemAlloc)>("cuMemAlloc") == &cuMemAlloc);
  CHECK(entry<decltype(cuLaunchKernel)>("cuLaunchKernel") == &cuLaunchKernel);
  CHECK(entry<decltype(cuLaunchKernel)>("cuLaunchKernel", 7000,
                                        CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) !=
        &cuLaunchKernel);
  // What a function takes depends on the version asked for.
  using Advise = CUresult(CUdeviceptr, size_t, CUmem_advise, CUdevice);
  CHECK(entry<Advise>("cuMemAdvise", 8000) == static_cast<Advise*>(&cuMemAdvise));
  CHECK(entry<decltype(cuMemAdvise_v2)>("cuMemAdvise", 12020) == &cuMemAdvise_v2);
  CHECK(entry<decltype(cuCtxCreate_v4)>("cuCtxCreate", 12050) == &cuCtxCreate_v4);
  CHECK(entry<decltype(cuCtxCreate_v3)>("cuCtxCreate", 12040) == &cuCtxCreate_v3);
  // Before CUDA 12 without a status.
  void* found = nullptr;
  auto* const old =
      entry<CUresult(const char*, void**, int, cuuint64_t)>("cuGetProcAddress", 11030);
  CU_OK(old("cuInit", &found, 12000, 0));
  CHECK(found == reinterpret_cast<void*>(&cuInit));
  // cuGraphInstantiate is another function than the header's macro of that name.
  CUgraph graph;
  CU_OK(cuGraphCreate(&graph, 0));
  CUgraphNode node = reinterpret_cast<CUgraphNode>(&graph);
  char log[8] = "log";
  CUgraphExec executable;
  CU_OK((entry<CUresult(CUgraphExec*, CUgraph, CUgraphNode*, char*, size_t)>("cuGraphInstantiate"))(
      &executable, graph, &node, log, sizeof log));
  CHECK(!node && log[0] == 0);
  CU_OK(cuGraphExecDestroy(executable));
  CU_OK(cuGraphDestroy(graph));

  CUdriverProcAddressQueryResult status = CU_GET_PROC_ADDRESS_SUCCESS;
  CHECK_EQ(cuGetProcAddress("cuNothing", &found, 12000, 0, &status), CUDA_ERROR_NOT_FOUND);
  CHECK(!found && status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  CHECK_EQ(cuGetProcAddress("cuGraphAddKernelNode", &found, 11000, 0, &status),
           CUDA_ERROR_NOT_FOUND);
  CHECK_EQ(status, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
  CHECK_EQ(cuGetProcAddress("cuInit", nullptr, 12000, 0, &status), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(cuGetProcAddress("cuInit", &found, 12000, 7, &status), CUDA_ERROR_INVALID_VALUE);

  cudaDriverEntryPointQueryResult answer = cudaDriverEntryPointSymbolNotFound;
  CUDA_OK(cudaGetDriverEntryPoint("cuMemAlloc", &found, cudaEnableDefault, &answer));
  CHECK(found == reinterpret_cast<void*>(&cuMemAlloc) && answer == cudaDriverEntryPointSuccess);
  CUDA_OK(cudaGetDriverEntryPointByVersion("cuMemPrefetchAsync", &found, 12020, cudaEnableDefault,
                                           &answer));
  CHECK(found == reinterpret_cast<void*>(&cuMemPrefetchAsync_v2));
  CUDA_OK(cudaGetDriverEntryPoint("cuNothing", &found, cudaEnableDefault, &answer));
  CHECK(!found && answer == cudaDriverEntryPointSymbolNotFound);
  CHECK_EQ(cudaGetDriverEntryPoint(nullptr, &found, cudaEnableDefault, &answer),
           cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

void persisting_cache() {
  cudaDeviceProp properties;
  CUDA_OK(cudaGetDeviceProperties(&properties, 0));
  CHECK(properties.persistingL2CacheMaxSize > 0 && properties.accessPolicyMaxWindowSize > 0);
  CHECK(properties.persistingL2CacheMaxSize <= properties.l2CacheSize);
  const std::size_t most = properties.persistingL2CacheMaxSize;
  CUDA_OK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, most));
  std::size_t limit = 0;
  CUDA_OK(cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize));
  CHECK_EQ(limit, most);
  CHECK_EQ(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, most + 1), cudaErrorInvalidValue);
  cudaStream_t stream, other;
  CUDA_OK(cudaStreamCreate(&stream));
  CUDA_OK(cudaStreamCreate(&other));
  cudaStreamAttrValue value = {};
  value.accessPolicyWindow.base_ptr = &limit;
  value.accessPolicyWindow.num_bytes = properties.accessPolicyMaxWindowSize;
  value.accessPolicyWindow.hitRatio = 0.5;
  value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  CUDA_OK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
  CUDA_OK(cudaStreamCopyAttributes(other, stream));
  CUstreamAttrValue kept = {};
  CU_OK(cuStreamGetAttribute(other, CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW, &kept));
  CHECK(kept.accessPolicyWindow.base_ptr == &limit && kept.accessPolicyWindow.hitRatio == 0.5f);
  CHECK_EQ(kept.accessPolicyWindow.hitProp, CU_ACCESS_PROPERTY_PERSISTING);
  value.accessPolicyWindow.num_bytes += 1;
  CHECK_EQ(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value),
           cudaErrorInvalidValue);
  value.accessPolicyWindow.num_bytes = 16;
  value.accessPolicyWindow.hitRatio = 1.5;
  CHECK_EQ(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value),
           cudaErrorInvalidValue);
  value.accessPolicyWindow.hitRatio = 1;
  value.accessPolicyWindow.missProp = cudaAccessPropertyPersisting;
  CHECK_EQ(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value),
           cudaErrorInvalidValue);
  CUDA_OK(cudaCtxResetPersistingL2Cache());
  CU_OK(cuCtxResetPersistingL2Cache());
  CUDA_OK(cudaStreamDestroy(other));
  CUDA_OK(cudaStreamDestroy(stream));
  (void)cudaGetLastError();
}

int main() {
  Memory memory;
  handles(memory);
  launch_attributes(memory);
  entry_points();
  persisting_cache();
  return check::finish();
}
