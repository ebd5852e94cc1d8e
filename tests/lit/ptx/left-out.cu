// What GPUs cannot run yet is left out with a reason; everything else in the file is there.
// RUN: %gridcc -std=c++17 -c %s -o %t.o
// RUN: %gridspan explain %t.o | FileCheck %s
// RUN: %gridspan ptx %t.o | FileCheck %s --check-prefix=PTX
// RUN: %gridspan explain --json %t.o | FileCheck %s --check-prefix=JSON
// RUN: not %gridspan ptx %t.o waits 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: no kernel of that name has PTX; gridspan explain says why
#include <cuda/atomic>

// PTX-DAG: .visible .global .align 4 .u32 counter = 5;
// PTX-DAG: .visible .const .align 4 .b8 table[16]
__device__ int counter = 5;
__constant__ float table[4];

// PTX-DAG: .visible .entry _Z5plainPf(
// CHECK: plain(
// CHECK-NOT: not for GPUs
__global__ void plain(float* a) { a[threadIdx.x] = table[2] + counter; }

// CHECK: waits(
// CHECK: not for GPUs: {{.*}}left-out.cu:[[@LINE+3]]: a GPU runs what kernels launch when they have ended
__global__ void waits(float* a) {
  plain<<<1, 32>>>(a);
  cudaDeviceSynchronize();
  a[1] = a[0];
}

// CHECK: launches_it(
// CHECK: not for GPUs: {{.*}}left-out.cu:[[@LINE+1]]: it launches kernel 'waits(float*)', which has no code for GPUs
__global__ void launches_it(float* a) { waits<<<1, 1>>>(a); }

// CHECK: launches_that(
// CHECK: not for GPUs: {{.*}}left-out.cu:[[@LINE+1]]: it launches kernel 'launches_it(float*)', which has no code for GPUs
__global__ void launches_that(float* a) { launches_it<<<1, 1>>>(a); }

// CHECK: shares_too_much(
// CHECK: not for GPUs: {{.*}}its shared memory and that of our device library are 49160 bytes, 49152 are the most
__global__ void shares_too_much(float* a) {
  __shared__ float rows[11778];
  rows[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  plain<<<1, 32>>>(a);
  a[threadIdx.x] = rows[threadIdx.x ^ 1] + cudaGetLastError();
}

// The place of a block in inline assembly cannot be moved.
// PTX-DAG: mov.u32 %r{{[0-9]+}}, %ctaid.y;
// CHECK: where(
// CHECK: on GPUs only in one piece: inline PTX reads where in the grid it is
// JSON: "no_part": "inline PTX reads where in the grid it is"
__global__ void where(unsigned* a) {
  unsigned y;
  asm("mov.u32 %0, %%ctaid.y;" : "=r"(y));
  a[blockIdx.x] = y;
}

// Fences for the scope stand around.
// PTX-LABEL: .visible .entry _Z7ordered
// PTX: fence.sc.gpu
// PTX: ld.volatile
// PTX: fence.acq_rel.gpu
__global__ void ordered(int* a) {
  cuda::atomic_ref<int, cuda::thread_scope_device> value(*a);
  a[1] = value.load();
}
