// cudaLibrary..., and what host code of nvcc 13 calls. A cudaLibrary_t is a CUlibrary.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/driver/call.h"

#pragma GCC visibility push(default)
extern "C" {
cudaError_t cudaLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* options,
                                void** values, unsigned count, CUlibraryOption* library_options,
                                void** library_values, unsigned library_count);
cudaError_t cudaLibraryLoadFromFile(CUlibrary* library, const char* file, CUjit_option* options,
                                    void** values, unsigned count, CUlibraryOption* library_options,
                                    void** library_values, unsigned library_count);
cudaError_t cudaLibraryUnload(CUlibrary library);
cudaError_t cudaLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name);
cudaError_t cudaLibraryGetKernelCount(unsigned* count, CUlibrary library);
cudaError_t cudaLibraryEnumerateKernels(CUkernel* kernels, unsigned count, CUlibrary library);
cudaError_t cudaLibraryGetGlobal(void** pointer, size_t* bytes, CUlibrary library,
                                 const char* name);
cudaError_t cudaLibraryGetManaged(void** pointer, size_t* bytes, CUlibrary library,
                                  const char* name);
cudaError_t cudaLibraryGetUnifiedFunction(void** function, CUlibrary library, const char* symbol);
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute,
                                            int value, int device);

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* symbol);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               size_t shared_bytes, cudaStream_t stream);
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                                    size_t shared_bytes, cudaStream_t stream);
char __cudaInitModule(void** handle);
}
#pragma GCC visibility pop
