// Cooperative groups: sets of threads that synchronise and exchange data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The collective algorithms are in cooperative_groups/{reduce,scan,memcpy_async}.h.
#pragma once

#define _COOPERATIVE_GROUPS_H_

#include "cuda_runtime.h"

#if defined(__cplusplus) && defined(__CUDACC__)
#if __cplusplus >= 201103L
#include <cuda/atomic>  // as NVIDIA's does
#endif
#include "gridspan/groups_block.h"
#include "gridspan/groups_coalesced.h"
#include "gridspan/groups_generic.h"
#include "gridspan/groups_partition.h"
#include "gridspan/groups_tile.h"
#endif
