// A kernel calls a host function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -c %s -o %t.o => 1
// EXPECT: host_call_in_kernel\.cu:9:\d+: error: calling a __host__ function\("answer"\) from a __global__ function is not allowed

#include <cstdio>
int answer();

__global__ void kernel(int* p) { *p = answer(); }
