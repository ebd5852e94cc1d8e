// The CUDA driver API: types, error codes and functions, for C and C++.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libgridspan defines every function that is declared here; docs/api-coverage.md lists the others.
#pragma once

// Programs ask by this name whether the header has been included.
#define __cuda_cuda_h__

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef CUDA_VERSION
#define CUDA_VERSION 12050
#endif

#include "crt/host_defines.h"
#include "gridspan/driver_attributes.h"
#include "gridspan/driver_enums.h"
#include "gridspan/driver_errors.h"
#include "gridspan/driver_per_thread_stream.h"
#include "gridspan/driver_virtual_memory.h"

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;
typedef struct CUlib_st* CUlibrary;
typedef struct CUkern_st* CUkernel;
typedef struct CUarray_st* CUarray;
typedef struct CUmipmappedArray_st* CUmipmappedArray;
typedef struct CUevent_st* CUevent;
typedef struct CUstream_st* CUstream;
typedef struct CUlinkState_st* CUlinkState;
typedef struct CUgraph_st* CUgraph;
typedef struct CUgraphNode_st* CUgraphNode;
typedef struct CUgraphExec_st* CUgraphExec;
typedef struct CUmemPoolHandle_st* CUmemoryPool;
typedef struct CUuserObject_st* CUuserObject;
typedef unsigned long long CUtexObject;
typedef unsigned long long CUsurfObject;

#ifndef CU_UUID_HAS_BEEN_DEFINED
#define CU_UUID_HAS_BEEN_DEFINED
struct CUuuid_st {
  char bytes[16];
};
typedef struct CUuuid_st CUuuid;
#endif

typedef void(CUDA_CB* CUstreamCallback)(CUstream stream, CUresult status, void* user_data);
typedef void(CUDA_CB* CUhostFn)(void* user_data);
typedef size_t(CUDA_CB* CUoccupancyB2DSize)(int block_size);

typedef struct CUdevprop_st {
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  int sharedMemPerBlock;
  int totalConstantMemory;
  int SIMDWidth;
  int memPitch;
  int regsPerBlock;
  int clockRate;
  int textureAlign;
} CUdevprop;

typedef enum CUexecAffinityType_enum {
  CU_EXEC_AFFINITY_TYPE_SM_COUNT = 0,
  CU_EXEC_AFFINITY_TYPE_MAX
} CUexecAffinityType;
typedef struct CUexecAffinityParam_st {
  CUexecAffinityType type;
  union {
    struct {
      unsigned int val;
    } smCount;
  } param;
} CUexecAffinityParam;

// Nothing here chooses processors; with no request it is like no parameters.
typedef struct CUctxCreateParams_st {
  CUexecAffinityParam* execAffinityParams;
  int numExecAffinityParams;
  void* cigParams;
} CUctxCreateParams;

typedef struct CUDA_MEMCPY2D_st {
  size_t srcXInBytes, srcY;
  CUmemorytype srcMemoryType;
  const void* srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  size_t srcPitch;
  size_t dstXInBytes, dstY;
  CUmemorytype dstMemoryType;
  void* dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  size_t dstPitch;
  size_t WidthInBytes;
  size_t Height;
} CUDA_MEMCPY2D;

typedef struct CUDA_MEMCPY3D_st {
  size_t srcXInBytes, srcY, srcZ, srcLOD;
  CUmemorytype srcMemoryType;
  const void* srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  void* reserved0;
  size_t srcPitch, srcHeight;
  size_t dstXInBytes, dstY, dstZ, dstLOD;
  CUmemorytype dstMemoryType;
  void* dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  void* reserved1;
  size_t dstPitch, dstHeight;
  size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D;

typedef struct CUDA_ARRAY_DESCRIPTOR_st {
  size_t Width, Height;
  CUarray_format Format;
  unsigned int NumChannels;
} CUDA_ARRAY_DESCRIPTOR;

#include "gridspan/driver_launch_types.h"
#include "gridspan/driver_memory_types.h"
#include "gridspan/driver_texture_types.h"
// After the types of which nodes are made.
#include "gridspan/driver_graph_types.h"

#if defined(__cplusplus)
extern "C" {
#endif
#include "gridspan/driver_api.h"
#include "gridspan/driver_graph_api.h"
#include "gridspan/driver_memory_api.h"
#if defined(__cplusplus)
}

#include "gridspan/driver_templates.h"
#endif

#include "gridspan/driver_external_memory.h"
#include "gridspan/driver_green_contexts.h"
#include "gridspan/driver_multicast.h"
#include "gridspan/driver_tensor_map.h"
#include "gridspan/driver_value_names.h"
#include "gridspan/driver_versioned_names.h"
