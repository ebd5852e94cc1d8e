// More static shared memory than a block can have is an error of the compiler.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -c %s -o %t.o => 1
// EXPECT: too_much_static_shared\.cu:\d+:\d+: error: .*shared

__global__ void kernel(int* out) {
  __shared__ int cells[100000];
  cells[threadIdx.x] = 1;
  __syncthreads();
  out[0] = cells[99999 - threadIdx.x];
}
