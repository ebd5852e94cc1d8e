// The driver API's calls in sources compiled with CUDA_API_PER_THREAD_DEFAULT_STREAM.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/default_stream.h"
#include "runtime/driver/call.h"

using gridspan::runtime::PerThreadDefault;

#define GRIDSPAN_PER_THREAD(name, suffix, parameters, arguments)                       \
  extern "C" __attribute__((visibility("default"))) CUresult name##suffix parameters { \
    const PerThreadDefault here;                                                       \
    return name arguments;                                                             \
  }

GRIDSPAN_PER_THREAD(cuMemAllocAsync, _ptsz, (CUdeviceptr * pointer, size_t bytes, CUstream stream),
                    (pointer, bytes, stream))
GRIDSPAN_PER_THREAD(cuMemFreeAsync, _ptsz, (CUdeviceptr pointer, CUstream stream),
                    (pointer, stream))
GRIDSPAN_PER_THREAD(cuMemcpy, _ptds, (CUdeviceptr destination, CUdeviceptr source, size_t count),
                    (destination, source, count))
GRIDSPAN_PER_THREAD(cuMemcpyAsync, _ptsz,
                    (CUdeviceptr destination, CUdeviceptr source, size_t count, CUstream stream),
                    (destination, source, count, stream))
GRIDSPAN_PER_THREAD(cuMemcpyHtoD, _ptds,
                    (CUdeviceptr destination, const void* source, size_t count),
                    (destination, source, count))
GRIDSPAN_PER_THREAD(cuMemcpyDtoH, _ptds, (void* destination, CUdeviceptr source, size_t count),
                    (destination, source, count))
GRIDSPAN_PER_THREAD(cuMemcpyDtoD, _ptds,
                    (CUdeviceptr destination, CUdeviceptr source, size_t count),
                    (destination, source, count))
GRIDSPAN_PER_THREAD(cuMemcpyHtoDAsync, _ptsz,
                    (CUdeviceptr destination, const void* source, size_t count, CUstream stream),
                    (destination, source, count, stream))
GRIDSPAN_PER_THREAD(cuMemcpyDtoHAsync, _ptsz,
                    (void* destination, CUdeviceptr source, size_t count, CUstream stream),
                    (destination, source, count, stream))
GRIDSPAN_PER_THREAD(cuMemcpyDtoDAsync, _ptsz,
                    (CUdeviceptr destination, CUdeviceptr source, size_t count, CUstream stream),
                    (destination, source, count, stream))
GRIDSPAN_PER_THREAD(cuMemcpyPeer, _ptds,
                    (CUdeviceptr destination, CUcontext destination_context, CUdeviceptr source,
                     CUcontext source_context, size_t count),
                    (destination, destination_context, source, source_context, count))
GRIDSPAN_PER_THREAD(cuMemcpy2D, _ptds, (const CUDA_MEMCPY2D* copy), (copy))
GRIDSPAN_PER_THREAD(cuMemcpy2DUnaligned, _ptds, (const CUDA_MEMCPY2D* copy), (copy))
GRIDSPAN_PER_THREAD(cuMemcpy2DAsync, _ptsz, (const CUDA_MEMCPY2D* copy, CUstream stream),
                    (copy, stream))
GRIDSPAN_PER_THREAD(cuMemcpy3D, _ptds, (const CUDA_MEMCPY3D* copy), (copy))
GRIDSPAN_PER_THREAD(cuMemcpy3DAsync, _ptsz, (const CUDA_MEMCPY3D* copy, CUstream stream),
                    (copy, stream))
GRIDSPAN_PER_THREAD(cuMemsetD8, _ptds, (CUdeviceptr pointer, unsigned char value, size_t count),
                    (pointer, value, count))
GRIDSPAN_PER_THREAD(cuMemsetD16, _ptds, (CUdeviceptr pointer, unsigned short value, size_t count),
                    (pointer, value, count))
