// Where lanes of a warp get at each other's shared memory with nothing in between, those that are
// there meet; nowhere else.
// RUN: %gridcc -std=c++17 -O3 -c %s -o %t.o
// RUN: %gridspan ptx %t.o | FileCheck %s
// RUN: %gridspan ptx %t.o | FileCheck %s --check-prefix=WHOLE
// RUN: %gridspan ptx --arch 75 %t.o | FileCheck %s

// Between reading and writing, too: lane 16 overwrites what lane 0 reads.
// CHECK-LABEL: .visible .entry _Z4foldPi(
// CHECK: ld.shared.u32
// CHECK: ld.shared.u32
// CHECK: activemask.b32 [[FIRST:%r[0-9]+]];
// CHECK-NEXT: bar.warp.sync [[FIRST]];
// CHECK-NEXT: st.shared.u32
// CHECK-NEXT: activemask.b32 [[SECOND:%r[0-9]+]];
// CHECK-NEXT: bar.warp.sync [[SECOND]];
// CHECK: ld.shared.u32
// CHECK: ld.shared.u32
// CHECK: ret;
__global__ void fold(int* a) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  a += blockIdx.x * blockDim.x;
  s[t] = a[t];
  __syncthreads();
  if (t < 32) {
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    a[t] = s[t];
  }
}

// A neighbour's element is read again in each round, and written only when it has been read.
// CHECK-LABEL: .visible .entry _Z10neighboursPii(
// CHECK: bar.warp.sync
// CHECK: st.shared.u32
// CHECK: bar.warp.sync
// CHECK: ld.shared.u32
// CHECK: ret;
__global__ void neighbours(int* a, int rounds) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  int sum = 0;
  for (int i = 0; i < rounds; ++i) {
    s[t] = a[i * blockDim.x + t];
    sum += s[t ^ 1];
  }
  a[t] = sum;
}

// Structures are read as a whole before any of them is written.
// CHECK-LABEL: .visible .entry _Z7structsP7int_two(
// CHECK: ld.shared
// CHECK: bar.warp.sync
// CHECK-NEXT: st.shared
// CHECK: bar.warp.sync
// CHECK: ld.shared
// CHECK: ret;
struct int_two {
  int x, y;
};
__global__ void structs(int_two* a) {
  __shared__ int_two s[33];
  const int t = threadIdx.x;
  s[t] = a[t];
  if (t == 0) s[32] = a[0];
  s[t] = s[t + 1];
  a[t] = s[t ^ 3];
}

// The number of the lane by inline PTX.
// CHECK-LABEL: .visible .entry _Z4lanePi(
// CHECK: st.shared.u32
// CHECK: bar.warp.sync
// CHECK: ld.shared.u32
// CHECK: ret;
__global__ void lane(int* a) {
  __shared__ int s[32];
  int lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  s[lane] = a[threadIdx.x];
  a[threadIdx.x] = s[lane ^ 5];
}

// Who has all barriers gets no others.
// CHECK-LABEL: .visible .entry _Z4treePi(
// CHECK-NOT: activemask
// CHECK: ret;
__global__ void tree(int* a) {
  extern __shared__ int dynamic[];
  const unsigned t = threadIdx.x;
  dynamic[t] = a[blockIdx.x * blockDim.x + t];
  for (unsigned o = blockDim.x / 2; o > 0; o >>= 1) {
    __syncthreads();
    if (t < o) dynamic[t] += dynamic[t + o];
  }
  if (t == 0) a[blockIdx.x] = dynamic[0];
}

// CHECK-LABEL: .visible .entry _Z6syncedPi(
// CHECK-NOT: activemask
// CHECK: ret;
__global__ void synced(int* a) {
  __shared__ int s[32];
  int value = a[threadIdx.x];
  for (int o = 16; o > 0; o /= 2) {
    __syncwarp();
    s[threadIdx.x] = value;
    __syncwarp();
    value += s[threadIdx.x ^ o];
  }
  a[threadIdx.x] = value;
}

// Volatile accesses stay where they are.
// CHECK-LABEL: .visible .entry _Z8volatilyPi(
// CHECK-NOT: activemask
// CHECK: ret;
__global__ void volatily(int* a) {
  __shared__ int plain[64];
  const int t = threadIdx.x;
  plain[t] = a[t];
  __syncthreads();
  volatile int* s = plain;
  if (t < 32) {
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    a[t] = s[t];
  }
}

// Neither does the copy for parts of a grid lack them.
// CHECK-LABEL: .visible .entry _Z4foldPi$part(
// CHECK: bar.warp.sync
// CHECK: bar.warp.sync
// CHECK: ret;
// Who has but one block to run has none.
// WHOLE-NOT: _Z6syncedPi$part(
