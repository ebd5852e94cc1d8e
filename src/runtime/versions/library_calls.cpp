// cudaLibrary..., and kernels by handle, as host code of nvcc 13 launches them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/versions/library_calls.h"

#include "runtime/api/call.h"
#include "runtime/api/default_stream.h"
#include "runtime/api/device_properties.h"
#include "runtime/driver/call.h"

using namespace gridspan::runtime;

namespace {

/// The driver API wants to be initialised, and a context; the run-time API brings both along.
CUresult prepare() {
  CUcontext context = nullptr;
  if (const CUresult result = cuInit(0)) return result;
  if (cuCtxGetCurrent(&context) == CUDA_SUCCESS && context) return CUDA_SUCCESS;
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return CUDA_ERROR_NO_DEVICE;
  if (const CUresult result = cuDevicePrimaryCtxRetain(&context, device)) return result;
  return cuCtxSetCurrent(context);
}

/// `body` of the driver API as call `name` of the run-time API. The numbers that these calls return
/// are the same in both.
template <class Body>
cudaError_t through_driver(const char* name, Body body) {
  CUresult result = prepare();
  if (result == CUDA_SUCCESS) result = body();
  if (result == CUDA_SUCCESS) return cudaSuccess;
  const auto code =
      result == CUDA_ERROR_NOT_FOUND ? cudaErrorSymbolNotFound : static_cast<cudaError_t>(result);
  return report(name, {code, ""});
}

CUdeviceptr* as_address(void** pointer) { return reinterpret_cast<CUdeviceptr*>(pointer); }

}  // namespace

cudaError_t cudaLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* options,
                                void** values, unsigned count, CUlibraryOption* library_options,
                                void** library_values, unsigned library_count) {
  return through_driver(__func__, [&] {
    return cuLibraryLoadData(library, code, options, values, count, library_options, library_values,
                             library_count);
  });
}

cudaError_t cudaLibraryLoadFromFile(CUlibrary* library, const char* file, CUjit_option* options,
                                    void** values, unsigned count, CUlibraryOption* library_options,
                                    void** library_values, unsigned library_count) {
  return through_driver(__func__, [&] {
    return cuLibraryLoadFromFile(library, file, options, values, count, library_options,
                                 library_values, library_count);
  });
}

cudaError_t cudaLibraryUnload(CUlibrary library) {
  return through_driver(__func__, [&] { return cuLibraryUnload(library); });
}

cudaError_t cudaLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  return through_driver(__func__, [&] { return cuLibraryGetKernel(kernel, library, name); });
}

cudaError_t cudaLibraryGetKernelCount(unsigned* count, CUlibrary library) {
  return through_driver(__func__, [&] { return cuLibraryGetKernelCount(count, library); });
}

cudaError_t cudaLibraryEnumerateKernels(CUkernel* kernels, unsigned count, CUlibrary library) {
  return through_driver(__func__,
                        [&] { return cuLibraryEnumerateKernels(kernels, count, library); });
}

cudaError_t cudaLibraryGetGlobal(void** pointer, size_t* bytes, CUlibrary library,
                                 const char* name) {
  return through_driver(
      __func__, [&] { return cuLibraryGetGlobal(as_address(pointer), bytes, library, name); });
}

cudaError_t cudaLibraryGetManaged(void** pointer, size_t* bytes, CUlibrary library,
                                  const char* name) {
  return through_driver(
      __func__, [&] { return cuLibraryGetManaged(as_address(pointer), bytes, library, name); });
}

cudaError_t cudaLibraryGetUnifiedFunction(void** function, CUlibrary library, const char* symbol) {
  return through_driver(__func__,
                        [&] { return cuLibraryGetUnifiedFunction(function, library, symbol); });
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute,
                                            int value, int device) {
  return through_driver(__func__, [&] {
    return cuKernelSetAttribute(static_cast<CUfunction_attribute>(attribute), value,
                                reinterpret_cast<CUkernel>(kernel), device);
  });
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* symbol) {
  return cudaGetKernel(kernel, symbol);
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               size_t shared_bytes, cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}

cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                                    size_t shared_bytes, cudaStream_t stream) {
  const PerThreadDefault here;
  return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}

// Modules are known from their registration on.
char __cudaInitModule(void**) { return 1; }