GRIDSPAN_PER_THREAD(cuMemsetD32, _ptds, (CUdeviceptr pointer, unsigned int value, size_t count),
                    (pointer, value, count))
GRIDSPAN_PER_THREAD(cuMemsetD2D8, _ptds,
                    (CUdeviceptr pointer, size_t pitch, unsigned char value, size_t width,
                     size_t height),
                    (pointer, pitch, value, width, height))
GRIDSPAN_PER_THREAD(cuMemsetD2D16, _ptds,
                    (CUdeviceptr pointer, size_t pitch, unsigned short value, size_t width,
                     size_t height),
                    (pointer, pitch, value, width, height))
GRIDSPAN_PER_THREAD(cuMemsetD2D32, _ptds,
                    (CUdeviceptr pointer, size_t pitch, unsigned int value, size_t width,
                     size_t height),
                    (pointer, pitch, value, width, height))
GRIDSPAN_PER_THREAD(cuMemsetD8Async, _ptsz,
                    (CUdeviceptr pointer, unsigned char value, size_t count, CUstream stream),
                    (pointer, value, count, stream))
GRIDSPAN_PER_THREAD(cuMemsetD16Async, _ptsz,
                    (CUdeviceptr pointer, unsigned short value, size_t count, CUstream stream),
                    (pointer, value, count, stream))
GRIDSPAN_PER_THREAD(cuMemsetD32Async, _ptsz,
                    (CUdeviceptr pointer, unsigned int value, size_t count, CUstream stream),
                    (pointer, value, count, stream))
GRIDSPAN_PER_THREAD(cuStreamGetPriority, _ptsz, (CUstream stream, int* priority),
                    (stream, priority))
GRIDSPAN_PER_THREAD(cuStreamGetFlags, _ptsz, (CUstream stream, unsigned int* flags),
                    (stream, flags))
GRIDSPAN_PER_THREAD(cuStreamGetCtx, _ptsz, (CUstream stream, CUcontext* context), (stream, context))
GRIDSPAN_PER_THREAD(cuStreamSynchronize, _ptsz, (CUstream stream), (stream))
GRIDSPAN_PER_THREAD(cuStreamQuery, _ptsz, (CUstream stream), (stream))
GRIDSPAN_PER_THREAD(cuStreamWaitEvent, _ptsz, (CUstream stream, CUevent event, unsigned int flags),
                    (stream, event, flags))
GRIDSPAN_PER_THREAD(cuStreamAddCallback, _ptsz,
                    (CUstream stream, CUstreamCallback callback, void* user_data,
                     unsigned int flags),
                    (stream, callback, user_data, flags))
GRIDSPAN_PER_THREAD(cuLaunchHostFunc, _ptsz, (CUstream stream, CUhostFn function, void* user_data),
                    (stream, function, user_data))
GRIDSPAN_PER_THREAD(cuEventRecord, _ptsz, (CUevent event, CUstream stream), (event, stream))
GRIDSPAN_PER_THREAD(cuLaunchKernel, _ptsz,
                    (CUfunction function, unsigned int grid_x, unsigned int grid_y,
                     unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                     unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                     void** parameters, void** extra),
                    (function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes,
                     stream, parameters, extra))
GRIDSPAN_PER_THREAD(cuLaunchCooperativeKernel, _ptsz,
                    (CUfunction function, unsigned int grid_x, unsigned int grid_y,
                     unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                     unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                     void** parameters),
                    (function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes,
                     stream, parameters))
GRIDSPAN_PER_THREAD(cuEventRecordWithFlags, _ptsz,
                    (CUevent event, CUstream stream, unsigned int flags), (event, stream, flags))
GRIDSPAN_PER_THREAD(cuGraphInstantiateWithParams, _ptsz,
                    (CUgraphExec * executable, CUgraph graph,
                     CUDA_GRAPH_INSTANTIATE_PARAMS* parameters),
                    (executable, graph, parameters))
GRIDSPAN_PER_THREAD(cuGraphLaunch, _ptsz, (CUgraphExec executable, CUstream stream),
                    (executable, stream))
