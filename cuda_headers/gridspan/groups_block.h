// The groups a launch defines: a thread block, and the whole grid.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../vector_types.h"
#include "builtin_variables.h"
#include "groups_lanes.h"

/// Lowered by the device compiler (src/abi/sync.h).
extern "C" __device__ void gridspan_grid_barrier();

namespace cooperative_groups {

/// What the threads of tiles of more than a warp exchange values through: 32 bytes for each warp.
template <unsigned int MaxBlockSize = 1024>
struct block_tile_memory {
  alignas(16) unsigned char gridspan_bytes[(MaxBlockSize + 31) / 32 * 32];
};

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

  /// The block_tile_memory it was made with, or null.
  GRIDSPAN_GROUP_FUNCTION unsigned char* gridspan_memory() const { return memory_; }

 private:
  GRIDSPAN_GROUP_FUNCTION explicit thread_block(unsigned char* memory) : memory_(memory) {}
  friend GRIDSPAN_GROUP_FUNCTION thread_block this_thread_block();
  template <unsigned int MaxBlockSize>
  friend GRIDSPAN_GROUP_FUNCTION thread_block
  this_thread_block(block_tile_memory<MaxBlockSize>& memory);

  unsigned char* memory_;
};

GRIDSPAN_GROUP_FUNCTION thread_block this_thread_block() { return thread_block(nullptr); }
template <unsigned int MaxBlockSize>
GRIDSPAN_GROUP_FUNCTION thread_block this_thread_block(block_tile_memory<MaxBlockSize>& memory) {
  return thread_block(memory.gridspan_bytes);
}

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
  GRIDSPAN_GROUP_FUNCTION static dim3 dim_threads() {
    return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
  }
  GRIDSPAN_GROUP_FUNCTION static dim3 thread_index() {
    return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                blockIdx.z * blockDim.z + threadIdx.z);
  }
  // A cluster is one block.
  GRIDSPAN_GROUP_FUNCTION static dim3 dim_clusters() { return gridDim; }
  GRIDSPAN_GROUP_FUNCTION static unsigned long long num_clusters() { return num_blocks(); }
  GRIDSPAN_GROUP_FUNCTION static dim3 cluster_index() { return blockIdx; }
  GRIDSPAN_GROUP_FUNCTION static unsigned long long cluster_rank() { return block_rank(); }

 private:
  GRIDSPAN_GROUP_FUNCTION grid_group() {}
  friend GRIDSPAN_GROUP_FUNCTION grid_group this_grid();
};

GRIDSPAN_GROUP_FUNCTION grid_group this_grid() { return grid_group(); }

/// The block alone.
class cluster_group {
 public:
  class arrival_token {};
  GRIDSPAN_GROUP_FUNCTION static void sync() { __syncthreads(); }
  GRIDSPAN_GROUP_FUNCTION static arrival_token barrier_arrive() { return {}; }
  GRIDSPAN_GROUP_FUNCTION static void barrier_wait() { sync(); }
  GRIDSPAN_GROUP_FUNCTION static void barrier_wait(arrival_token&&) { sync(); }
  GRIDSPAN_GROUP_FUNCTION static unsigned int thread_rank() { return thread_block::thread_rank(); }
  GRIDSPAN_GROUP_FUNCTION static unsigned int num_threads() { return thread_block::num_threads(); }
  GRIDSPAN_GROUP_FUNCTION static unsigned int size() { return num_threads(); }
  GRIDSPAN_GROUP_FUNCTION static dim3 thread_index() { return threadIdx; }
  GRIDSPAN_GROUP_FUNCTION static dim3 dim_threads() { return blockDim; }
  GRIDSPAN_GROUP_FUNCTION static unsigned int block_rank() { return 0; }
  GRIDSPAN_GROUP_FUNCTION static unsigned int num_blocks() { return 1; }
  GRIDSPAN_GROUP_FUNCTION static dim3 block_index() { return dim3(0, 0, 0); }
  GRIDSPAN_GROUP_FUNCTION static dim3 dim_blocks() { return dim3(1, 1, 1); }
  /// Where block `rank` of the cluster has what `address` is here.
  template <class T>
  GRIDSPAN_GROUP_FUNCTION static T* map_shared_rank(T* address, int /*rank*/) {
    return address;
  }
  GRIDSPAN_GROUP_FUNCTION static unsigned int query_shared_rank(const void*) { return 0; }

 private:
  GRIDSPAN_GROUP_FUNCTION cluster_group() {}
  friend GRIDSPAN_GROUP_FUNCTION cluster_group this_cluster();
};

GRIDSPAN_GROUP_FUNCTION cluster_group this_cluster() { return cluster_group(); }

/// The grids of all GPUs of a launch: there is one.
class multi_grid_group : public grid_group {
 public:
  GRIDSPAN_GROUP_FUNCTION static unsigned int num_grids() { return 1; }
  GRIDSPAN_GROUP_FUNCTION static unsigned int grid_rank() { return 0; }

 private:
  GRIDSPAN_GROUP_FUNCTION multi_grid_group() : grid_group(this_grid()) {}
  friend GRIDSPAN_GROUP_FUNCTION multi_grid_group this_multi_grid();
};

GRIDSPAN_GROUP_FUNCTION multi_grid_group this_multi_grid() { return multi_grid_group(); }

}  // namespace cooperative_groups
