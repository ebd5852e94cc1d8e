// The groups a launch defines: a thread block, and the whole grid.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../vector_types.h"
#include "builtin_variables.h"
#include "groups_lanes.h"

/// Lowered by the device compiler (src/abi/sync.h).
extern "C" __device__ void gridspan_grid_barrier();

namespace cooperative_groups {

class thread_block {
 public:
  /// What barrier_arrive gives and barrier_wait takes.
  class arrival_token {};

  GRIDSPAN_GROUP_FUNCTION static void sync() { __syncthreads(); }
  GRIDSPAN_GROUP_FUNCTION static void barrier_sync() { __syncthreads(); }
  // A block waits where it must not go on; that others have arrived, nobody can tell before.
  GRIDSPAN_GROUP_FUNCTION arrival_token barrier_arrive() const { return {}; }
  GRIDSPAN_GROUP_FUNCTION void barrier_wait(arrival_token&&) const { __syncthreads(); }

  GRIDSPAN_GROUP_FUNCTION static unsigned int thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  GRIDSPAN_GROUP_FUNCTION static unsigned int num_threads() {
    return blockDim.x * blockDim.y * blockDim.z;
  }
  GRIDSPAN_GROUP_FUNCTION static unsigned int size() { return num_threads(); }
  GRIDSPAN_GROUP_FUNCTION static dim3 group_index() { return blockIdx; }
  GRIDSPAN_GROUP_FUNCTION static dim3 thread_index() { return threadIdx; }
  GRIDSPAN_GROUP_FUNCTION static dim3 group_dim() { return blockDim; }
  GRIDSPAN_GROUP_FUNCTION static dim3 dim_threads() { return blockDim; }

 private:
  GRIDSPAN_GROUP_FUNCTION thread_block() {}
  friend GRIDSPAN_GROUP_FUNCTION thread_block this_thread_block();
};

GRIDSPAN_GROUP_FUNCTION thread_block this_thread_block() { return thread_block(); }

class grid_group {
 public:
  class arrival_token {};
  GRIDSPAN_GROUP_FUNCTION static bool is_valid() { return true; }
  GRIDSPAN_GROUP_FUNCTION static void sync() { gridspan_grid_barrier(); }
  GRIDSPAN_GROUP_FUNCTION static void barrier_sync() { sync(); }
  // Waiting is where all blocks meet, as on a GPU; arriving alone does nothing.
  GRIDSPAN_GROUP_FUNCTION arrival_token barrier_arrive() const { return {}; }
  GRIDSPAN_GROUP_FUNCTION void barrier_wait(arrival_token&&) const { sync(); }
  GRIDSPAN_GROUP_FUNCTION static unsigned long long num_blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  GRIDSPAN_GROUP_FUNCTION static unsigned long long block_rank() {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  GRIDSPAN_GROUP_FUNCTION static unsigned long long num_threads() {
    return num_blocks() * thread_block::num_threads();
  }
  GRIDSPAN_GROUP_FUNCTION static unsigned long long size() { return num_threads(); }
  GRIDSPAN_GROUP_FUNCTION static unsigned long long thread_rank() {
    return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
  }
  GRIDSPAN_GROUP_FUNCTION static dim3 dim_blocks() { return gridDim; }
  GRIDSPAN_GROUP_FUNCTION static dim3 group_dim() { return gridDim; }
  GRIDSPAN_GROUP_FUNCTION static dim3 block_index() { return blockIdx; }

 private:
  GRIDSPAN_GROUP_FUNCTION grid_group() {}
  friend GRIDSPAN_GROUP_FUNCTION grid_group this_grid();
};

GRIDSPAN_GROUP_FUNCTION grid_group this_grid() { return grid_group(); }

}  // namespace cooperative_groups
