// A device function without a definition in this file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 1
// EXPECT: elsewhere
// STEP: test ! -e %t => 0

__device__ int elsewhere(int x);

__global__ void kernel(int* p) { *p = elsewhere(3); }

int main() { kernel<<<1, 1>>>(nullptr); }
