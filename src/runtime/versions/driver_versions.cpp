// Functions of the driver API as later and earlier versions of CUDA have them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda.h gives a function that changes another symbol, so a program's symbols say what it means. A
// name without a number is the first form; in our own headers it is today's
// (names/lists/libcuda.txt says where they differ). Those of the first form here have names of ours
// only.
#include "runtime/versions/driver_versions.h"

#include "support/log.h"

#include <atomic>
#include <cstddef>
#include <cstring>

using namespace gridspan::runtime;

#define GRIDSPAN_VERSION_OF extern "C" __attribute__((visibility("default")))

namespace {

/// Makes a context the current one for a while; null: the one that is.
class InContext {
 public:
  explicit InContext(CUcontext context) : pushed_(context != nullptr) {
    if (pushed_) result_ = cuCtxPushCurrent(context);
  }
  InContext(const InContext&) = delete;
  InContext& operator=(const InContext&) = delete;
  ~InContext() {
    CUcontext ignored;
    if (pushed_ && result_ == CUDA_SUCCESS) cuCtxPopCurrent(&ignored);
  }
  CUresult result() const { return result_; }

 private:
  bool pushed_;
  CUresult result_ = CUDA_SUCCESS;
};

/// Kernel nodes before CUDA 12 could not name a kernel that is in no context.
struct OldKernelNode {
  CUfunction func;
  unsigned grid[3], block[3], shared_bytes;
  void** parameters;
  void** extra;
};
static_assert(sizeof(OldKernelNode) == offsetof(CUDA_KERNEL_NODE_PARAMS, kern));

CUDA_KERNEL_NODE_PARAMS with_kernel(const OldKernelNode& old) {
  CUDA_KERNEL_NODE_PARAMS now = {};
  std::memcpy(&now, &old, sizeof old);
  return now;
}

template <class Function>
driver::Address address(Function* function) {
  return reinterpret_cast<driver::Address>(function);
}

struct Later {
  std::string_view name;
  int version;
  driver::Address function, per_thread;
};
const Later later_functions[] = {
    {"cuCtxGetDevice", 13000, address(cuCtxGetDevice_v2), address(cuCtxGetDevice_v2)},
    {"cuCtxSynchronize", 13000, address(cuCtxSynchronize_v2), address(cuCtxSynchronize_v2)},
    {"cuStreamGetCtx", 12050, address(cuStreamGetCtx_v2), address(cuStreamGetCtx_v2_ptsz)},
    {"cuMemGetDefaultMemPool", 13000, address(cuMemGetDefaultMemPool),
     address(cuMemGetDefaultMemPool)},
    {"cuMemGetMemPool", 13000, address(cuMemGetMemPool), address(cuMemGetMemPool)},
    {"cuMemSetMemPool", 13000, address(cuMemSetMemPool), address(cuMemSetMemPool)},
    {"cuGetExportTable", 3000, address(cuGetExportTable), address(cuGetExportTable)},
};

}  // namespace

driver::Address driver::later_function(std::string_view name, int version, bool per_thread) {
  for (const Later& later : later_functions) {
    if (name != later.name || version < later.version) continue;
    return per_thread ? later.per_thread : later.function;
  }
  return nullptr;
}

CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext context) {
  const InContext there(context);
  return there.result() ? there.result() : cuCtxGetDevice(device);
}

CUresult cuCtxSynchronize_v2(CUcontext context) {
  const InContext there(context);
  return there.result() ? there.result() : cuCtxSynchronize();
}

CUresult cuStreamGetCtx_v2_ptsz(CUstream stream, CUcontext* context, CUgreenCtx* green) {
  return cuStreamGetCtx_v2(stream, context, green);
}

