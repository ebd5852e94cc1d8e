// struct cudaDeviceProp: what cudaGetDeviceProperties reports.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Field names and types are CUDA's, including those removed in CUDA 13 (clockRate, computeMode, …).
// The layout is ours: programs are compiled against this header.
#pragma once

#include <stddef.h>

#ifndef CU_UUID_HAS_BEEN_DEFINED
#define CU_UUID_HAS_BEEN_DEFINED
struct CUuuid_st {
  char bytes[16];
};
typedef struct CUuuid_st CUuuid;
#endif
typedef struct CUuuid_st cudaUUID_t;

struct cudaDeviceProp {
  char name[256];
  cudaUUID_t uuid;
  char luid[8];
  unsigned int luidDeviceNodeMask;

  size_t totalGlobalMem;
  size_t totalConstMem;
  size_t sharedMemPerBlock;
  size_t sharedMemPerBlockOptin;
  size_t sharedMemPerMultiprocessor;
  size_t reservedSharedMemPerBlock;
  int regsPerBlock;
  int regsPerMultiprocessor;
  int warpSize;
  size_t memPitch;

  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  int maxThreadsPerMultiProcessor;
  int maxBlocksPerMultiProcessor;
  int multiProcessorCount;

  int major;
  int minor;
  int clockRate;        // kHz
  int memoryClockRate;  // kHz
  int memoryBusWidth;   // bits
  int l2CacheSize;      // bytes
  int persistingL2CacheMaxSize;
  int accessPolicyMaxWindowSize;
  int singleToDoublePrecisionPerfRatio;

  size_t textureAlignment;
  size_t texturePitchAlignment;
  size_t surfaceAlignment;
  int maxTexture1D;
  int maxTexture1DMipmap;
  int maxTexture1DLinear;
  int maxTexture2D[2];
  int maxTexture2DMipmap[2];
  int maxTexture2DLinear[3];
  int maxTexture2DGather[2];
  int maxTexture3D[3];
  int maxTexture3DAlt[3];
  int maxTextureCubemap;
  int maxTexture1DLayered[2];
  int maxTexture2DLayered[3];
  int maxTextureCubemapLayered[2];
  int maxSurface1D;
  int maxSurface2D[2];
  int maxSurface3D[3];
  int maxSurface1DLayered[2];
  int maxSurface2DLayered[3];
  int maxSurfaceCubemap;
  int maxSurfaceCubemapLayered[2];

  int deviceOverlap;
  int asyncEngineCount;
  int concurrentKernels;
  int kernelExecTimeoutEnabled;
  int computeMode;
  int computePreemptionSupported;
  int streamPrioritiesSupported;
  int cooperativeLaunch;
  int cooperativeMultiDeviceLaunch;
  int clusterLaunch;
  int unifiedFunctionPointers;

  int integrated;
  int canMapHostMemory;
  int unifiedAddressing;
  int managedMemory;
  int concurrentManagedAccess;
  int directManagedMemAccessFromHost;
  int pageableMemoryAccess;
  int pageableMemoryAccessUsesHostPageTables;
  int canUseHostPointerForRegisteredMem;
  int hostRegisterSupported;
  int hostRegisterReadOnlySupported;
  int hostNativeAtomicSupported;
  int globalL1CacheSupported;
  int localL1CacheSupported;
  int memoryPoolsSupported;
  unsigned int memoryPoolSupportedHandleTypes;
  int sparseCudaArraySupported;
  int deferredMappingCudaArraySupported;
  int timelineSemaphoreInteropSupported;
  int gpuDirectRDMASupported;
  unsigned int gpuDirectRDMAFlushWritesOptions;
  int gpuDirectRDMAWritesOrdering;
  int ipcEventSupported;

  int ECCEnabled;
  int tccDriver;
  int isMultiGpuBoard;
  int multiGpuBoardGroupID;
  int pciBusID;
  int pciDeviceID;
  int pciDomainID;
};
