// What calls become in sources compiled with --default-stream per-thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Their headers rename calls that have to do with streams (gridspan/per_thread_stream.h). Each does
// what the call does, with a null stream as the thread's own default stream.
#include "runtime/api/default_stream.h"

using gridspan::runtime::PerThreadDefault;

#define GRIDSPAN_PER_THREAD(name, suffix, parameters, arguments)                          \
  extern "C" __attribute__((visibility("default"))) cudaError_t name##suffix parameters { \
    const PerThreadDefault here;                                                          \
    return name arguments;                                                                \
  }

GRIDSPAN_PER_THREAD(cudaStreamBeginCapture, _ptsz,
                    (cudaStream_t stream, enum cudaStreamCaptureMode mode), (stream, mode))
GRIDSPAN_PER_THREAD(cudaStreamBeginCaptureToGraph, _ptsz,
                    (cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                     const cudaGraphEdgeData* edges, size_t count, enum cudaStreamCaptureMode mode),
                    (stream, graph, dependencies, edges, count, mode))
GRIDSPAN_PER_THREAD(cudaStreamUpdateCaptureDependencies, _ptsz,
                    (cudaStream_t stream, cudaGraphNode_t* dependencies, size_t count,
                     unsigned int flags),
                    (stream, dependencies, count, flags))
GRIDSPAN_PER_THREAD(cudaStreamEndCapture, _ptsz, (cudaStream_t stream, cudaGraph_t* graph),
                    (stream, graph))
GRIDSPAN_PER_THREAD(cudaStreamIsCapturing, _ptsz,
                    (cudaStream_t stream, enum cudaStreamCaptureStatus* status), (stream, status))
GRIDSPAN_PER_THREAD(cudaStreamGetCaptureInfo, _ptsz,
                    (cudaStream_t stream, enum cudaStreamCaptureStatus* status,
                     unsigned long long* id, cudaGraph_t* graph,
                     const cudaGraphNode_t** dependencies, size_t* count),
                    (stream, status, id, graph, dependencies, count))
GRIDSPAN_PER_THREAD(cudaGraphUpload, _ptsz, (cudaGraphExec_t executable, cudaStream_t stream),
                    (executable, stream))
GRIDSPAN_PER_THREAD(cudaGraphLaunch, _ptsz, (cudaGraphExec_t executable, cudaStream_t stream),
                    (executable, stream))
GRIDSPAN_PER_THREAD(cudaLaunchKernel, _ptsz,
                    (const void* function, dim3 grid, dim3 block, void** arguments,
                     size_t shared_bytes, cudaStream_t stream),
                    (function, grid, block, arguments, shared_bytes, stream))
GRIDSPAN_PER_THREAD(cudaLaunchCooperativeKernel, _ptsz,
                    (const void* function, dim3 grid, dim3 block, void** arguments,
                     size_t shared_bytes, cudaStream_t stream),
                    (function, grid, block, arguments, shared_bytes, stream))
GRIDSPAN_PER_THREAD(cudaLaunchKernelExC, _ptsz,
                    (const cudaLaunchConfig_t* config, const void* function, void** arguments),
                    (config, function, arguments))
GRIDSPAN_PER_THREAD(cudaMemcpy, _ptds,
                    (void* destination, const void* source, size_t count, enum cudaMemcpyKind kind),
                    (destination, source, count, kind))
GRIDSPAN_PER_THREAD(cudaMemcpyAsync, _ptsz,
                    (void* destination, const void* source, size_t count, enum cudaMemcpyKind kind,
                     cudaStream_t stream),
                    (destination, source, count, kind, stream))
GRIDSPAN_PER_THREAD(cudaMemcpyPeerAsync, _ptsz,
                    (void* destination, int destination_device, const void* source,
                     int source_device, size_t count, cudaStream_t stream),
                    (destination, destination_device, source, source_device, count, stream))
GRIDSPAN_PER_THREAD(cudaMemcpy2D, _ptds,
                    (void* destination, size_t destination_pitch, const void* source,
                     size_t source_pitch, size_t width, size_t height, enum cudaMemcpyKind kind),
                    (destination, destination_pitch, source, source_pitch, width, height, kind))
GRIDSPAN_PER_THREAD(cudaMemcpy2DAsync, _ptsz,
                    (void* destination, size_t destination_pitch, const void* source,
                     size_t source_pitch, size_t width, size_t height, enum cudaMemcpyKind kind,
                     cudaStream_t stream),
                    (destination, destination_pitch, source, source_pitch, width, height, kind,
                     stream))
GRIDSPAN_PER_THREAD(cudaMemcpy3D, _ptds, (const struct cudaMemcpy3DParms* parameters), (parameters))
GRIDSPAN_PER_THREAD(cudaMemcpy3DAsync, _ptsz,
                    (const struct cudaMemcpy3DParms* parameters, cudaStream_t stream),
                    (parameters, stream))
GRIDSPAN_PER_THREAD(cudaMemcpy3DPeer, _ptds, (const struct cudaMemcpy3DPeerParms* parameters),
                    (parameters))