CUresult cuMemGetDefaultMemPool(CUmemoryPool* pool, CUmemLocation* location, int) {
  const bool is_device = location && location->type == CU_MEM_LOCATION_TYPE_DEVICE;
  return is_device ? cuDeviceGetDefaultMemPool(pool, location->id) : CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* location, int) {
  const bool is_device = location && location->type == CU_MEM_LOCATION_TYPE_DEVICE;
  return is_device ? cuDeviceGetMemPool(pool, location->id) : CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuMemSetMemPool(CUmemLocation* location, int, CUmemoryPool pool) {
  const bool is_device = location && location->type == CU_MEM_LOCATION_TYPE_DEVICE;
  return is_device ? cuDeviceSetMemPool(location->id, pool) : CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuProfilerInitialize(const char*, const char*, int) { return CUDA_SUCCESS; }

CUresult cuGetExportTable(const void** table, const CUuuid*) {
  if (table) *table = nullptr;
  static std::atomic<bool> is_told{false};
  if (!is_told.exchange(true)) {
    gridspan::support::log(gridspan::support::LogLevel::error,
                           "cuGetExportTable: NVIDIA's static run time asks its driver for tables "
                           "that no other library has; link the program with -cudart shared");
  }
  return CUDA_ERROR_NOT_FOUND;
}

GRIDSPAN_VERSION_OF CUresult gridspan_first_cuGetProcAddress(const char* symbol, void** function,
                                                             int version, cuuint64_t flags) {
  return cuGetProcAddress(symbol, function, version, flags, nullptr);
}

GRIDSPAN_VERSION_OF CUresult gridspan_first_cuGraphInstantiate(CUgraphExec* executable,
                                                               CUgraph graph,
                                                               CUgraphNode* error_node, char* log,
                                                               size_t size) {
  if (error_node) *error_node = nullptr;
  if (log && size > 0) *log = 0;
  return cuGraphInstantiate(executable, graph, 0);
}

GRIDSPAN_VERSION_OF CUresult gridspan_first_cuGraphExecUpdate(CUgraphExec executable, CUgraph graph,
                                                              CUgraphNode* error_node,
                                                              CUgraphExecUpdateResult* result) {
  CUgraphExecUpdateResultInfo info = {};
  const CUresult status = cuGraphExecUpdate(executable, graph, &info);
  if (error_node) *error_node = info.errorNode;
  if (result) *result = info.result;
  return status;
}

GRIDSPAN_VERSION_OF CUresult gridspan_first_cuStreamBeginCapture(CUstream stream) {
  return cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

GRIDSPAN_VERSION_OF CUresult gridspan_first_cuStreamGetCaptureInfo(CUstream stream,
                                                                   CUstreamCaptureStatus* status,
                                                                   cuuint64_t* id) {
  return cuStreamGetCaptureInfo(stream, status, id, nullptr, nullptr, nullptr);
}

GRIDSPAN_VERSION_OF CUresult gridspan_first_cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph,
                                                                 const CUgraphNode* dependencies,
                                                                 size_t count,
                                                                 const OldKernelNode* parameters) {
  if (!parameters) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_KERNEL_NODE_PARAMS now = with_kernel(*parameters);
  return cuGraphAddKernelNode(node, graph, dependencies, count, &now);
}

GRIDSPAN_VERSION_OF CUresult gridspan_first_cuGraphKernelNodeGetParams(CUgraphNode node,
                                                                       OldKernelNode* parameters) {
  if (!parameters) return CUDA_ERROR_INVALID_VALUE;
  CUDA_KERNEL_NODE_PARAMS now = {};
  const CUresult result = cuGraphKernelNodeGetParams(node, &now);
  if (result == CUDA_SUCCESS) std::memcpy(parameters, &now, sizeof *parameters);
  return result;
}

GRIDSPAN_VERSION_OF CUresult
gridspan_first_cuGraphKernelNodeSetParams(CUgraphNode node, const OldKernelNode* parameters) {
  if (!parameters) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_KERNEL_NODE_PARAMS now = with_kernel(*parameters);
  return cuGraphKernelNodeSetParams(node, &now);
}

GRIDSPAN_VERSION_OF CUresult gridspan_first_cuGraphExecKernelNodeSetParams(
    CUgraphExec executable, CUgraphNode node, const OldKernelNode* parameters) {
  if (!parameters) return CUDA_ERROR_INVALID_VALUE;
  const CUDA_KERNEL_NODE_PARAMS now = with_kernel(*parameters);
  return cuGraphExecKernelNodeSetParams(executable, node, &now);
}
