// Functions of the driver API by name, and handles of the program's own kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A name stands for the function that the version asked for had under it: where CUDA changed what a
// function takes, later versions get another function of ours. The list of names is made from our
// headers when Gridspan is built (make_entry_points.py).
#include "runtime/api/call.h"
#include "runtime/api/default_stream.h"
#include "runtime/driver/entry_table.h"
#include "runtime/driver/modules.h"
#include "runtime/versions/driver_versions.h"

#include <algorithm>
#include <string_view>

using namespace gridspan::runtime;

namespace {

using driver::Address;

template <class Function>
Address address(Function* function) {
  return reinterpret_cast<Address>(function);
}

// From CUDA 11.3 to 12.0.
CUresult get_without_status(const char* symbol, void** function, int version, cuuint64_t flags) {
  return cuGetProcAddress(symbol, function, version, flags, nullptr);
}

// The name of cuGraphInstantiateWithFlags belongs to this one still.
CUresult instantiate_with_log(CUgraphExec* executable, CUgraph graph, CUgraphNode* error_node,
                              char* log, size_t size) {
  if (error_node) *error_node = nullptr;
  if (log && size > 0) *log = 0;
  return cuGraphInstantiate(executable, graph, 0);
}

/// A function that is another from `version` on.
struct Change {
  std::string_view name;
  int version;
  std::string_view now;  // our name of it
};
constexpr Change changes[] = {
    {"cuCtxCreate", 11040, "cuCtxCreate_v3"},
    {"cuCtxCreate", 12050, "cuCtxCreate_v4"},
    {"cuMemAdvise", 12020, "cuMemAdvise_v2"},
    {"cuMemPrefetchAsync", 12020, "cuMemPrefetchAsync_v2"},
    {"cuStreamGetCaptureInfo", 12030, "cuStreamGetCaptureInfo_v3"},
    {"cuStreamUpdateCaptureDependencies", 12030, "cuStreamUpdateCaptureDependencies_v2"},
    {"cuGraphAddNode", 12030, "cuGraphAddNode_v2"},
    {"cuGraphAddDependencies", 12030, "cuGraphAddDependencies_v2"},
    {"cuGraphRemoveDependencies", 12030, "cuGraphRemoveDependencies_v2"},
    {"cuGraphGetEdges", 12030, "cuGraphGetEdges_v2"},
    {"cuGraphNodeGetDependencies", 12030, "cuGraphNodeGetDependencies_v2"},
    {"cuGraphNodeGetDependentNodes", 12030, "cuGraphNodeGetDependentNodes_v2"},
};

/// The first version whose form of a function is ours.
constexpr struct {
  std::string_view name;
  int version;
} first_versions[] = {
    {"cuGraphAddKernelNode", 12000},       {"cuGraphKernelNodeGetParams", 12000},
    {"cuGraphKernelNodeSetParams", 12000}, {"cuGraphExecKernelNodeSetParams", 12000},
    {"cuGraphExecUpdate", 12000},          {"cuStreamGetCaptureInfo", 11030},
    {"cuStreamBeginCapture", 10010},
};

/// What stands behind a name in a version; `status` says why if nothing does.
Address find_function(std::string_view name, int version, bool per_thread,
                      CUdriverProcAddressQueryResult& status) {
  status = CU_GET_PROC_ADDRESS_SUCCESS;
  if (name == "cuGetProcAddress" && version < 12000) return address(get_without_status);
  if (name == "cuGraphInstantiate") return address(instantiate_with_log);
  for (const auto& first : first_versions) {
    if (name != first.name || version >= first.version) continue;
    status = CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
    return nullptr;
  }
  if (const Address later = driver::later_function(name, version, per_thread)) return later;
  std::string_view own_name = name;
  for (const Change& change : changes) {
    if (name == change.name && version >= change.version) own_name = change.now;
  }
  const driver::EntryPoint* const found = driver::find_entry(own_name);
  if (!found) {
    status = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return nullptr;
  }
  return per_thread && found->per_thread ? found->per_thread : found->function;
}

Status find_entry_point(const char* symbol, void** function, int version, unsigned long long flags,
                        cudaDriverEntryPointQueryResult* status) {
  if (!symbol || !function) return refuse(cudaErrorInvalidValue, "an argument is null");
  if (flags > cudaEnablePerThreadDefaultStream) {
    return refuse(cudaErrorInvalidValue, "flags %#llx", flags);
  }
  // By default as the caller itself was compiled.
  const bool per_thread = flags == cudaEnablePerThreadDefaultStream ||
                          (flags == cudaEnableDefault && null_is_per_thread());
  CUdriverProcAddressQueryResult result;
  *function = reinterpret_cast<void*>(find_function(symbol, version, per_thread, result));
  if (status) *status = static_cast<cudaDriverEntryPointQueryResult>(result);
  if (*function || status) return cudaSuccess;  // the status tells what the error would
  return refuse(cudaErrorInvalidValue, "the driver API has no %s of CUDA %d.%d", symbol,
                version / 1000, version % 1000 / 10);
}

}  // namespace

CUresult cuGetProcAddress(const char* symbol, void** function, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult* status) {
  if (!symbol || !function || flags > CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  CUdriverProcAddressQueryResult result;
  const bool per_thread = flags == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  *function = reinterpret_cast<void*>(find_function(symbol, version, per_thread, result));
  if (status) *status = result;
  if (*function) return CUDA_SUCCESS;
  return driver::refuse(__func__, CUDA_ERROR_NOT_FOUND, "there is no %s of CUDA %d.%d", symbol,
                        version / 1000, version % 1000 / 10);
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status) {
  GRIDSPAN_CALL(symbol, function, flags, status) {
    return find_entry_point(symbol, function, CUDART_VERSION, flags, status);
  });
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function,
                                             unsigned int version, unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* status) {
  GRIDSPAN_CALL(symbol, function, version, flags, status) {
    return find_entry_point(symbol, function, static_cast<int>(version), flags, status);
  });
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* symbol) {
  GRIDSPAN_CALL(function, symbol) {
    if (!function) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    *function = driver::function_of_symbol(symbol);
    if (*function) return cudaSuccess;
    return refuse(cudaErrorInvalidDeviceFunction, "%p is not a kernel", symbol);
  });
}

cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* symbol) {
  GRIDSPAN_CALL(kernel, symbol) {
    if (!kernel) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    *kernel = reinterpret_cast<cudaKernel_t>(driver::function_of_symbol(symbol));
    if (*kernel) return cudaSuccess;
    return refuse(cudaErrorInvalidDeviceFunction, "%p is not a kernel", symbol);
  });
}
