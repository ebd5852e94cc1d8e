// A kernel reaches a function of both sides that calls a host function: at once, and across files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -c %s -o %t.o => 1
// EXPECT: host_call_through_both\.cu:10:\d+: error: .*host_only
// STEP: %gridcc -rdc=true -c %s -o %t.o => 1
// EXPECT: host_call_through_both\.cu:10:\d+: error: .*host_only
// STEP: %gridcc -rdc=true -DHOST_ONLY -c %s -o %t.o => 0

int host_only(int x);
__host__ __device__ int both(int x) { return host_only(x); }

#ifdef HOST_ONLY
int main() { return both(3); }
#else
__global__ void kernel(int* p) { *p = both(3); }
#endif
