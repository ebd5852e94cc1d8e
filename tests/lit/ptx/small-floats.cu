// Arithmetic and conversions of 16-bit floating-point numbers are instructions.
// RUN: %gridcc -std=c++17 -O3 -c %s -o %t.o
// RUN: %gridspan ptx --arch 90 %t.o | FileCheck %s
// RUN: %gridspan ptx --arch 70 %t.o | FileCheck %s --check-prefix=OLD
// RUN: %gridcc -std=c++17 -O3 -use_fast_math -c %s -o %t.fast.o
// RUN: %gridspan ptx --arch 90 %t.fast.o pairs | FileCheck %s --check-prefix=FAST
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

// CHECK-LABEL: .visible .entry _Z5halfsPK6__halfPS_Pf(
// CHECK-DAG: add.rn.f16
// CHECK-DAG: mul.rn.f16
// CHECK-DAG: cvt.f32.f16
// CHECK-DAG: cvt.rn.f16.f32
// CHECK: ret;
// OLD-LABEL: .visible .entry _Z5halfsPK6__halfPS_Pf(
// OLD-DAG: add.rn.f16
// OLD-DAG: cvt.rn.f16.f32
// OLD: ret;
__global__ void halfs(const __half* a, __half* b, float* f) {
  const int i = threadIdx.x;
  b[i] = __hadd(a[i], a[i + 1]) * a[i + 2];
  f[i] = __half2float(a[i]);
  b[i + 100] = __float2half(f[i + 100]);
}

// CHECK-LABEL: .visible .entry _Z5pairsPK7__half2PS_(
// CHECK: fma.rn.f16x2
// CHECK: sub.rn.f16x2
// CHECK: ret;
// Subnormal halfs are not flushed with floats.
// FAST-LABEL: .visible .entry _Z5pairsPK7__half2PS_(
// FAST: fma.rn.f16x2
// FAST: fma.rn.f16x2
// FAST: ret;
__global__ void pairs(const __half2* a, __half2* b) {
  const int i = threadIdx.x;
  b[i] = __hsub2(__hfma2(a[i], a[i + 1], b[i]), a[i + 2]);
}

// CHECK-LABEL: .visible .entry _Z6chosenP6__halfP7__half2(
// CHECK-DAG: max.f16
// CHECK-DAG: min.f16x2
// CHECK-DAG: atom.add.noftz.f16 
// CHECK-DAG: atom.add.noftz.f16x2
// CHECK: ret;
__global__ void chosen(__half* a, __half2* b) {
  const int i = threadIdx.x;
  atomicAdd(a + i + 32, __hmax(a[i], a[i + 1]));
  atomicAdd(b + i + 32, __hmin2(b[i], b[i + 1]));
}

// Other roundings are the header's.
// CHECK-LABEL: .visible .entry _Z5upperPKfP6__half(
// CHECK-NOT: cvt.rn.f16.f32
// CHECK: ret;
__global__ void upper(const float* a, __half* b) { b[threadIdx.x] = __float2half_ru(a[threadIdx.x]); }

// CHECK-LABEL: .visible .entry _Z6bfloatPK14__nv_bfloat162PS_(
// CHECK: fma.rn.bf16x2
// CHECK: add.rn.bf16x2
// CHECK: ret;
__global__ void bfloat(const __nv_bfloat162* a, __nv_bfloat162* b) {
  const int i = threadIdx.x;
  b[i] = __hadd2(__hfma2(a[i], a[i + 1], b[i]), a[i + 2]);
}

// 8 bits: two numbers an instruction, of which one is used here. The header does what does not saturate.
// CHECK-LABEL: .visible .entry _Z5bytesPKfP13__nv_fp8_e4m3Pf(
// The low byte is the second number's.
// CHECK-DAG: mov.f32 [[ZERO:%f[0-9]+]], 0f00000000
// CHECK-DAG: cvt.rn.satfinite.e4m3x2.f32 %rs{{[0-9]+}}, [[ZERO]], %f
// CHECK-DAG: cvt.rn.f16x2.e4m3x2
// CHECK: ret;
// OLD-LABEL: .visible .entry _Z5bytesPKfP13__nv_fp8_e4m3Pf(
// OLD-NOT: e4m3x2
// OLD: ret;
__global__ void bytes(const float* a, __nv_fp8_e4m3* b, float* c) {
  b[threadIdx.x] = __nv_fp8_e4m3(a[threadIdx.x]);
  c[threadIdx.x] = float(b[threadIdx.x + 32]);
}
// CHECK-LABEL: .visible .entry _Z8overflowPKfPh(
// CHECK-NOT: satfinite
// CHECK: ret;
__global__ void overflow(const float* a, unsigned char* b) {
  b[threadIdx.x] = __nv_cvt_float_to_fp8(a[threadIdx.x], __NV_NOSAT, __NV_E5M2);
}