GRIDSPAN_PER_THREAD(cudaMemcpy3DPeerAsync, _ptsz,
                    (const struct cudaMemcpy3DPeerParms* parameters, cudaStream_t stream),
                    (parameters, stream))
GRIDSPAN_PER_THREAD(cudaMemcpyToSymbol, _ptds,
                    (const void* symbol, const void* source, size_t count, size_t offset,
                     enum cudaMemcpyKind kind),
                    (symbol, source, count, offset, kind))
GRIDSPAN_PER_THREAD(cudaMemcpyToSymbolAsync, _ptsz,
                    (const void* symbol, const void* source, size_t count, size_t offset,
                     enum cudaMemcpyKind kind, cudaStream_t stream),
                    (symbol, source, count, offset, kind, stream))
GRIDSPAN_PER_THREAD(cudaMemcpyFromSymbol, _ptds,
                    (void* destination, const void* symbol, size_t count, size_t offset,
                     enum cudaMemcpyKind kind),
                    (destination, symbol, count, offset, kind))
GRIDSPAN_PER_THREAD(cudaMemcpyFromSymbolAsync, _ptsz,
                    (void* destination, const void* symbol, size_t count, size_t offset,
                     enum cudaMemcpyKind kind, cudaStream_t stream),
                    (destination, symbol, count, offset, kind, stream))
GRIDSPAN_PER_THREAD(cudaMemset, _ptds, (void* pointer, int value, size_t count),
                    (pointer, value, count))
GRIDSPAN_PER_THREAD(cudaMemsetAsync, _ptsz,
                    (void* pointer, int value, size_t count, cudaStream_t stream),
                    (pointer, value, count, stream))
GRIDSPAN_PER_THREAD(cudaMemset2D, _ptds,
                    (void* pointer, size_t pitch, int value, size_t width, size_t height),
                    (pointer, pitch, value, width, height))
GRIDSPAN_PER_THREAD(cudaMemset2DAsync, _ptsz,
                    (void* pointer, size_t pitch, int value, size_t width, size_t height,
                     cudaStream_t stream),
                    (pointer, pitch, value, width, height, stream))
GRIDSPAN_PER_THREAD(cudaMemset3D, _ptds,
                    (struct cudaPitchedPtr pointer, int value, struct cudaExtent extent),
                    (pointer, value, extent))
GRIDSPAN_PER_THREAD(cudaMemset3DAsync, _ptsz,
                    (struct cudaPitchedPtr pointer, int value, struct cudaExtent extent,
                     cudaStream_t stream),
                    (pointer, value, extent, stream))
GRIDSPAN_PER_THREAD(cudaMemPrefetchAsync, _ptsz,
                    (const void* pointer, size_t count, int device, cudaStream_t stream),
                    (pointer, count, device, stream))
GRIDSPAN_PER_THREAD(cudaMemPrefetchAsync_v2, _ptsz,
                    (const void* pointer, size_t count, struct cudaMemLocation location,
                     unsigned int flags, cudaStream_t stream),
                    (pointer, count, location, flags, stream))
GRIDSPAN_PER_THREAD(cudaStreamAttachMemAsync, _ptsz,
                    (cudaStream_t stream, void* pointer, size_t length, unsigned int flags),
                    (stream, pointer, length, flags))
GRIDSPAN_PER_THREAD(cudaMallocAsync, _ptsz, (void** pointer, size_t size, cudaStream_t stream),
                    (pointer, size, stream))
GRIDSPAN_PER_THREAD(cudaFreeAsync, _ptsz, (void* pointer, cudaStream_t stream), (pointer, stream))
GRIDSPAN_PER_THREAD(cudaMallocFromPoolAsync, _ptsz,
                    (void** pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream),
                    (pointer, size, pool, stream))
GRIDSPAN_PER_THREAD(cudaStreamGetPriority, _ptsz, (cudaStream_t stream, int* priority),
                    (stream, priority))
GRIDSPAN_PER_THREAD(cudaStreamGetFlags, _ptsz, (cudaStream_t stream, unsigned int* flags),
                    (stream, flags))
GRIDSPAN_PER_THREAD(cudaStreamGetId, _ptsz, (cudaStream_t stream, unsigned long long* id),
                    (stream, id))
GRIDSPAN_PER_THREAD(cudaStreamGetDevice, _ptsz, (cudaStream_t stream, int* device),
                    (stream, device))
GRIDSPAN_PER_THREAD(cudaStreamCopyAttributes, _ptsz,
                    (cudaStream_t destination, cudaStream_t source), (destination, source))
GRIDSPAN_PER_THREAD(cudaStreamGetAttribute, _ptsz,
                    (cudaStream_t stream, cudaStreamAttrID attribute, cudaStreamAttrValue* value),
                    (stream, attribute, value))
GRIDSPAN_PER_THREAD(cudaStreamSetAttribute, _ptsz,
                    (cudaStream_t stream, cudaStreamAttrID attribute,
                     const cudaStreamAttrValue* value),
                    (stream, attribute, value))
