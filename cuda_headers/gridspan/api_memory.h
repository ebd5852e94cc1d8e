// Allocations, copies, fills: part of the C API (inside extern "C").
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

__cudart_builtin__ cudaError_t cudaMalloc(void** pointer, size_t size);
cudaError_t cudaMallocHost(void** pointer, size_t size);
cudaError_t cudaMallocManaged(void** pointer, size_t size,
                              unsigned int flags GRIDSPAN_DEFAULT(cudaMemAttachGlobal));
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr* pointer, struct cudaExtent extent);
__cudart_builtin__ cudaError_t cudaFree(void* pointer);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned int flags);
cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned int flags);
cudaError_t cudaHostUnregister(void* pointer);
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags);
cudaError_t cudaHostGetFlags(unsigned int* flags, void* host);
cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes* attributes, const void* pointer);

cudaError_t cudaMemcpy(void* destination, const void* source, size_t count,
                       enum cudaMemcpyKind kind);
__cudart_builtin__ cudaError_t cudaMemcpyAsync(void* destination, const void* source, size_t count,
                                               enum cudaMemcpyKind kind,
                                               cudaStream_t stream GRIDSPAN_DEFAULT(0));
cudaError_t cudaMemcpyPeer(void* destination, int destination_device, const void* source,
                           int source_device, size_t count);
cudaError_t cudaMemcpyPeerAsync(void* destination, int destination_device, const void* source,
                                int source_device, size_t count,
                                cudaStream_t stream GRIDSPAN_DEFAULT(0));
cudaError_t cudaMemcpy2D(void* destination, size_t destination_pitch, const void* source,
                         size_t source_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void* destination, size_t destination_pitch, const void* source,
                              size_t source_pitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t stream GRIDSPAN_DEFAULT(0));
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms* parameters);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms* parameters,
                              cudaStream_t stream GRIDSPAN_DEFAULT(0));
cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms* parameters);
cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms* parameters,
                                  cudaStream_t stream GRIDSPAN_DEFAULT(0));

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* source, size_t count,
                               size_t offset GRIDSPAN_DEFAULT(0),
                               enum cudaMemcpyKind kind GRIDSPAN_DEFAULT(cudaMemcpyHostToDevice));
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* source, size_t count,
                                    size_t offset, enum cudaMemcpyKind kind,
                                    cudaStream_t stream GRIDSPAN_DEFAULT(0));
cudaError_t cudaMemcpyFromSymbol(void* destination, const void* symbol, size_t count,
                                 size_t offset GRIDSPAN_DEFAULT(0),
                                 enum cudaMemcpyKind kind GRIDSPAN_DEFAULT(cudaMemcpyDeviceToHost));
cudaError_t cudaMemcpyFromSymbolAsync(void* destination, const void* symbol, size_t count,
                                      size_t offset, enum cudaMemcpyKind kind,
                                      cudaStream_t stream GRIDSPAN_DEFAULT(0));
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol);
cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol);

cudaError_t cudaMemset(void* pointer, int value, size_t count);
__cudart_builtin__ cudaError_t cudaMemsetAsync(void* pointer, int value, size_t count,
                                               cudaStream_t stream GRIDSPAN_DEFAULT(0));
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream GRIDSPAN_DEFAULT(0));
cudaError_t cudaMemset3D(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent);
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent,
                              cudaStream_t stream GRIDSPAN_DEFAULT(0));

// Managed memory.
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t count, int device,
                                 cudaStream_t stream GRIDSPAN_DEFAULT(0));
cudaError_t cudaMemAdvise(const void* pointer, size_t count, enum cudaMemoryAdvise advice,
                          int device);
cudaError_t cudaMemPrefetchAsync_v2(const void* pointer, size_t count,
                                    struct cudaMemLocation location, unsigned int flags,
                                    cudaStream_t stream GRIDSPAN_DEFAULT(0));
cudaError_t cudaMemAdvise_v2(const void* pointer, size_t count, enum cudaMemoryAdvise advice,
                             struct cudaMemLocation location);
cudaError_t cudaMemRangeGetAttribute(void* data, size_t data_size,
                                     enum cudaMemRangeAttribute attribute, const void* pointer,
                                     size_t count);
cudaError_t cudaMemRangeGetAttributes(void** data, size_t* data_sizes,
                                      enum cudaMemRangeAttribute* attributes, size_t count,
                                      const void* pointer, size_t size);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer,
                                     size_t length GRIDSPAN_DEFAULT(0),
                                     unsigned int flags GRIDSPAN_DEFAULT(cudaMemAttachSingle));

// Stream-ordered allocation.
cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t stream);
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream);
cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t size, cudaMemPool_t pool,
                                    cudaStream_t stream);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const struct cudaMemPoolProps* properties);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes_to_keep);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                    void* value);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                    void* value);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc* accesses,
                                 size_t count);
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                 struct cudaMemLocation* location);

// Pools whose memory other processes may use.
cudaError_t cudaMemPoolExportToShareableHandle(void* shareable, cudaMemPool_t pool,
                                               enum cudaMemAllocationHandleType type,
                                               unsigned int flags);
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t* pool, void* shareable,
                                                 enum cudaMemAllocationHandleType type,
                                                 unsigned int flags);
cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData* exported, void* pointer);
cudaError_t cudaMemPoolImportPointer(void** pointer, cudaMemPool_t pool,
                                     struct cudaMemPoolPtrExportData* exported);
