// Kernel launches, function attributes, occupancy: part of the C API (inside extern "C").
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes, cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, size_t shared_bytes, cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams* launches,
                                                   unsigned int device_count,
                                                   unsigned int flags GRIDSPAN_DEFAULT(0));
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments);

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, const void* function);
cudaError_t cudaFuncSetAttribute(const void* function, enum cudaFuncAttribute attribute, int value);
cudaError_t cudaFuncSetCacheConfig(const void* function, enum cudaFuncCache config);
cudaError_t cudaFuncSetSharedMemConfig(const void* function, enum cudaSharedMemConfig config);
cudaError_t cudaFuncGetName(const char** name, const void* function);
cudaError_t cudaFuncGetParamInfo(const void* function, size_t index, size_t* offset, size_t* size);
// Handles of the program's own kernels; launches take them in place of the host address.
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* symbol);
cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* symbol);

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* block_count, const void* function,
                                                          int block_size, size_t shared_bytes);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* block_count,
                                                                   const void* function,
                                                                   int block_size,
                                                                   size_t shared_bytes,
                                                                   unsigned int flags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* shared_bytes, const void* function,
                                                      int block_count, int block_size);
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* cluster_size, const void* function,
                                                 const cudaLaunchConfig_t* config);
cudaError_t cudaOccupancyMaxActiveClusters(int* cluster_count, const void* function,
                                           const cudaLaunchConfig_t* config);

// What clang's host code calls for <<<…>>> and to register the program's kernels and variables.
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block GRIDSPAN_DEFAULT(1),
                                         size_t shared_bytes GRIDSPAN_DEFAULT(0),
                                         cudaStream_t stream GRIDSPAN_DEFAULT(0));
// clang names this one where it is not told a CUDA version, as in the device pass, which never runs
// it.
cudaError_t cudaConfigureCall(dim3 grid, dim3 block GRIDSPAN_DEFAULT(1),
                              size_t shared_bytes GRIDSPAN_DEFAULT(0),
                              cudaStream_t stream GRIDSPAN_DEFAULT(0));
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream);