GRIDSPAN_PER_THREAD(cuGraphUpload, _ptsz, (CUgraphExec executable, CUstream stream),
                    (executable, stream))
GRIDSPAN_PER_THREAD(cuLaunchKernelEx, _ptsz,
                    (const CUlaunchConfig* config, CUfunction function, void** parameters,
                     void** extra),
                    (config, function, parameters, extra))
GRIDSPAN_PER_THREAD(cuMemAllocFromPoolAsync, _ptsz,
                    (CUdeviceptr * pointer, size_t bytes, CUmemoryPool pool, CUstream stream),
                    (pointer, bytes, pool, stream))
GRIDSPAN_PER_THREAD(cuMemPrefetchAsync, _ptsz,
                    (CUdeviceptr pointer, size_t count, CUdevice device, CUstream stream),
                    (pointer, count, device, stream))
GRIDSPAN_PER_THREAD(cuMemPrefetchAsync_v2, _ptsz,
                    (CUdeviceptr pointer, size_t count, CUmemLocation location, unsigned int flags,
                     CUstream stream),
                    (pointer, count, location, flags, stream))
GRIDSPAN_PER_THREAD(cuMemcpy3DPeerAsync, _ptsz, (const CUDA_MEMCPY3D_PEER* copy, CUstream stream),
                    (copy, stream))
GRIDSPAN_PER_THREAD(cuMemcpyAtoHAsync, _ptsz,
                    (void* destination, CUarray source, size_t offset, size_t count,
                     CUstream stream),
                    (destination, source, offset, count, stream))
GRIDSPAN_PER_THREAD(cuMemcpyHtoAAsync, _ptsz,
                    (CUarray destination, size_t offset, const void* source, size_t count,
                     CUstream stream),
                    (destination, offset, source, count, stream))
GRIDSPAN_PER_THREAD(cuMemcpyPeerAsync, _ptsz,
                    (CUdeviceptr destination, CUcontext destination_context, CUdeviceptr source,
                     CUcontext source_context, size_t count, CUstream stream),
                    (destination, destination_context, source, source_context, count, stream))
GRIDSPAN_PER_THREAD(cuMemsetD2D8Async, _ptsz,
                    (CUdeviceptr pointer, size_t pitch, unsigned char value, size_t width,
                     size_t height, CUstream stream),
                    (pointer, pitch, value, width, height, stream))
GRIDSPAN_PER_THREAD(cuMemsetD2D16Async, _ptsz,
                    (CUdeviceptr pointer, size_t pitch, unsigned short value, size_t width,
                     size_t height, CUstream stream),
                    (pointer, pitch, value, width, height, stream))
GRIDSPAN_PER_THREAD(cuMemsetD2D32Async, _ptsz,
                    (CUdeviceptr pointer, size_t pitch, unsigned int value, size_t width,
                     size_t height, CUstream stream),
                    (pointer, pitch, value, width, height, stream))
GRIDSPAN_PER_THREAD(cuStreamAttachMemAsync, _ptsz,
                    (CUstream stream, CUdeviceptr pointer, size_t length, unsigned int flags),
                    (stream, pointer, length, flags))
GRIDSPAN_PER_THREAD(cuStreamBeginCapture, _ptsz, (CUstream stream, CUstreamCaptureMode mode),
                    (stream, mode))
GRIDSPAN_PER_THREAD(cuStreamBeginCaptureToGraph, _ptsz,
                    (CUstream stream, CUgraph graph, const CUgraphNode* dependencies,
                     const CUgraphEdgeData* edges, size_t count, CUstreamCaptureMode mode),
                    (stream, graph, dependencies, edges, count, mode))
GRIDSPAN_PER_THREAD(cuStreamCopyAttributes, _ptsz, (CUstream destination, CUstream source),
                    (destination, source))
