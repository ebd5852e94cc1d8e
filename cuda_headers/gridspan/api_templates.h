// C++ overloads of the runtime API: typed pointers, symbols and kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../cuda_runtime_api.h"

// Allocation.
template <class T>
static inline __cudart_builtin__ cudaError_t cudaMalloc(T** pointer, size_t size) {
  return ::cudaMalloc((void**)(void*)pointer, size);
}
template <class T>
static inline cudaError_t cudaMallocHost(T** pointer, size_t size, unsigned int flags = 0) {
  return ::cudaHostAlloc((void**)(void*)pointer, size, flags);
}
template <class T>
static inline cudaError_t cudaHostAlloc(T** pointer, size_t size, unsigned int flags) {
  return ::cudaHostAlloc((void**)(void*)pointer, size, flags);
}
template <class T>
static inline cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
  return ::cudaHostGetDevicePointer((void**)(void*)device, host, flags);
}
template <class T>
static inline cudaError_t cudaMallocManaged(T** pointer, size_t size,
                                            unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void**)(void*)pointer, size, flags);
}
template <class T>
static inline cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return ::cudaMallocPitch((void**)(void*)pointer, pitch, width, height);
}
template <class T>
static inline cudaError_t cudaMallocAsync(T** pointer, size_t size, cudaStream_t stream) {
  return ::cudaMallocAsync((void**)(void*)pointer, size, stream);
}
template <class T>
static inline cudaError_t cudaMallocAsync(T** pointer, size_t size, cudaMemPool_t pool,
                                          cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void**)(void*)pointer, size, pool, stream);
}
template <class T>
static inline cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t size, cudaMemPool_t pool,
                                                  cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void**)(void*)pointer, size, pool, stream);
}
static inline cudaError_t cudaMallocHost(void** pointer, size_t size, unsigned int flags) {
  return ::cudaHostAlloc(pointer, size, flags);
}
template <class T>
static inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* pointer,
                                                   size_t length = 0,
                                                   unsigned int flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(stream, (void*)pointer, length, flags);
}

// Managed memory by location, as from CUDA 12.2 on.
static inline cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t count,
                                               struct cudaMemLocation location, unsigned int flags,
                                               cudaStream_t stream = 0) {
  return ::cudaMemPrefetchAsync_v2(pointer, count, location, flags, stream);
}
static inline cudaError_t cudaMemAdvise(const void* pointer, size_t count,
                                        enum cudaMemoryAdvise advice,
                                        struct cudaMemLocation location) {
  return ::cudaMemAdvise_v2(pointer, count, advice, location);
}

