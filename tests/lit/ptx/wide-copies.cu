// Small structs are copied by vectors of 16 bytes, where they are aligned to that.
// RUN: %gridcc -std=c++17 -O3 -c %s -o %t.o
// RUN: %gridspan ptx --arch 90 %t.o | FileCheck %s
struct alignas(16) Pixel {
  unsigned r, g, b, a;
};
struct alignas(16) Pair {
  Pixel first, second;
};
struct Loose {
  unsigned r, g, b, a;
};

// CHECK-LABEL: .entry _Z6pixelsPK5PixelPS_(
// CHECK: ld.global.v4.u32
// CHECK-NOT: ld.global
// CHECK: st.global.v4.u32
// CHECK-NOT: st.global
__global__ void pixels(const Pixel* a, Pixel* b) { b[threadIdx.x] = a[threadIdx.x]; }
// Loaded before anything is stored.
// CHECK-LABEL: .entry _Z5pairsPK4PairPS_(
// CHECK: ld.global.v4.u32
// CHECK: ld.global.v4.u32
// CHECK: st.global.v4.u32
// CHECK: st.global.v4.u32
// CHECK: ret;
__global__ void pairs(const Pair* a, Pair* b) { b[threadIdx.x] = a[threadIdx.x]; }
// CHECK-LABEL: .entry _Z5loosePK5LoosePS_(
// CHECK-COUNT-4: ld.global.u32
// CHECK: ret;
__global__ void loose(const Loose* a, Loose* b) { b[threadIdx.x] = a[threadIdx.x]; }
// An array of the thread's own is aligned as it is cleared.
// CHECK-LABEL: .entry _Z5countPKiPci(
// CHECK: .local .align 16
// CHECK-COUNT-4: st.{{(local.)?}}u64
// CHECK: ret;
__global__ void count(const int* a, char* b, int n) {
  char counts[32] = {};
  for (int i = 0; i < n; ++i) ++counts[a[i] & 31];
  b[threadIdx.x] = counts[a[n] & 31];
}
