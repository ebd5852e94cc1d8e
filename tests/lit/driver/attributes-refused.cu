// Attributes of kernels that cannot be honoured are refused where they stand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %gridcc -c -DBLOCKS=2 %s -o %t.o 2>&1 | FileCheck %s --check-prefix=CLUSTER
// RUN: not %gridcc -c -DSIZE %s -o %t.o 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: %gridcc -c -DBLOCKS=1 %s -o %t.o
#ifdef BLOCKS
// CLUSTER: attributes-refused.cu:[[#@LINE+2]]:{{[0-9]+}}: error:
// CLUSTER: clusters_of_several_blocks_are_not_supported
__global__ void __cluster_dims__(BLOCKS, 1, 1) k(int* out) { *out = 1; }
#endif
#ifdef SIZE
// SIZE: attributes-refused.cu:[[#@LINE+1]]:{{[0-9]+}}: error: __block_size__ is not supported
__global__ void __block_size__((128, 1, 1)) k(int* out) { *out = 1; }
#endif
int main() {}
