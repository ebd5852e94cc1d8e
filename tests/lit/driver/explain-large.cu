// A function that grows beyond all bounds when everything is inlined costs its kernel's model, not the compiler's time.
// RUN: timeout 100 %gridcc -c %s -o %t.o && %gridspan explain %t.o | FileCheck %s

template <int depth>
__device__ __noinline__ int grown(int x) {
  return grown<depth - 1>(x * 3 + depth) + grown<depth - 1>(x ^ depth);
}
template <>
__device__ __noinline__ int grown<0>(int x) {
  return x;
}

// CHECK: large(int* out)
// CHECK: why: calls '{{.*}}grown{{.*}}', which is too large to look into
// CHECK: too large to have all its arithmetic inlined (slower): {{.*}}explain-large.cu:[[@LINE+2]]: calls of grown<13> stay
// CHECK: 1 parameter
__global__ void large(int* out) { out[blockIdx.x] = grown<14>(threadIdx.x); }

// CHECK: small(int* out)
// CHECK-NOT: too large
// CHECK: x  yes
__global__ void small(int* out) { out[blockIdx.x * blockDim.x + threadIdx.x] = grown<4>(threadIdx.x); }
