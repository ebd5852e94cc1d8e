// Pools, managed memory, copies from and to arrays, other processes: functions of the CUDA driver
// API (inside extern "C").
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device);
CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device);
CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool);
CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* properties);
CUresult cuMemPoolDestroy(CUmemoryPool pool);
CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t bytes_to_keep);
CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value);
CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void* value);
CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* accesses, size_t count);
CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool, CUmemLocation* location);
CUresult cuMemAllocFromPoolAsync(CUdeviceptr* pointer, size_t bytes, CUmemoryPool pool,
                                 CUstream stream);
CUresult cuMemPoolExportToShareableHandle(void* shareable, CUmemoryPool pool,
                                          CUmemAllocationHandleType type, unsigned long long flags);
CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool* pool, void* shareable,
                                            CUmemAllocationHandleType type,
                                            unsigned long long flags);
CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData* exported, CUdeviceptr pointer);
CUresult cuMemPoolImportPointer(CUdeviceptr* pointer, CUmemoryPool pool,
                                CUmemPoolPtrExportData* exported);

// Managed memory.
CUresult cuMemAdvise(CUdeviceptr pointer, size_t count, CUmem_advise advice, CUdevice device);
CUresult cuMemAdvise_v2(CUdeviceptr pointer, size_t count, CUmem_advise advice,
                        CUmemLocation location);
CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t count, CUdevice device, CUstream stream);
CUresult cuMemPrefetchAsync_v2(CUdeviceptr pointer, size_t count, CUmemLocation location,
                               unsigned int flags, CUstream stream);
CUresult cuMemRangeGetAttribute(void* data, size_t data_size, CUmem_range_attribute attribute,
                                CUdeviceptr pointer, size_t count);
CUresult cuMemRangeGetAttributes(void** data, size_t* data_sizes, CUmem_range_attribute* attributes,
                                 size_t attribute_count, CUdeviceptr pointer, size_t count);
CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr pointer, size_t length,
                                unsigned int flags);
CUresult cuPointerGetAttributes(unsigned int count, CUpointer_attribute* attributes, void** data,
                                CUdeviceptr pointer);
CUresult cuPointerSetAttribute(const void* value, CUpointer_attribute attribute,
                               CUdeviceptr pointer);

// Copies and fills.
CUresult cuMemcpyPeerAsync(CUdeviceptr destination, CUcontext destination_context,
                           CUdeviceptr source, CUcontext source_context, size_t count,
                           CUstream stream);
CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* copy);
CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* copy, CUstream stream);
CUresult cuMemcpyDtoA(CUarray destination, size_t offset, CUdeviceptr source, size_t count);
CUresult cuMemcpyAtoD(CUdeviceptr destination, CUarray source, size_t offset, size_t count);
CUresult cuMemcpyHtoA(CUarray destination, size_t offset, const void* source, size_t count);
CUresult cuMemcpyAtoH(void* destination, CUarray source, size_t offset, size_t count);
CUresult cuMemcpyAtoA(CUarray destination, size_t destination_offset, CUarray source,
                      size_t source_offset, size_t count);
CUresult cuMemcpyHtoAAsync(CUarray destination, size_t offset, const void* source, size_t count,
                           CUstream stream);
CUresult cuMemcpyAtoHAsync(void* destination, CUarray source, size_t offset, size_t count,
                           CUstream stream);
CUresult cuMemsetD2D8Async(CUdeviceptr pointer, size_t pitch, unsigned char value, size_t width,
                           size_t height, CUstream stream);
CUresult cuMemsetD2D16Async(CUdeviceptr pointer, size_t pitch, unsigned short value, size_t width,
                            size_t height, CUstream stream);
CUresult cuMemsetD2D32Async(CUdeviceptr pointer, size_t pitch, unsigned int value, size_t width,
                            size_t height, CUstream stream);

// Other processes.
CUresult cuIpcGetEventHandle(CUipcEventHandle* handle, CUevent event);
CUresult cuIpcOpenEventHandle(CUevent* event, CUipcEventHandle handle);
CUresult cuIpcGetMemHandle(CUipcMemHandle* handle, CUdeviceptr pointer);
CUresult cuIpcOpenMemHandle(CUdeviceptr* pointer, CUipcMemHandle handle, unsigned int flags);
CUresult cuIpcCloseMemHandle(CUdeviceptr pointer);
CUresult cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget target,
                                    CUflushGPUDirectRDMAWritesScope scope);
