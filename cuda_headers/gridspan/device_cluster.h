// Thread block clusters as intrinsics. A cluster is one block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "builtin_variables.h"
#include "device_macros.h"
#include "device_sync.h"

// Programmatic dependent launches (PDL): a kernel here begins when those it depends on have ended,
// so there is nothing to wait for, and nothing that could begin earlier.
GRIDSPAN_DEVICE void cudaGridDependencySynchronize() {}
GRIDSPAN_DEVICE void cudaTriggerProgrammaticLaunchCompletion() {}

#if GRIDSPAN_ARCH_AT_LEAST(900)
/// Whether the launch or the kernel named a cluster's size.
GRIDSPAN_DEVICE unsigned int __clusterDimIsSpecified() { return 0; }
GRIDSPAN_DEVICE dim3 __clusterDim() { return dim3(1, 1, 1); }
GRIDSPAN_DEVICE dim3 __clusterRelativeBlockIdx() { return dim3(0, 0, 0); }
GRIDSPAN_DEVICE dim3 __clusterGridDimInClusters() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
GRIDSPAN_DEVICE dim3 __clusterIdx() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
GRIDSPAN_DEVICE unsigned int __clusterRelativeBlockRank() { return 0; }
GRIDSPAN_DEVICE unsigned int __clusterSizeInBlocks() { return 1; }

// Where all threads meet is the wait, as in cooperative_groups::cluster_group.
GRIDSPAN_DEVICE void __cluster_barrier_arrive() {}
GRIDSPAN_DEVICE void __cluster_barrier_arrive_relaxed() {}
GRIDSPAN_DEVICE void __cluster_barrier_wait() { __syncthreads(); }
GRIDSPAN_DEVICE void __threadfence_cluster() { __threadfence_block(); }

/// Where block `rank` of the cluster has what `address` is here.
GRIDSPAN_DEVICE void* __cluster_map_shared_rank(const void* address, unsigned int /*rank*/) {
  return const_cast<void*>(address);
}
GRIDSPAN_DEVICE unsigned int __cluster_query_shared_rank(const void* /*address*/) { return 0; }
#endif
