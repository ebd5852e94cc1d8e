// Kernels that launch kernels note it on a list, of which the run time tells them.
// RUN: %gridcc -std=c++17 -O3 -c %s -o %t.o
// RUN: %gridspan ptx --arch 70 %t.o | FileCheck %s
// RUN: %gridspan explain %t.o | FileCheck %s --check-prefix=EXPLAIN

// CHECK: .visible .global .align 8 .u64 gridspan_children;
// CHECK: .shared .align 2 .b8 {{.*}}errors{{.*}}[2048];

// CHECK-LABEL: .visible .entry _Z5childPidc(
__global__ void child(int* a, double d, char c) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = int(d) + c;
}

// The record is 64 bytes, the arguments are packed to 17 of 32; its number is the hash of the name.
// CHECK-LABEL: .visible .entry _Z8launchesPi(
// CHECK: ld.global.u64 %rd{{[0-9]+}}, [gridspan_children];
// CHECK: atom.add.u64 %rd{{[0-9]+}}, [%rd{{[0-9]+}}], 96;
// CHECK: ret;
// EXPLAIN: launches(
// EXPLAIN: why: launches kernels, or waits for them
__global__ void launches(int* a) { child<<<2, 32>>>(a, 1.5, 'c'); }

// Errors are of the thread, and there is none at the beginning.
// CHECK-LABEL: .visible .entry _Z4asksPi(
// CHECK: st.shared.u16
// CHECK: [gridspan_children]
// CHECK: atom.add.u64
// CHECK: ld.shared.u16
// CHECK: ret;
__global__ void asks(int* a) {
  child<<<1, 32>>>(a, 1.5, 'c');
  *a = cudaGetLastError();
}

// Nothing is done behind the wait.
// CHECK-LABEL: .visible .entry _Z10waits_lastPi(
// CHECK-NOT: cudaDeviceSynchronize
// CHECK: ret;
// EXPLAIN: waits_last(
// EXPLAIN-NOT: not for GPUs
__global__ void waits_last(int* a) {
  if (*a == 0) return;
  child<<<1, 32>>>(a, 1.5, 'c');
  cudaDeviceSynchronize();
}

// CHECK-LABEL: .visible .entry _Z6copiesPiPKi(
// CHECK: atom.add.u64 %rd{{[0-9]+}}, [%rd{{[0-9]+}}], 64;
__global__ void copies(int* a, const int* b) { cudaMemcpyAsync(a, b, 4, cudaMemcpyDeviceToDevice); }

// CHECK-LABEL: .visible .entry gridspan_copy_bytes(
// CHECK-NOT: gridspan_fill_bytes
// CHECK: .visible .entry _Z5childPidc$part(
// CHECK-NOT: $part(
