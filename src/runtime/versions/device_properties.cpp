// cudaDeviceProp in the layouts of NVIDIA's libraries. Ours, compiled into programs of gridcc, has
// an order of its own. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/cuda_api.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace {

/// A member that our struct does not have stays zero.
template <class To>
void copy(To& to, const To& from) {
  std::memcpy(&to, &from, sizeof to);
}

// The members in their order. `both` are in all versions, `till_12` only before CUDA 13.
#define GRIDSPAN_FIRST_MEMBERS(both, till_12)                                                                           \
  both(char, name, [256]) both(cudaUUID_t, uuid, ) both(char, luid, [8]) both(                                          \
      unsigned,                                                                                                         \
      luidDeviceNodeMask, ) both(size_t,                                                                                \
                                 totalGlobalMem, ) both(size_t,                                                         \
                                                        sharedMemPerBlock, ) both(int,                                  \
                                                                                  regsPerBlock, )                       \
      both(int, warpSize, ) both(size_t, memPitch, ) both(int, maxThreadsPerBlock, ) both(                              \
          int,                                                                                                          \
          maxThreadsDim, [3]) both(int,                                                                                 \
                                   maxGridSize, [3]) till_12(int,                                                       \
                                                             clockRate, ) both(size_t,                                  \
                                                                               totalConstMem, )                         \
          both(int, major, ) both(int, minor, ) both(size_t, textureAlignment, ) both(                                  \
              size_t,                                                                                                   \
              texturePitchAlignment, ) till_12(int, deviceOverlap, ) both(int,                                          \
                                                                          multiProcessorCount, )                        \
              till_12(int, kernelExecTimeoutEnabled, ) both(int, integrated, ) both(int, canMapHostMemory, ) till_12(   \
                  int, computeMode, ) both(int, maxTexture1D, ) both(int, maxTexture1DMipmap, )                         \
                  till_12(int, maxTexture1DLinear, ) both(int, maxTexture2D, [2]) both(                                 \
                      int,                                                                                              \
                      maxTexture2DMipmap,                                                                               \
                      [2]) both(int, maxTexture2DLinear,                                                                \
                                [3]) both(int, maxTexture2DGather, [2])                                                 \
                      both(int, maxTexture3D, [3]) both(int, maxTexture3DAlt, [3]) both(int, maxTextureCubemap, ) both( \
                          int,                                                                                          \
                          maxTexture1DLayered,                                                                          \
                          [2]) both(int, maxTexture2DLayered,                                                           \
                                    [3]) both(int, maxTextureCubemapLayered, [2])                                       \
                          both(int, maxSurface1D, ) both(int, maxSurface2D, [2]) both(int, maxSurface3D, [3]) both(     \
                              int,                                                                                      \
                              maxSurface1DLayered,                                                                      \
                              [2]) both(int, maxSurface2DLayered,                                                       \
                                        [3]) both(int, maxSurfaceCubemap, )                                             \
                              both(int, maxSurfaceCubemapLayered, [2]) both(size_t, surfaceAlignment, ) both(           \
                                  int,                                                                                  \
                                  concurrentKernels, ) both(int,                                                        \
                                                            ECCEnabled, ) both(int, pciBusID, )                         \
                                  both(int, pciDeviceID, ) both(int, pciDomainID, ) both(                               \
                                      int,                                                                              \
                                      tccDriver, ) both(int, asyncEngineCount, )                                        \
                                      both(int, unifiedAddressing, ) till_12(int, memoryClockRate, ) both(              \
                                          int,                                                                          \
                                          memoryBusWidth, ) both(int,                                                   \
                                                                 l2CacheSize, ) both(int,                               \
                                                                                     persistingL2CacheMaxSize, )        \
                                          both(int, maxThreadsPerMultiProcessor, ) both(                                \
                                              int,                                                                      \
                                              streamPrioritiesSupported, ) both(int,                                    \
                                                                                globalL1CacheSupported, )               \
                                              both(int, localL1CacheSupported, ) both(                                  \
                                                  size_t,                                                               \
                                                  sharedMemPerMultiprocessor, ) both(int,                               \
                                                                                     regsPerMultiprocessor, )           \
                                                  both(int, managedMemory, ) both(                                      \
                                                      int,                                                              \
                                                      isMultiGpuBoard, ) both(int, multiGpuBoardGroupID, )              \
                                                      both(int, hostNativeAtomicSupported, ) till_12(                   \
                                                          int, singleToDoublePrecisionPerfRatio, )                      \
                                                          both(int, pageableMemoryAccess, ) both(                       \
                                                              int,                                                      \
                                                              concurrentManagedAccess, )                                \
                                                              both(int, computePreemptionSupported, ) both(             \
                                                                  int,                                                  \
                                                                  canUseHostPointerForRegisteredMem, )                  \
                                                                  both(int, cooperativeLaunch, ) till_12(               \
                                                                      int,                                              \
                                                                      cooperativeMultiDeviceLaunch, )                   \
                                                                      both(size_t, sharedMemPerBlockOptin, ) both(      \
                                                                          int,                                          \
                                                                          pageableMemoryAccessUsesHostPageTables, )     \
                                                                          both(                                         \
                                                                              int,                                      \
                                                                              directManagedMemAccessFromHost, )         \
                                                                              both(                                     \
                                                                                  int,                                  \
                                                                                  maxBlocksPerMultiProcessor, )         \
                                                                                  both(                                 \
                                                                                      int,                              \
                                                                                      accessPolicyMaxWindowSize, )      \
                                                                                      both(                             \
                                                                                          size_t,                       \
                                                                                          reservedSharedMemPerBlock, )

