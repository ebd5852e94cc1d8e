// A kernel calls a host function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -c %s -o %t.o => 1
// EXPECT: host_call_in_kernel\.cu:9:\d+: error: (no matching function for call to 'answer'|reference to __host__ function 'answer')

#include <cstdio>
int answer();

__global__ void kernel(int* p) { *p = answer(); }