GRIDSPAN_PER_THREAD(cuStreamEndCapture, _ptsz, (CUstream stream, CUgraph* graph), (stream, graph))
GRIDSPAN_PER_THREAD(cuStreamGetAttribute, _ptsz,
                    (CUstream stream, CUstreamAttrID attribute, CUstreamAttrValue* value),
                    (stream, attribute, value))
GRIDSPAN_PER_THREAD(cuStreamGetCaptureInfo, _ptsz,
                    (CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
                     const CUgraphNode** dependencies, size_t* count),
                    (stream, status, id, graph, dependencies, count))
GRIDSPAN_PER_THREAD(cuStreamGetCaptureInfo_v3, _ptsz,
                    (CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
                     const CUgraphNode** dependencies, const CUgraphEdgeData** edges,
                     size_t* count),
                    (stream, status, id, graph, dependencies, edges, count))
GRIDSPAN_PER_THREAD(cuStreamGetDevice, _ptsz, (CUstream stream, CUdevice* device), (stream, device))
GRIDSPAN_PER_THREAD(cuStreamGetId, _ptsz, (CUstream stream, unsigned long long* id), (stream, id))
GRIDSPAN_PER_THREAD(cuStreamIsCapturing, _ptsz, (CUstream stream, CUstreamCaptureStatus* status),
                    (stream, status))
GRIDSPAN_PER_THREAD(cuStreamSetAttribute, _ptsz,
                    (CUstream stream, CUstreamAttrID attribute, const CUstreamAttrValue* value),
                    (stream, attribute, value))
GRIDSPAN_PER_THREAD(cuStreamUpdateCaptureDependencies, _ptsz,
                    (CUstream stream, CUgraphNode* dependencies, size_t count, unsigned int flags),
                    (stream, dependencies, count, flags))
GRIDSPAN_PER_THREAD(cuStreamUpdateCaptureDependencies_v2, _ptsz,
                    (CUstream stream, CUgraphNode* dependencies, const CUgraphEdgeData* edges,
                     size_t count, unsigned int flags),
                    (stream, dependencies, edges, count, flags))
GRIDSPAN_PER_THREAD(cuMemcpy3DPeer, _ptds, (const CUDA_MEMCPY3D_PEER* copy), (copy))
GRIDSPAN_PER_THREAD(cuMemcpyAtoA, _ptds,
                    (CUarray destination, size_t destination_offset, CUarray source,
                     size_t source_offset, size_t count),
                    (destination, destination_offset, source, source_offset, count))
GRIDSPAN_PER_THREAD(cuMemcpyAtoD, _ptds,
                    (CUdeviceptr destination, CUarray source, size_t offset, size_t count),
                    (destination, source, offset, count))
GRIDSPAN_PER_THREAD(cuMemcpyAtoH, _ptds,
                    (void* destination, CUarray source, size_t offset, size_t count),
                    (destination, source, offset, count))
GRIDSPAN_PER_THREAD(cuMemcpyDtoA, _ptds,
                    (CUarray destination, size_t offset, CUdeviceptr source, size_t count),
                    (destination, offset, source, count))
GRIDSPAN_PER_THREAD(cuMemcpyHtoA, _ptds,
                    (CUarray destination, size_t offset, const void* source, size_t count),
                    (destination, offset, source, count))
GRIDSPAN_PER_THREAD(cuStreamWaitValue32, _ptsz,
                    (CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags),
                    (stream, address, value, flags))
GRIDSPAN_PER_THREAD(cuStreamWaitValue64, _ptsz,
                    (CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags),
                    (stream, address, value, flags))
GRIDSPAN_PER_THREAD(cuStreamWriteValue32, _ptsz,
                    (CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags),
                    (stream, address, value, flags))
GRIDSPAN_PER_THREAD(cuStreamWriteValue64, _ptsz,
                    (CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags),
                    (stream, address, value, flags))
GRIDSPAN_PER_THREAD(cuStreamBatchMemOp, _ptsz,
                    (CUstream stream, unsigned int count, CUstreamBatchMemOpParams* operations,
                     unsigned int flags),
                    (stream, count, operations, flags))
