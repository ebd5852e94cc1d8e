// Tiles of several warps meet at words in shared memory, which are cleared at entry.
// RUN: %gridcc -std=c++17 -O3 -c %s -o %t.o
// RUN: %gridspan ptx %t.o | FileCheck %s
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// CHECK: .shared .align 4 .b8 {{.*}}words{{.*}}[128];

// CHECK-LABEL: .visible .entry _Z5tilesPi(
// CHECK: st.shared
// CHECK: barrier.sync 0;
// CHECK: bar.warp.sync
// CHECK: membar.cta;
// CHECK: atom.shared.add.u32
// CHECK: ld.volatile.shared.u32
// CHECK: membar.cta;
// CHECK: bar.warp.sync
// CHECK: ret;
__global__ void tiles(int* a) {
  __shared__ cg::block_tile_memory<128> memory;
  auto block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<64>(block);
  tile.sync();
  a[blockIdx.x * blockDim.x + threadIdx.x] = tile.thread_rank();
}

// CHECK-LABEL: .visible .entry _Z5plainPi(
// CHECK-NOT: barrier.sync
// CHECK-NOT: st.shared
// CHECK: ret;
__global__ void plain(int* a) { a[threadIdx.x] = 1; }
