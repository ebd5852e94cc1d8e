// cuda::barrier is the GPU's own mbarrier object in shared memory from sm_90 on, a word before.
// RUN: %gridcc -std=c++17 -O3 -arch=sm_80 -c %s -o %t.o
// RUN: %gridspan ptx --arch 90 %t.o | FileCheck %s
// RUN: %gridspan ptx --arch 80 %t.o | FileCheck %s --check-prefix=WORDS
// RUN: %gridspan explain %t.o | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN-NOT: not for GPUs
#include <cuda/barrier>

// CHECK-LABEL: .visible .entry _Z5meetsPi(
// CHECK: mbarrier.init.shared::cta.b64
// CHECK: mbarrier.test_wait.parity.shared::cta.b64
// CHECK: mbarrier.arrive.shared::cta.b64
// CHECK: mbarrier.try_wait.parity.shared::cta.b64
// CHECK: ret;
// WORDS-LABEL: .visible .entry _Z5meetsPi(
// WORDS-NOT: mbarrier
// WORDS: cas.b64
// WORDS: ret;
__global__ void meets(int* a) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  a[threadIdx.x] = 1;
  barrier.arrive_and_wait();
  a[threadIdx.x + 1] += 1;
}

// Inline PTX uses the same object.
// CHECK-LABEL: .visible .entry _Z6sharesPi(
// CHECK: mbarrier.init.shared::cta.b64
// CHECK: mbarrier.arrive.shared.b64
// CHECK: ret;
// WORDS-NOT: .entry _Z6sharesPi(
__global__ void shares(int* a) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  unsigned long long token;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
               : "=l"(token)
               : "r"(unsigned(__cvta_generic_to_shared(cuda::device::barrier_native_handle(barrier))))
               : "memory");
  *a = int(token);
}