// From CUDA 12 on.
#define GRIDSPAN_LATER_MEMBERS(both)                                                            \
  both(int, hostRegisterSupported, ) both(int, sparseCudaArraySupported, )                      \
      both(int, hostRegisterReadOnlySupported, ) both(int, timelineSemaphoreInteropSupported, ) \
          both(int, memoryPoolsSupported, ) both(int, gpuDirectRDMASupported, )                 \
              both(unsigned, gpuDirectRDMAFlushWritesOptions, )                                 \
                  both(int, gpuDirectRDMAWritesOrdering, )                                      \
                      both(unsigned, memoryPoolSupportedHandleTypes, )                          \
                          both(int, deferredMappingCudaArraySupported, )                        \
                              both(int, ipcEventSupported, ) both(int, clusterLaunch, )         \
                                  both(int, unifiedFunctionPointers, )

#define GRIDSPAN_MEMBER(type, name, extent) type name extent;
#define GRIDSPAN_NO_MEMBER(type, name, extent)

struct Properties11 {
  GRIDSPAN_FIRST_MEMBERS(GRIDSPAN_MEMBER, GRIDSPAN_MEMBER)
};
struct Properties12 {
  GRIDSPAN_FIRST_MEMBERS(GRIDSPAN_MEMBER, GRIDSPAN_MEMBER)
  GRIDSPAN_LATER_MEMBERS(GRIDSPAN_MEMBER)
  int reserved[63];
};
struct Properties13 {
  GRIDSPAN_FIRST_MEMBERS(GRIDSPAN_MEMBER, GRIDSPAN_NO_MEMBER)
  GRIDSPAN_LATER_MEMBERS(GRIDSPAN_MEMBER)
  int device_numa_config, device_numa_id, mps_enabled, host_numa_id;
  unsigned gpu_pci_device, gpu_pci_subsystem;
  int host_numa_ipc, reserved[56];
};
static_assert(sizeof(Properties12) == 1032 && sizeof(Properties13) == 1008);

#define GRIDSPAN_COPY(type, name, extent) copy(to.name, from.name);

void convert(Properties11& to, const cudaDeviceProp& from) {
  GRIDSPAN_FIRST_MEMBERS(GRIDSPAN_COPY, GRIDSPAN_COPY)
}
void convert(Properties12& to, const cudaDeviceProp& from) {
  GRIDSPAN_FIRST_MEMBERS(GRIDSPAN_COPY, GRIDSPAN_COPY)
  GRIDSPAN_LATER_MEMBERS(GRIDSPAN_COPY)
}
void convert(Properties13& to, const cudaDeviceProp& from) {
  GRIDSPAN_FIRST_MEMBERS(GRIDSPAN_COPY, GRIDSPAN_NO_MEMBER)
  GRIDSPAN_LATER_MEMBERS(GRIDSPAN_COPY)
  to.device_numa_id = to.host_numa_id = -1;  // none of its own
}

template <class Properties>
cudaError_t get(Properties* properties, int device) {
  if (!properties) return cudaGetDeviceProperties(nullptr, device);
  cudaDeviceProp ours;
  const cudaError_t result = cudaGetDeviceProperties(&ours, device);
  if (result != cudaSuccess) return result;
  *properties = {};
  convert(*properties, ours);
  return cudaSuccess;
}

/// What programs ask for there, as far as it decides between devices: how much they compute.
template <class Properties>
cudaError_t choose(int* device, const Properties* wanted) {
  if (!wanted) return cudaChooseDevice(device, nullptr);
  cudaDeviceProp ours = {};
  ours.major = wanted->major;
  ours.minor = wanted->minor;
  ours.totalGlobalMem = wanted->totalGlobalMem;
  return cudaChooseDevice(device, &ours);
}

}  // namespace

#define GRIDSPAN_PROPERTIES_OF(version)                                                           \
  extern "C" __attribute__((visibility("default"))) cudaError_t                                   \
      gridspan_##version##_cudaGetDeviceProperties(Properties##version* properties, int device) { \
    return get(properties, device);                                                               \
  }                                                                                               \
  extern "C"                                                                                      \
      __attribute__((visibility("default"))) cudaError_t gridspan_##version##_cudaChooseDevice(   \
          int* device, const Properties##version* wanted) {                                       \
    return choose(device, wanted);                                                                \
  }

GRIDSPAN_PROPERTIES_OF(11)
GRIDSPAN_PROPERTIES_OF(12)
GRIDSPAN_PROPERTIES_OF(13)
