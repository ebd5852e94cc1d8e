// What we use of the CUDA driver's interface, in our own words.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No header of a toolkit is needed, and none of these functions is linked: driver.h finds them in
// libcuda.so.1. The names and numbers are the driver's, which never change; tests/devices/fake_cuda
// provides the same functions on host memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gridspan::devices::cuda {

using Result = int;  // CUresult
using Gpu = int;     // CUdevice
using Address = unsigned long long;
using Context = struct ContextTag*;
using ModuleHandle = struct ModuleTag*;
using FunctionHandle = struct FunctionTag*;
using Stream = struct StreamTag*;
using Event = struct EventTag*;
using GraphHandle = struct GraphTag*;
using GraphNode = struct GraphNodeTag*;
using GraphExec = struct GraphExecTag*;
using Physical = unsigned long long;  // CUmemGenericAllocationHandle

inline constexpr Result success = 0;
inline constexpr Result error_invalid_value = 1;
inline constexpr Result error_out_of_memory = 2;
inline constexpr Result error_ecc_uncorrectable = 214;
inline constexpr Result error_unsupported_ptx_version = 222;
inline constexpr Result error_not_found = 500;
inline constexpr Result error_not_ready = 600;
inline constexpr Result error_illegal_address = 700;
inline constexpr Result error_too_many_resources = 701;
inline constexpr Result error_launch_timeout = 702;
inline constexpr Result error_peer_access_enabled = 704;
inline constexpr Result error_assert = 710;
inline constexpr Result error_hardware_stack = 714;
inline constexpr Result error_illegal_instruction = 715;
inline constexpr Result error_misaligned_address = 716;
inline constexpr Result error_invalid_address_space = 717;
inline constexpr Result error_invalid_pc = 718;
inline constexpr Result error_launch_failed = 719;
inline constexpr Result error_cooperative_launch_too_large = 720;

enum class GpuAttribute : int {
  clock_khz = 13,
  processors = 16,
  memory_clock_khz = 36,
  l2_bytes = 38,
  unified_addressing = 41,
  capability_major = 75,
  capability_minor = 76,
  concurrent_managed_access = 89,
  host_pointer_for_registered = 91,
  shared_per_block_on_request = 97,
  virtual_memory = 102,
  host_node = 134,
  host_virtual_memory = 141,
};
inline constexpr int last_gpu_attribute = 150;  // that any driver we know of has

enum class FunctionAttribute : int {
  most_threads = 0,
  static_shared = 1,
  constant_bytes = 2,
  local_bytes = 3,
  registers = 4,
  ptx_version = 5,
  binary_version = 6,
  dynamic_shared_limit = 8,
};
enum class ContextLimit : int { stack_bytes = 0, printf_bytes = 1, heap_bytes = 2 };
enum class LoadOption : int { error_log = 5, error_log_bytes = 6 };

inline constexpr unsigned stream_non_blocking = 1;
inline constexpr unsigned event_with_time = 0, event_without_time = 2;
inline constexpr unsigned host_portable = 1, host_mapped = 2, managed_for_all = 1;
inline constexpr Gpu the_host = -1;  // as a place of managed memory
inline constexpr int memory_pinned = 1, access_read_write = 3;
inline constexpr int pointer_memory_type = 2;  // CU_POINTER_ATTRIBUTE_MEMORY_TYPE
inline constexpr int location_device = 1, location_host_node = 3;
inline constexpr int memory_host = 1, memory_device = 2;  // of a Copy2d

inline constexpr int capture_relaxed = 2;
inline constexpr unsigned capture_dependencies_set = 1;

struct Location {  // CUmemLocation
  int type;
  int id;
};
struct PhysicalProperties {  // CUmemAllocationProp
  int type;
  int handle_types;
  Location location;
  void* security;
  unsigned char flags[8];
};
static_assert(sizeof(PhysicalProperties) == 32);
struct Access {  // CUmemAccessDesc
  Location location;
  int flags;
};

/// CUDA_MEMCPY2D
struct Copy2d {
  std::size_t source_x, source_y;
  int source_type;
  const void* source_host;
  Address source;
  void* source_array;
  std::size_t source_pitch;
  std::size_t target_x, target_y;
  int target_type;
  void* target_host;
  Address target;
  void* target_array;
  std::size_t target_pitch;
  std::size_t width, height;
};
static_assert(sizeof(Copy2d) == 128);

