// Modules, their functions and variables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/linker.h"
#include "runtime/driver/modules.h"

using namespace gridspan::runtime;
using driver::call;
using driver::Needs;

CUresult cuModuleLoad(CUmodule* module, const char* file) {
  if (const CUresult result = driver::check(Needs::context)) return result;
  return driver::load_file(__func__, file, module);
}

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  if (const CUresult result = driver::check(Needs::context)) return result;
  return driver::load_image(__func__, image, module);
}

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int count,
                            CUjit_option* options, void** values) {
  // Nothing is compiled: logs stay empty.
  CUlinkState_st logs;
  if (options && values) driver::read_options(logs, count, options, values);
  driver::write_log(logs.information, "");
  driver::write_log(logs.errors, "");
  return cuModuleLoadData(module, image);
}

CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  return cuModuleLoadData(module, image);
}

CUresult cuModuleUnload(CUmodule module) { return driver::unload(__func__, module); }

CUresult cuModuleGetFunction(CUfunction* function, CUmodule handle, const char* name) {
  if (!function || !name) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<CUmod_st> module;
  if (const CUresult result = driver::find_module(__func__, handle, module)) return result;
  const CUresult result = driver::find_function(*module, name, function);
  if (result != CUDA_ERROR_NOT_FOUND) return result;
  return driver::refuse(__func__, result, "the module has no kernel '%s'", name);
}

CUresult cuModuleGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUmodule handle, const char* name) {
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<CUmod_st> module;
  if (const CUresult result = driver::find_module(__func__, handle, module)) return result;
  const void* shadow = nullptr;
  if (const CUresult result = driver::find_variable(*module, name, &shadow)) {
    return driver::refuse(__func__, result, "the module has no variable '%s'", name);
  }
  return call(Needs::context, [&] {
    void* address = nullptr;
    const cudaError_t error = pointer ? cudaGetSymbolAddress(&address, shadow) : cudaSuccess;
    if (pointer) *pointer = reinterpret_cast<CUdeviceptr>(address);
    return error != cudaSuccess || !bytes ? error : cudaGetSymbolSize(bytes, shadow);
  });
}

CUresult cuModuleGetFunctionCount(unsigned int* count, CUmodule handle) {
  if (!count) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<CUmod_st> module;
  if (const CUresult result = driver::find_module(__func__, handle, module)) return result;
  *count = module->module->kernel_count;
  return CUDA_SUCCESS;
}

CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned int count, CUmodule handle) {
  if (!functions) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<CUmod_st> module;
  if (const CUresult result = driver::find_module(__func__, handle, module)) return result;
  for (unsigned i = 0; i < count && i < module->module->kernel_count; ++i) {
    const char* const name = module->module->kernels[i].name;
    if (const CUresult result = driver::find_function(*module, name, functions + i)) return result;
  }
  return CUDA_SUCCESS;
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  if (!mode) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult result = driver::check(Needs::initialisation)) return result;
  *mode = CU_MODULE_EAGER_LOADING;
  return CUDA_SUCCESS;
}
