// Libraries and their kernels: modules and functions under other names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/modules.h"

using namespace gridspan::runtime;

namespace {

CUmodule module_of(CUlibrary library) { return reinterpret_cast<CUmodule>(library); }
CUfunction function_of(CUkernel kernel) { return reinterpret_cast<CUfunction>(kernel); }

}  // namespace

CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option*, void**,
                           unsigned int, CUlibraryOption*, void**, unsigned int) {
  return cuModuleLoadData(reinterpret_cast<CUmodule*>(library), code);
}

CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* file, CUjit_option*, void**,
                               unsigned int, CUlibraryOption*, void**, unsigned int) {
  return cuModuleLoad(reinterpret_cast<CUmodule*>(library), file);
}

CUresult cuLibraryUnload(CUlibrary library) { return cuModuleUnload(module_of(library)); }

CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  return cuModuleGetFunction(reinterpret_cast<CUfunction*>(kernel), module_of(library), name);
}

CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library) {
  if (!module) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<CUmod_st> loaded;
  if (const CUresult result = driver::find_module(__func__, module_of(library), loaded)) {
    return result;
  }
  *module = module_of(library);
  return CUDA_SUCCESS;
}

CUresult cuLibraryGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUlibrary library,
                            const char* name) {
  return cuModuleGetGlobal(pointer, bytes, module_of(library), name);
}

CUresult cuLibraryGetManaged(CUdeviceptr* pointer, size_t* bytes, CUlibrary library,
                             const char* name) {
  return cuModuleGetGlobal(pointer, bytes, module_of(library), name);
}

CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
  if (!function) return CUDA_ERROR_INVALID_VALUE;
  if (!kernel) return CUDA_ERROR_INVALID_HANDLE;
  *function = function_of(kernel);
  return CUDA_SUCCESS;
}

CUresult cuKernelGetLibrary(CUlibrary* library, CUkernel kernel) {
  return cuFuncGetModule(reinterpret_cast<CUmodule*>(library), function_of(kernel));
}

CUresult cuKernelGetName(const char** name, CUkernel kernel) {
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  if (!kernel) return CUDA_ERROR_INVALID_HANDLE;
  *name = function_of(kernel)->kernel->name;
  return CUDA_SUCCESS;
}

CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel,
                              CUdevice) {
  return cuFuncGetAttribute(value, attribute, function_of(kernel));
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel,
                              CUdevice) {
  return cuFuncSetAttribute(function_of(kernel), attribute, value);
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice) {
  return cuFuncSetCacheConfig(function_of(kernel), config);
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t* offset, size_t* size) {
  return cuFuncGetParamInfo(function_of(kernel), index, offset, size);
}

CUresult cuLibraryGetKernelCount(unsigned int* count, CUlibrary library) {
  return cuModuleGetFunctionCount(count, module_of(library));
}

CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned int count, CUlibrary library) {
  return cuModuleEnumerateFunctions(reinterpret_cast<CUfunction*>(kernels), count,
                                    module_of(library));
}

CUresult cuLibraryGetUnifiedFunction(void** function, CUlibrary library, const char* symbol) {
  if (!function || !symbol) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<CUmod_st> loaded;
  if (const CUresult result = driver::find_module(__func__, module_of(library), loaded)) {
    return result;
  }
  return driver::refuse(__func__, CUDA_ERROR_NOT_SUPPORTED,
                        "functions of devices have no address for the host");
}
