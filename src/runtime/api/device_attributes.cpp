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
#undef GRIDSPAN_FROM
    case cudaDevAttrMemSyncDomainCount:
      return 1;
    case cudaDevAttrHostNumaId:
      return -1;
    case cudaDevAttrNumaId:
      return -1;
    // Not in cudaDeviceProp, and nothing a CPU has: texture and surface sizes, RDMA, clusters,
    // NUMA.
    case cudaDevAttrMaxTexture2DLayeredWidth:
    case cudaDevAttrMaxTexture2DLayeredHeight:
    case cudaDevAttrMaxTexture2DLayeredLayers:
    case cudaDevAttrMaxTexture1DLayeredWidth:
    case cudaDevAttrMaxTexture1DLayeredLayers:
    case cudaDevAttrMaxTexture2DGatherWidth:
    case cudaDevAttrMaxTexture2DGatherHeight:
    case cudaDevAttrMaxTexture3DWidthAlt:
    case cudaDevAttrMaxTexture3DHeightAlt:
    case cudaDevAttrMaxTexture3DDepthAlt:
    case cudaDevAttrMaxTextureCubemapWidth:
    case cudaDevAttrMaxTextureCubemapLayeredWidth:
    case cudaDevAttrMaxTextureCubemapLayeredLayers:
    case cudaDevAttrMaxSurface1DWidth:
    case cudaDevAttrMaxSurface2DWidth:
    case cudaDevAttrMaxSurface2DHeight:
    case cudaDevAttrMaxSurface3DWidth:
    case cudaDevAttrMaxSurface3DHeight:
    case cudaDevAttrMaxSurface3DDepth:
    case cudaDevAttrMaxSurface1DLayeredWidth:
    case cudaDevAttrMaxSurface1DLayeredLayers:
    case cudaDevAttrMaxSurface2DLayeredWidth:
    case cudaDevAttrMaxSurface2DLayeredHeight:
    case cudaDevAttrMaxSurface2DLayeredLayers:
    case cudaDevAttrMaxSurfaceCubemapWidth:
    case cudaDevAttrMaxSurfaceCubemapLayeredWidth:
    case cudaDevAttrMaxSurfaceCubemapLayeredLayers:
    case cudaDevAttrMaxTexture1DLinearWidth:
    case cudaDevAttrMaxTexture2DLinearWidth:
    case cudaDevAttrMaxTexture2DLinearHeight:
    case cudaDevAttrMaxTexture2DLinearPitch:
    case cudaDevAttrMaxTexture2DMipmappedWidth:
    case cudaDevAttrMaxTexture2DMipmappedHeight:
    case cudaDevAttrMaxTexture1DMipmappedWidth:
    case cudaDevAttrCanFlushRemoteWrites:
    case cudaDevAttrGPUDirectRDMASupported:
    case cudaDevAttrGPUDirectRDMAFlushWritesOptions:
    case cudaDevAttrGPUDirectRDMAWritesOrdering:
    case cudaDevAttrNumaConfig:
    case cudaDevAttrMpsEnabled:
    case cudaDevAttrD3D12CigSupported:
      return 0;
  }
  return std::nullopt;
}

}  // namespace gridspan::runtime