/// The functions: X(name as we call it, name in the library, parameters).
#define GRIDSPAN_CUDA_FUNCTIONS(X)                                                                 \
  X(cuInit, "cuInit", (unsigned flags))                                                            \
  X(cuDriverGetVersion, "cuDriverGetVersion", (int* version))                                      \
  X(cuGetErrorName, "cuGetErrorName", (Result error, const char** name))                           \
  X(cuGetErrorString, "cuGetErrorString", (Result error, const char** text))                       \
  X(cuDeviceGetCount, "cuDeviceGetCount", (int* count))                                            \
  X(cuDeviceGet, "cuDeviceGet", (Gpu * gpu, int ordinal))                                          \
  X(cuDeviceGetUuid, "cuDeviceGetUuid", (unsigned char* id, Gpu gpu))                              \
  X(cuDeviceGetPCIBusId, "cuDeviceGetPCIBusId", (char* id, int length, Gpu gpu))                   \
  X(cuDeviceGetName, "cuDeviceGetName", (char* name, int length, Gpu gpu))                         \
  X(cuDeviceTotalMem, "cuDeviceTotalMem_v2", (std::size_t* bytes, Gpu gpu))                        \
  X(cuDeviceGetAttribute, "cuDeviceGetAttribute", (int* value, GpuAttribute attribute, Gpu gpu))   \
  X(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (Context * context, Gpu gpu))            \
  X(cuCtxSetCurrent, "cuCtxSetCurrent", (Context context))                                         \
  X(cuDeviceCanAccessPeer, "cuDeviceCanAccessPeer", (int* can, Gpu reader, Gpu owner))             \
  X(cuCtxEnablePeerAccess, "cuCtxEnablePeerAccess", (Context owner, unsigned flags))               \
  X(cuCtxSetLimit, "cuCtxSetLimit", (ContextLimit limit, std::size_t value))                       \
  X(cuCtxGetLimit, "cuCtxGetLimit", (std::size_t* value, ContextLimit limit))                      \
  X(cuStreamCreate, "cuStreamCreate", (Stream * stream, unsigned flags))                           \
  X(cuStreamDestroy, "cuStreamDestroy_v2", (Stream stream))                                        \
  X(cuStreamSynchronize, "cuStreamSynchronize", (Stream stream))                                   \
  X(cuStreamWaitEvent, "cuStreamWaitEvent", (Stream stream, Event event, unsigned flags))          \
  X(cuStreamAddCallback, "cuStreamAddCallback",                                                    \
    (Stream stream, void (*function)(Stream stream, Result status, void* data), void* data,        \
     unsigned flags))                                                                              \
  X(cuEventCreate, "cuEventCreate", (Event * event, unsigned flags))                               \
  X(cuEventRecord, "cuEventRecord", (Event event, Stream stream))                                  \
  X(cuEventQuery, "cuEventQuery", (Event event))                                                   \
  X(cuEventSynchronize, "cuEventSynchronize", (Event event))                                       \
  X(cuEventElapsedTime, "cuEventElapsedTime", (float* milliseconds, Event start, Event end))       \
  X(cuModuleLoadDataEx, "cuModuleLoadDataEx",                                                      \
    (ModuleHandle * module, const void* image, unsigned count, LoadOption* options,                \
     void** values))                                                                               \
  X(cuModuleUnload, "cuModuleUnload", (ModuleHandle module))                                       \
  X(cuModuleGetFunction, "cuModuleGetFunction",                                                    \
    (FunctionHandle * function, ModuleHandle module, const char* name))                            \
  X(cuModuleGetGlobal, "cuModuleGetGlobal_v2",                                                     \
    (Address * address, std::size_t* bytes, ModuleHandle module, const char* name))                \
  X(cuFuncGetAttribute, "cuFuncGetAttribute",                                                      \
    (int* value, FunctionAttribute attribute, FunctionHandle function))                            \
  X(cuFuncSetAttribute, "cuFuncSetAttribute",                                                      \
    (FunctionHandle function, FunctionAttribute attribute, int value))                             \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor, "cuOccupancyMaxActiveBlocksPerMultiprocessor",    \
    (int* blocks, FunctionHandle function, int threads, std::size_t dynamic_shared))               \
  X(cuLaunchKernel, "cuLaunchKernel",                                                              \
    (FunctionHandle function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, \
     unsigned block_y, unsigned block_z, unsigned shared, Stream stream, void** parameters,        \
     void** extra))                                                                                \
  X(cuLaunchCooperativeKernel, "cuLaunchCooperativeKernel",                                        \
    (FunctionHandle function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, \
     unsigned block_y, unsigned block_z, unsigned shared, Stream stream, void** parameters))       \
  X(cuMemAddressReserve, "cuMemAddressReserve",                                                    \
    (Address * base, std::size_t bytes, std::size_t alignment, Address wanted,                     \
     unsigned long long flags))                                                                    \
  X(cuMemAddressFree, "cuMemAddressFree", (Address base, std::size_t bytes))                       \
  X(cuMemCreate, "cuMemCreate",                                                                    \
    (Physical * memory, std::size_t bytes, const PhysicalProperties* properties,                   \
     unsigned long long flags))                                                                    \
  X(cuMemRelease, "cuMemRelease", (Physical memory))                                               \
  X(cuMemMap, "cuMemMap",                                                                          \
    (Address base, std::size_t bytes, std::size_t offset, Physical memory,                         \
     unsigned long long flags))                                                                    \
  X(cuMemUnmap, "cuMemUnmap", (Address base, std::size_t bytes))                                   \
  X(cuMemSetAccess, "cuMemSetAccess",                                                              \
    (Address base, std::size_t bytes, const Access* accesses, std::size_t count))                  \
  X(cuMemGetAllocationGranularity, "cuMemGetAllocationGranularity",                                \
    (std::size_t* bytes, const PhysicalProperties* properties, int which))                         \
  X(cuMemGetInfo, "cuMemGetInfo_v2", (std::size_t* free, std::size_t* total))                      \
  X(cuMemAllocManaged, "cuMemAllocManaged",                                                        \
    (Address * address, std::size_t bytes, unsigned flags))                                        \
  X(cuMemPrefetchAsync, "cuMemPrefetchAsync",                                                      \
    (Address memory, std::size_t bytes, Gpu to, Stream stream))                                    \
  X(cuMemAdvise, "cuMemAdvise", (Address memory, std::size_t bytes, int advice, Gpu of))           \
  X(cuMemFree, "cuMemFree_v2", (Address address))                                                  \
  X(cuMemHostAlloc, "cuMemHostAlloc", (void** memory, std::size_t bytes, unsigned flags))          \
  X(cuMemFreeHost, "cuMemFreeHost", (void* memory))                                                \
  X(cuMemHostRegister, "cuMemHostRegister_v2", (void* memory, std::size_t bytes, unsigned flags))  \
  X(cuMemHostUnregister, "cuMemHostUnregister", (void* memory))                                    \
  X(cuPointerGetAttribute, "cuPointerGetAttribute", (void* value, int attribute, Address address)) \
  X(cuMemcpyAsync, "cuMemcpyAsync", (Address to, Address from, std::size_t bytes, Stream stream))  \
  X(cuMemcpy2DAsync, "cuMemcpy2DAsync_v2", (const Copy2d* copy, Stream stream))                    \
  X(cuMemsetD8Async, "cuMemsetD8Async",                                                            \
    (Address to, unsigned char value, std::size_t bytes, Stream stream))                           \
  X(cuMemsetD2D8Async, "cuMemsetD2D8Async",                                                        \
    (Address to, std::size_t pitch, unsigned char value, std::size_t width, std::size_t height,    \
     Stream stream))

