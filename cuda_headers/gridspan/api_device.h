// Devices, errors, versions: part of the C API (inside extern "C").
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

__cudart_builtin__ cudaError_t cudaGetLastError(void);
__cudart_builtin__ cudaError_t cudaPeekAtLastError(void);
__cudart_builtin__ const char* cudaGetErrorName(cudaError_t error);
__cudart_builtin__ const char* cudaGetErrorString(cudaError_t error);

cudaError_t cudaDriverGetVersion(int* version);
__cudart_builtin__ cudaError_t cudaRuntimeGetVersion(int* version);

__cudart_builtin__ cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp* properties, int device);
__cudart_builtin__ cudaError_t cudaDeviceGetAttribute(int* value, enum cudaDeviceAttr attribute,
                                                      int device);
cudaError_t cudaChooseDevice(int* device, const struct cudaDeviceProp* wanted);
cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags);
cudaError_t cudaSetDevice(int device);
__cudart_builtin__ cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetValidDevices(int* devices, int count);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaGetDeviceFlags(unsigned int* flags);
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* bus_id);
cudaError_t cudaDeviceGetPCIBusId(char* bus_id, int length, int device);

cudaError_t cudaDeviceReset(void);
__cudart_builtin__ cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t* value, enum cudaLimit limit);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache* config);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig* config);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaCtxResetPersistingL2Cache(void);

cudaError_t cudaDeviceCanAccessPeer(int* can_access, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDeviceGetP2PAttribute(int* value, enum cudaDeviceP2PAttr attribute, int source,
                                      int destination);

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle);
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer);
cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned int flags);
cudaError_t cudaIpcCloseMemHandle(void* pointer);

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* width,
                                                 const struct cudaChannelFormatDesc* format,
                                                 int device);
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(enum cudaFlushGPUDirectRDMAWritesTarget target,
                                               enum cudaFlushGPUDirectRDMAWritesScope scope);

// Functions of the driver API by name.
cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult* status
                                        GRIDSPAN_DEFAULT(0));
cudaError_t cudaGetDriverEntryPointByVersion(
    const char* symbol, void** function, unsigned int version, unsigned long long flags,
    enum cudaDriverEntryPointQueryResult* status GRIDSPAN_DEFAULT(0));

cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

// Names of CUDA 3, still declared up to CUDA 11.
cudaError_t cudaThreadExit(void);
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaThreadGetLimit(size_t* value, enum cudaLimit limit);
cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache* config);
cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config);
