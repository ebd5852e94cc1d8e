// Collective communication (NCCL). Link with -lnccl.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define NCCL_H_

#include <assert.h>
#include <limits.h>
#include <stddef.h>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime_api.h"

#define NCCL_MAJOR 2
#define NCCL_MINOR 22
#define NCCL_PATCH 3
#define NCCL_SUFFIX ""
#define NCCL_VERSION(X, Y, Z) \
  (((X) <= 2 && (Y) <= 8) ? (X) * 1000 + (Y) * 100 + (Z) : (X) * 10000 + (Y) * 100 + (Z))
#define NCCL_VERSION_CODE NCCL_VERSION(NCCL_MAJOR, NCCL_MINOR, NCCL_PATCH)
#define NCCL_UNIQUE_ID_BYTES 128
#define NCCL_CONFIG_UNDEF_INT INT_MIN
#define NCCL_CONFIG_UNDEF_PTR NULL
#define NCCL_SPLIT_NOCOLOR (-1)
#define NCCL_UNDEF_FLOAT (-1.0f)

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct ncclComm* ncclComm_t;
#define NCCL_COMM_NULL NULL

typedef struct {
  char internal[NCCL_UNIQUE_ID_BYTES];
} ncclUniqueId;

typedef enum {
  ncclSuccess = 0,
  ncclUnhandledCudaError = 1,
  ncclSystemError = 2,
  ncclInternalError = 3,
  ncclInvalidArgument = 4,
  ncclInvalidUsage = 5,
  ncclRemoteError = 6,
  ncclInProgress = 7,
  ncclNumResults = 8
} ncclResult_t;

/* Filled by NCCL_CONFIG_INITIALIZER, then changed field by field. */
typedef struct ncclConfig_v21700 {
  size_t size;
  unsigned int magic;
  unsigned int version;
  int blocking;
  int cgaClusterSize;
  int minCTAs;
  int maxCTAs;
  const char* netName;
  int splitShare;
} ncclConfig_t;

#define NCCL_CONFIG_INITIALIZER                      \
  {sizeof(ncclConfig_t),                             \
   0xcafebeef,                                       \
   NCCL_VERSION(NCCL_MAJOR, NCCL_MINOR, NCCL_PATCH), \
   NCCL_CONFIG_UNDEF_INT,                            \
   NCCL_CONFIG_UNDEF_INT,                            \
   NCCL_CONFIG_UNDEF_INT,                            \
   NCCL_CONFIG_UNDEF_INT,                            \
   NCCL_CONFIG_UNDEF_PTR,                            \
   NCCL_CONFIG_UNDEF_INT}

typedef struct ncclSimInfo_v22200 {
  size_t size;
  unsigned int magic;
  unsigned int version;
  float estimatedTime;
} ncclSimInfo_t;

#define NCCL_SIM_INFO_INITIALIZER                                                       \
  {sizeof(ncclSimInfo_t), 0x74685283, NCCL_VERSION(NCCL_MAJOR, NCCL_MINOR, NCCL_PATCH), \
   NCCL_UNDEF_FLOAT}

typedef enum { ncclNumOps_dummy = 5 } ncclRedOp_dummy_t;
typedef enum {
  ncclSum = 0,
  ncclProd = 1,
  ncclMax = 2,
  ncclMin = 3,
  ncclAvg = 4,
  ncclNumOps = 5,
  ncclMaxRedOp = 0x7fffffff >> (32 - 8 * (int)sizeof(ncclRedOp_dummy_t))
} ncclRedOp_t;

typedef enum {
  ncclInt8 = 0,
  ncclChar = 0,
  ncclUint8 = 1,
  ncclInt32 = 2,
  ncclInt = 2,
  ncclUint32 = 3,
  ncclInt64 = 4,
  ncclUint64 = 5,
  ncclFloat16 = 6,
  ncclHalf = 6,
  ncclFloat32 = 7,
  ncclFloat = 7,
  ncclFloat64 = 8,
  ncclDouble = 8,
  ncclBfloat16 = 9,
  ncclFloat8e4m3 = 10,
  ncclFloat8e5m2 = 11,
  ncclNumTypes = 12
} ncclDataType_t;

typedef enum { ncclScalarDevice = 0, ncclScalarHostImmediate = 1 } ncclScalarResidence_t;

/* Each function has a second name, pncclX, which a tool that wraps ncclX may call. */
#define GRIDSPAN_NCCL(type, name, parameters) \
  type nccl##name parameters;                 \
  type pnccl##name parameters;