// Device variables by name.
template <class T>
static inline cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
  return ::cudaGetSymbolAddress(pointer, (const void*)&symbol);
}
template <class T>
static inline cudaError_t cudaGetSymbolSize(size_t* size, const T& symbol) {
  return ::cudaGetSymbolSize(size, (const void*)&symbol);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* source, size_t count,
                                             size_t offset = 0,
                                             enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void*)&symbol, source, count, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* source, size_t count,
                                                  size_t offset = 0,
                                                  enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                  cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync((const void*)&symbol, source, count, offset, kind, stream);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(void* destination, const T& symbol, size_t count,
                                               size_t offset = 0,
                                               enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(destination, (const void*)&symbol, count, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbolAsync(
    void* destination, const T& symbol, size_t count, size_t offset = 0,
    enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(destination, (const void*)&symbol, count, offset, kind,
                                     stream);
}

// Kernels by name.
template <class T>
static inline cudaError_t cudaLaunchKernel(T* function, dim3 grid, dim3 block, void** arguments,
                                           size_t shared_bytes = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchKernel((const void*)function, grid, block, arguments, shared_bytes, stream);
}
template <class T>
static inline cudaError_t cudaLaunchCooperativeKernel(T* function, dim3 grid, dim3 block,
                                                      void** arguments, size_t shared_bytes = 0,
                                                      cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel((const void*)function, grid, block, arguments, shared_bytes,
                                       stream);
}
template <class T>
static inline cudaError_t cudaFuncSetCacheConfig(T* function, enum cudaFuncCache config) {
  return ::cudaFuncSetCacheConfig((const void*)function, config);
}
template <class T>
static inline cudaError_t cudaFuncSetSharedMemConfig(T* function, enum cudaSharedMemConfig config) {
  return ::cudaFuncSetSharedMemConfig((const void*)function, config);
}
#ifdef __CUDA_ARCH_LIST__
/// The highest architecture this source is compiled for, in tens: __CUDA_ARCH__ in its kernels.
static inline int __gridspan_source_architecture() {
  const int architectures[] = {__CUDA_ARCH_LIST__};
  int highest = 0;
  for (const int architecture : architectures)
    if (architecture > highest) highest = architecture;
  return highest / 10;
}
#endif
/// A kernel is nearly always named in the file that it is compiled in, so its version is this
/// file's. CUB chooses by it among the variants that __CUDA_ARCH_LIST__ promises.
static inline cudaError_t __gridspan_function_attributes(struct cudaFuncAttributes* attributes,
                                                         const void* function) {
  const cudaError_t error = ::cudaFuncGetAttributes(attributes, function);
#ifdef __CUDA_ARCH_LIST__
  if (error == cudaSuccess) attributes->ptxVersion = __gridspan_source_architecture();
#endif
  return error;
}
template <class T>
static inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes,
                                                T* function) {
  return __gridspan_function_attributes(attributes, (const void*)function);
}
#if defined(__CUDA_ARCH_LIST__) && defined(__clang__)
// Newer CUBs cast first. The attribute makes this another function than the run time's, and clang
// prefers it.
static inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes,
                                                const void* function)
    __attribute__((enable_if(true, "kernels of this source"))) {
  return __gridspan_function_attributes(attributes, function);
}
#endif
template <class T>
static inline cudaError_t cudaFuncSetAttribute(T* function, enum cudaFuncAttribute attribute,
                                               int value) {
  return ::cudaFuncSetAttribute((const void*)function, attribute, value);
}

// Events; graphs as before CUDA 12.
static inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                               cudaGraphNode_t* error_node, char* log,
                                               size_t log_size) {
  if (error_node) *error_node = 0;
  if (log && log_size) *log = 0;
  return ::cudaGraphInstantiate(executable, graph, 0);
}

// Graphs as from CUDA 13, with data of edges, of which only zeros are supported.
static inline cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies,
                                           const cudaGraphEdgeData*, size_t count,
                                           struct cudaGraphNodeParams* parameters) {
  return ::cudaGraphAddNode(node, graph, dependencies, count, parameters);
}
static inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
                                                   enum cudaStreamCaptureStatus* status,
                                                   unsigned long long* id, cudaGraph_t* graph,
                                                   const cudaGraphNode_t** dependencies,
                                                   const cudaGraphEdgeData** edges, size_t* count) {
  if (edges) *edges = 0;
  return ::cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies, count);
}
static inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                              cudaGraphNode_t* dependencies,
                                                              const cudaGraphEdgeData*,
                                                              size_t count, unsigned int flags) {
  return ::cudaStreamUpdateCaptureDependencies(stream, dependencies, count, flags);
}

static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                              cudaGraphNode_t* error_node,
                                              enum cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info;
  cudaError_t status = ::cudaGraphExecUpdate(executable, graph, &info);
  if (error_node) *error_node = info.errorNode;
  if (result) *result = info.result;
  return status;
}

static inline struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  struct cudaExtent extent = {width, height, depth};
  return extent;
}
static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  struct cudaPos position = {x, y, z};
  return position;
}
static inline struct cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t width,
                                                        size_t height) {
  struct cudaPitchedPtr pitched = {pointer, pitch, width, height};
  return pitched;
}

#include "launch_templates.h"
#include "occupancy_templates.h"