/// Those that drivers from 11.4 on have: null before. Parameters of the first form of each.
#define GRIDSPAN_CUDA_LATER_FUNCTIONS(X)                                            \
  X(cuStreamBeginCapture, "cuStreamBeginCapture_v2", (Stream stream, int mode))     \
  X(cuStreamEndCapture, "cuStreamEndCapture", (Stream stream, GraphHandle * graph)) \
  X(cuStreamGetCaptureInfo, "cuStreamGetCaptureInfo_v2",                            \
    (Stream stream, int* status, unsigned long long* id, GraphHandle* graph,        \
     const GraphNode** dependencies, std::size_t* count))                           \
  X(cuStreamUpdateCaptureDependencies, "cuStreamUpdateCaptureDependencies",         \
    (Stream stream, GraphNode * dependencies, std::size_t count, unsigned flags))   \
  X(cuGraphInstantiateWithFlags, "cuGraphInstantiateWithFlags",                     \
    (GraphExec * executable, GraphHandle graph, unsigned long long flags))          \
  X(cuGraphLaunch, "cuGraphLaunch", (GraphExec executable, Stream stream))          \
  X(cuGraphExecDestroy, "cuGraphExecDestroy", (GraphExec executable))               \
  X(cuGraphDestroy, "cuGraphDestroy", (GraphHandle graph))

}  // namespace gridspan::devices::cuda