GRIDSPAN_PER_THREAD(cudaStreamSynchronize, _ptsz, (cudaStream_t stream), (stream))
GRIDSPAN_PER_THREAD(cudaStreamQuery, _ptsz, (cudaStream_t stream), (stream))
GRIDSPAN_PER_THREAD(cudaStreamWaitEvent, _ptsz,
                    (cudaStream_t stream, cudaEvent_t event, unsigned int flags),
                    (stream, event, flags))
GRIDSPAN_PER_THREAD(cudaStreamAddCallback, _ptsz,
                    (cudaStream_t stream, cudaStreamCallback_t callback, void* user_data,
                     unsigned int flags),
                    (stream, callback, user_data, flags))
GRIDSPAN_PER_THREAD(cudaLaunchHostFunc, _ptsz,
                    (cudaStream_t stream, cudaHostFn_t function, void* user_data),
                    (stream, function, user_data))
GRIDSPAN_PER_THREAD(cudaEventRecord, _ptsz, (cudaEvent_t event, cudaStream_t stream),
                    (event, stream))
GRIDSPAN_PER_THREAD(cudaEventRecordWithFlags, _ptsz,
                    (cudaEvent_t event, cudaStream_t stream, unsigned int flags),
                    (event, stream, flags))
GRIDSPAN_PER_THREAD(cudaMemcpyToArray, _ptds,
                    (cudaArray_t destination, size_t x, size_t y, const void* source, size_t count,
                     enum cudaMemcpyKind kind),
                    (destination, x, y, source, count, kind))
GRIDSPAN_PER_THREAD(cudaMemcpyFromArray, _ptds,
                    (void* destination, cudaArray_const_t source, size_t x, size_t y, size_t count,
                     enum cudaMemcpyKind kind),
                    (destination, source, x, y, count, kind))
GRIDSPAN_PER_THREAD(cudaMemcpyToArrayAsync, _ptsz,
                    (cudaArray_t destination, size_t x, size_t y, const void* source, size_t count,
                     enum cudaMemcpyKind kind, cudaStream_t stream),
                    (destination, x, y, source, count, kind, stream))
GRIDSPAN_PER_THREAD(cudaMemcpyFromArrayAsync, _ptsz,
                    (void* destination, cudaArray_const_t source, size_t x, size_t y, size_t count,
                     enum cudaMemcpyKind kind, cudaStream_t stream),
                    (destination, source, x, y, count, kind, stream))
GRIDSPAN_PER_THREAD(cudaMemcpy2DToArray, _ptds,
                    (cudaArray_t destination, size_t x, size_t y, const void* source, size_t pitch,
                     size_t width, size_t height, enum cudaMemcpyKind kind),
                    (destination, x, y, source, pitch, width, height, kind))
GRIDSPAN_PER_THREAD(cudaMemcpy2DFromArray, _ptds,
                    (void* destination, size_t pitch, cudaArray_const_t source, size_t x, size_t y,
                     size_t width, size_t height, enum cudaMemcpyKind kind),
                    (destination, pitch, source, x, y, width, height, kind))
GRIDSPAN_PER_THREAD(cudaMemcpy2DToArrayAsync, _ptsz,
                    (cudaArray_t destination, size_t x, size_t y, const void* source, size_t pitch,
                     size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream),
                    (destination, x, y, source, pitch, width, height, kind, stream))
GRIDSPAN_PER_THREAD(cudaMemcpy2DFromArrayAsync, _ptsz,
                    (void* destination, size_t pitch, cudaArray_const_t source, size_t x, size_t y,
                     size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream),
                    (destination, pitch, source, x, y, width, height, kind, stream))
GRIDSPAN_PER_THREAD(cudaMemcpyArrayToArray, _ptds,
                    (cudaArray_t destination, size_t destination_x, size_t destination_y,
                     cudaArray_const_t source, size_t source_x, size_t source_y, size_t count,
                     enum cudaMemcpyKind kind),
                    (destination, destination_x, destination_y, source, source_x, source_y, count,
                     kind))
GRIDSPAN_PER_THREAD(cudaMemcpy2DArrayToArray, _ptds,
                    (cudaArray_t destination, size_t destination_x, size_t destination_y,
                     cudaArray_const_t source, size_t source_x, size_t source_y, size_t width,
                     size_t height, enum cudaMemcpyKind kind),
                    (destination, destination_x, destination_y, source, source_x, source_y, width,
                     height, kind))
GRIDSPAN_PER_THREAD(cudaGetDriverEntryPoint, _ptsz,
                    (const char* symbol, void** function, unsigned long long flags,
                     enum cudaDriverEntryPointQueryResult* status),
                    (symbol, function, flags, status))
GRIDSPAN_PER_THREAD(cudaGetDriverEntryPointByVersion, _ptsz,
                    (const char* symbol, void** function, unsigned int version,
                     unsigned long long flags, enum cudaDriverEntryPointQueryResult* status),
                    (symbol, function, version, flags, status))
GRIDSPAN_PER_THREAD(cudaGraphInstantiateWithParams, _ptsz,
                    (cudaGraphExec_t * executable, cudaGraph_t graph,
                     cudaGraphInstantiateParams* parameters),
                    (executable, graph, parameters))