GRIDSPAN_NCCL(ncclResult_t, MemAlloc, (void** ptr, size_t size))
GRIDSPAN_NCCL(ncclResult_t, MemFree, (void* ptr))
GRIDSPAN_NCCL(ncclResult_t, GetVersion, (int* version))
GRIDSPAN_NCCL(ncclResult_t, GetUniqueId, (ncclUniqueId * uniqueId))
GRIDSPAN_NCCL(ncclResult_t, CommInitRankConfig,
              (ncclComm_t * comm, int nranks, ncclUniqueId commId, int rank, ncclConfig_t* config))
GRIDSPAN_NCCL(ncclResult_t, CommInitRank,
              (ncclComm_t * comm, int nranks, ncclUniqueId commId, int rank))
GRIDSPAN_NCCL(ncclResult_t, CommInitAll, (ncclComm_t * comm, int ndev, const int* devlist))
GRIDSPAN_NCCL(ncclResult_t, CommFinalize, (ncclComm_t comm))
GRIDSPAN_NCCL(ncclResult_t, CommDestroy, (ncclComm_t comm))
GRIDSPAN_NCCL(ncclResult_t, CommAbort, (ncclComm_t comm))
GRIDSPAN_NCCL(ncclResult_t, CommSplit,
              (ncclComm_t comm, int color, int key, ncclComm_t* newcomm, ncclConfig_t* config))
GRIDSPAN_NCCL(const char*, GetErrorString, (ncclResult_t result))
GRIDSPAN_NCCL(const char*, GetLastError, (ncclComm_t comm))
GRIDSPAN_NCCL(void, ResetDebugInit, (void))
GRIDSPAN_NCCL(ncclResult_t, CommGetAsyncError, (ncclComm_t comm, ncclResult_t* asyncError))
GRIDSPAN_NCCL(ncclResult_t, CommCount, (const ncclComm_t comm, int* count))
GRIDSPAN_NCCL(ncclResult_t, CommCuDevice, (const ncclComm_t comm, int* device))
GRIDSPAN_NCCL(ncclResult_t, CommUserRank, (const ncclComm_t comm, int* rank))
GRIDSPAN_NCCL(ncclResult_t, CommRegister,
              (const ncclComm_t comm, void* buff, size_t size, void** handle))
GRIDSPAN_NCCL(ncclResult_t, CommDeregister, (const ncclComm_t comm, void* handle))
GRIDSPAN_NCCL(ncclResult_t, RedOpCreatePreMulSum,
              (ncclRedOp_t * op, void* scalar, ncclDataType_t datatype,
               ncclScalarResidence_t residence, ncclComm_t comm))
GRIDSPAN_NCCL(ncclResult_t, RedOpDestroy, (ncclRedOp_t op, ncclComm_t comm))

GRIDSPAN_NCCL(ncclResult_t, Reduce,
              (const void* sendbuff, void* recvbuff, size_t count, ncclDataType_t datatype,
               ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t stream))
GRIDSPAN_NCCL(ncclResult_t, Bcast,
              (void* buff, size_t count, ncclDataType_t datatype, int root, ncclComm_t comm,
               cudaStream_t stream))
GRIDSPAN_NCCL(ncclResult_t, Broadcast,
              (const void* sendbuff, void* recvbuff, size_t count, ncclDataType_t datatype,
               int root, ncclComm_t comm, cudaStream_t stream))
GRIDSPAN_NCCL(ncclResult_t, AllReduce,
              (const void* sendbuff, void* recvbuff, size_t count, ncclDataType_t datatype,
               ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream))
GRIDSPAN_NCCL(ncclResult_t, ReduceScatter,
              (const void* sendbuff, void* recvbuff, size_t recvcount, ncclDataType_t datatype,
               ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream))
GRIDSPAN_NCCL(ncclResult_t, AllGather,
              (const void* sendbuff, void* recvbuff, size_t sendcount, ncclDataType_t datatype,
               ncclComm_t comm, cudaStream_t stream))
GRIDSPAN_NCCL(ncclResult_t, Send,
              (const void* sendbuff, size_t count, ncclDataType_t datatype, int peer,
               ncclComm_t comm, cudaStream_t stream))
GRIDSPAN_NCCL(ncclResult_t, Recv,
              (void* recvbuff, size_t count, ncclDataType_t datatype, int peer, ncclComm_t comm,
               cudaStream_t stream))
GRIDSPAN_NCCL(ncclResult_t, GroupStart, (void))
GRIDSPAN_NCCL(ncclResult_t, GroupEnd, (void))
GRIDSPAN_NCCL(ncclResult_t, GroupSimulateEnd, (ncclSimInfo_t * simInfo))
#undef GRIDSPAN_NCCL

#if defined(__cplusplus)
}
#endif
