// The table from cudaDeviceAttr to fields of cudaDeviceProp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/device_attributes.h"

#include <algorithm>
#include <climits>

namespace gridspan::runtime {

namespace {

/// Fields are size_t or int, attributes are int: too large becomes the largest.
template <class T>
int clamp(T value) {
  return static_cast<int>(std::min<unsigned long long>(value, INT_MAX));
}

}  // namespace

std::optional<int> device_attribute(const cudaDeviceProp& properties, cudaDeviceAttr attribute) {
  switch (attribute) {
#define GRIDSPAN_FROM(name, field) \
  case cudaDevAttr##name:          \
    return clamp(properties.field)
    GRIDSPAN_FROM(MaxThreadsPerBlock, maxThreadsPerBlock);
    GRIDSPAN_FROM(MaxBlockDimX, maxThreadsDim[0]);
    GRIDSPAN_FROM(MaxBlockDimY, maxThreadsDim[1]);
    GRIDSPAN_FROM(MaxBlockDimZ, maxThreadsDim[2]);
    GRIDSPAN_FROM(MaxGridDimX, maxGridSize[0]);
    GRIDSPAN_FROM(MaxGridDimY, maxGridSize[1]);
    GRIDSPAN_FROM(MaxGridDimZ, maxGridSize[2]);
    GRIDSPAN_FROM(MaxSharedMemoryPerBlock, sharedMemPerBlock);
    GRIDSPAN_FROM(TotalConstantMemory, totalConstMem);
    GRIDSPAN_FROM(WarpSize, warpSize);
    GRIDSPAN_FROM(MaxPitch, memPitch);
    GRIDSPAN_FROM(MaxRegistersPerBlock, regsPerBlock);
    GRIDSPAN_FROM(ClockRate, clockRate);
    GRIDSPAN_FROM(TextureAlignment, textureAlignment);
    GRIDSPAN_FROM(GpuOverlap, deviceOverlap);
    GRIDSPAN_FROM(MultiProcessorCount, multiProcessorCount);
    GRIDSPAN_FROM(KernelExecTimeout, kernelExecTimeoutEnabled);
    GRIDSPAN_FROM(Integrated, integrated);
    GRIDSPAN_FROM(CanMapHostMemory, canMapHostMemory);
    GRIDSPAN_FROM(ComputeMode, computeMode);
    GRIDSPAN_FROM(MaxTexture1DWidth, maxTexture1D);
    GRIDSPAN_FROM(MaxTexture2DWidth, maxTexture2D[0]);
    GRIDSPAN_FROM(MaxTexture2DHeight, maxTexture2D[1]);
    GRIDSPAN_FROM(MaxTexture3DWidth, maxTexture3D[0]);
    GRIDSPAN_FROM(MaxTexture3DHeight, maxTexture3D[1]);
    GRIDSPAN_FROM(MaxTexture3DDepth, maxTexture3D[2]);
    GRIDSPAN_FROM(SurfaceAlignment, surfaceAlignment);
    GRIDSPAN_FROM(ConcurrentKernels, concurrentKernels);
    GRIDSPAN_FROM(EccEnabled, ECCEnabled);
    GRIDSPAN_FROM(PciBusId, pciBusID);
    GRIDSPAN_FROM(PciDeviceId, pciDeviceID);
    GRIDSPAN_FROM(TccDriver, tccDriver);
    GRIDSPAN_FROM(MemoryClockRate, memoryClockRate);
    GRIDSPAN_FROM(GlobalMemoryBusWidth, memoryBusWidth);
    GRIDSPAN_FROM(L2CacheSize, l2CacheSize);
    GRIDSPAN_FROM(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor);
    GRIDSPAN_FROM(AsyncEngineCount, asyncEngineCount);
    GRIDSPAN_FROM(UnifiedAddressing, unifiedAddressing);
    GRIDSPAN_FROM(PciDomainId, pciDomainID);
    GRIDSPAN_FROM(TexturePitchAlignment, texturePitchAlignment);
    GRIDSPAN_FROM(ComputeCapabilityMajor, major);
    GRIDSPAN_FROM(ComputeCapabilityMinor, minor);
    GRIDSPAN_FROM(StreamPrioritiesSupported, streamPrioritiesSupported);
    GRIDSPAN_FROM(GlobalL1CacheSupported, globalL1CacheSupported);
    GRIDSPAN_FROM(LocalL1CacheSupported, localL1CacheSupported);
    GRIDSPAN_FROM(MaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor);
    GRIDSPAN_FROM(MaxRegistersPerMultiprocessor, regsPerMultiprocessor);
    GRIDSPAN_FROM(ManagedMemory, managedMemory);
    GRIDSPAN_FROM(IsMultiGpuBoard, isMultiGpuBoard);
    GRIDSPAN_FROM(MultiGpuBoardGroupID, multiGpuBoardGroupID);
    GRIDSPAN_FROM(HostNativeAtomicSupported, hostNativeAtomicSupported);
    GRIDSPAN_FROM(SingleToDoublePrecisionPerfRatio, singleToDoublePrecisionPerfRatio);
    GRIDSPAN_FROM(PageableMemoryAccess, pageableMemoryAccess);
    GRIDSPAN_FROM(ConcurrentManagedAccess, concurrentManagedAccess);
    GRIDSPAN_FROM(ComputePreemptionSupported, computePreemptionSupported);
    GRIDSPAN_FROM(CanUseHostPointerForRegisteredMem, canUseHostPointerForRegisteredMem);
    GRIDSPAN_FROM(CooperativeLaunch, cooperativeLaunch);
    GRIDSPAN_FROM(CooperativeMultiDeviceLaunch, cooperativeMultiDeviceLaunch);
    GRIDSPAN_FROM(MaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin);
    GRIDSPAN_FROM(HostRegisterSupported, hostRegisterSupported);
    GRIDSPAN_FROM(PageableMemoryAccessUsesHostPageTables, pageableMemoryAccessUsesHostPageTables);
    GRIDSPAN_FROM(DirectManagedMemAccessFromHost, directManagedMemAccessFromHost);
    GRIDSPAN_FROM(MaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor);
    GRIDSPAN_FROM(MaxPersistingL2CacheSize, persistingL2CacheMaxSize);
    GRIDSPAN_FROM(MaxAccessPolicyWindowSize, accessPolicyMaxWindowSize);
    GRIDSPAN_FROM(ReservedSharedMemoryPerBlock, reservedSharedMemPerBlock);
    GRIDSPAN_FROM(SparseCudaArraySupported, sparseCudaArraySupported);
    GRIDSPAN_FROM(HostRegisterReadOnlySupported, hostRegisterReadOnlySupported);
    GRIDSPAN_FROM(TimelineSemaphoreInteropSupported, timelineSemaphoreInteropSupported);
    GRIDSPAN_FROM(MemoryPoolsSupported, memoryPoolsSupported);
    GRIDSPAN_FROM(MemoryPoolSupportedHandleTypes, memoryPoolSupportedHandleTypes);
    GRIDSPAN_FROM(ClusterLaunch, clusterLaunch);
    GRIDSPAN_FROM(DeferredMappingCudaArraySupported, deferredMappingCudaArraySupported);
    GRIDSPAN_FROM(IpcEventSupport, ipcEventSupported);
    GRIDSPAN_FROM(MaxTexture2DLayeredWidth, maxTexture2DLayered[0]);
    GRIDSPAN_FROM(MaxTexture2DLayeredHeight, maxTexture2DLayered[1]);
    GRIDSPAN_FROM(MaxTexture2DLayeredLayers, maxTexture2DLayered[2]);
    GRIDSPAN_FROM(MaxTexture1DLayeredWidth, maxTexture1DLayered[0]);
    GRIDSPAN_FROM(MaxTexture1DLayeredLayers, maxTexture1DLayered[1]);
    GRIDSPAN_FROM(MaxTexture2DGatherWidth, maxTexture2DGather[0]);
    GRIDSPAN_FROM(MaxTexture2DGatherHeight, maxTexture2DGather[1]);
    GRIDSPAN_FROM(MaxTexture3DWidthAlt, maxTexture3DAlt[0]);
    GRIDSPAN_FROM(MaxTexture3DHeightAlt, maxTexture3DAlt[1]);
    GRIDSPAN_FROM(MaxTexture3DDepthAlt, maxTexture3DAlt[2]);
    GRIDSPAN_FROM(MaxTextureCubemapWidth, maxTextureCubemap);
    GRIDSPAN_FROM(MaxTextureCubemapLayeredWidth, maxTextureCubemapLayered[0]);
    GRIDSPAN_FROM(MaxTextureCubemapLayeredLayers, maxTextureCubemapLayered[1]);
    GRIDSPAN_FROM(MaxSurface1DWidth, maxSurface1D);
    GRIDSPAN_FROM(MaxSurface2DWidth, maxSurface2D[0]);
    GRIDSPAN_FROM(MaxSurface2DHeight, maxSurface2D[1]);
    GRIDSPAN_FROM(MaxSurface3DWidth, maxSurface3D[0]);
    GRIDSPAN_FROM(MaxSurface3DHeight, maxSurface3D[1]);
    GRIDSPAN_FROM(MaxSurface3DDepth, maxSurface3D[2]);
    GRIDSPAN_FROM(MaxSurface1DLayeredWidth, maxSurface1DLayered[0]);
    GRIDSPAN_FROM(MaxSurface1DLayeredLayers, maxSurface1DLayered[1]);
    GRIDSPAN_FROM(MaxSurface2DLayeredWidth, maxSurface2DLayered[0]);
    GRIDSPAN_FROM(MaxSurface2DLayeredHeight, maxSurface2DLayered[1]);
    GRIDSPAN_FROM(MaxSurface2DLayeredLayers, maxSurface2DLayered[2]);
    GRIDSPAN_FROM(MaxSurfaceCubemapWidth, maxSurfaceCubemap);
    GRIDSPAN_FROM(MaxSurfaceCubemapLayeredWidth, maxSurfaceCubemapLayered[0]);
    GRIDSPAN_FROM(MaxSurfaceCubemapLayeredLayers, maxSurfaceCubemapLayered[1]);
    GRIDSPAN_FROM(MaxTexture1DLinearWidth, maxTexture1DLinear);
    GRIDSPAN_FROM(MaxTexture2DLinearWidth, maxTexture2DLinear[0]);
    GRIDSPAN_FROM(MaxTexture2DLinearHeight, maxTexture2DLinear[1]);
    GRIDSPAN_FROM(MaxTexture2DLinearPitch, maxTexture2DLinear[2]);
#undef GRIDSPAN_FROM
    case cudaDevAttrMemSyncDomainCount:
      return 1;
    case cudaDevAttrHostNumaId:
    case cudaDevAttrNumaId:
      return -1;
    case cudaDevAttrMaxTexture2DMipmappedWidth:
    case cudaDevAttrMaxTexture2DMipmappedHeight:
    case cudaDevAttrMaxTexture1DMipmappedWidth:
      return 32768;
    // Not in cudaDeviceProp, and nothing a CPU has: RDMA, clusters, NUMA.
    case cudaDevAttrCanFlushRemoteWrites:
    case cudaDevAttrGPUDirectRDMASupported:
    case cudaDevAttrGPUDirectRDMAFlushWritesOptions:
    case cudaDevAttrGPUDirectRDMAWritesOrdering:
    case cudaDevAttrNumaConfig:
    case cudaDevAttrMpsEnabled:
    case cudaDevAttrD3D12CigSupported:
    case cudaDevAttrVulkanCigSupported:
    case cudaDevAttrGpuPciDeviceId:
    case cudaDevAttrGpuPciSubsystemId:
    case cudaDevAttrHostNumaMemoryPoolsSupported:
    case cudaDevAttrHostNumaMultinodeIpcSupported:
    case cudaDevAttrHostMemoryPoolsSupported:
    case cudaDevAttrOnlyPartialHostNativeAtomicSupported:
      return 0;
  }
  // Later versions of CUDA have more, of which programs ask all; this device has nothing of them.
  constexpr int most_numbers = 255;
  if (attribute > 0 && attribute <= most_numbers) return 0;
  return std::nullopt;
}

}  // namespace gridspan::runtime
