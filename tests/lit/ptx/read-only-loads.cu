// __ldg is ld.global.nc, and not plain loads; neither are those through const __restrict__.
// RUN: %gridcc -std=c++17 -O3 -c %s -o %t.o
// RUN: %gridspan ptx --arch 90 %t.o | FileCheck %s

// CHECK-LABEL: .visible .entry _Z7throughPK6float4PS_PKdPd(
// CHECK-DAG: ld.global.nc.v4.f32
// CHECK-DAG: ld.global.nc.f64
// CHECK: ret;
__global__ void through(const float4* a, float4* b, const double* c, double* d) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = __ldg(a + i);
  d[i] = __ldg(&c[i]);
}

// CHECK-LABEL: .visible .entry _Z10restrictedPKfPfS1_(
// CHECK: ld.global.nc.f32
// CHECK: ld.global.f32
// CHECK: ret;
__global__ void restricted(const float* __restrict__ a, float* __restrict__ b, float* c) {
  b[threadIdx.x] = a[threadIdx.x] + c[threadIdx.x];
}

// The store may change what is loaded after it.
// CHECK-LABEL: .visible .entry _Z5plainPKfPf(
// CHECK-NOT: .nc
// CHECK: ret;
__global__ void plain(const float* a, float* b) {
  b[0] = a[threadIdx.x];
  b[threadIdx.x + 1] = a[threadIdx.x];
}

// Clones for parts have them, too.
// CHECK-LABEL: .visible .entry _Z7throughPK6float4PS_PKdPd$part(
// CHECK-DAG: ld.global.nc.v4.f32
// CHECK-DAG: ld.global.nc.f64
// CHECK: ret;
