// Textures and surfaces are read through their descriptors, as on CPUs.
// RUN: %gridcc -std=c++17 -c %s -o %t.o
// RUN: %gridspan explain %t.o | FileCheck %s --check-prefix=EXPLAIN
// RUN: %gridspan ptx --arch 70 %t.o | FileCheck %s
// EXPLAIN-NOT: not for GPUs

// A reference is a variable with a handle.
// CHECK: .visible .global .align 8 .u64 plane;
texture<float, 2> plane;

// CHECK-LABEL: .entry _Z7fetchesPfy(
// CHECK: ld.u32 %[[WIDTH:r[0-9]+]], [{{%rd[0-9]+}}+24];
// CHECK: setp.le.u32 {{.*}}, %[[WIDTH]],
__global__ void fetches(float* a, cudaTextureObject_t t) { *a = tex1Dfetch<float>(t, threadIdx.x); }

// CHECK-LABEL: .entry _Z7samplesPfy(
// CHECK: __gridspan_texture_2d,
__global__ void samples(float* a, cudaTextureObject_t t) { *a = tex2D<float>(t, 0.5f, a[1]); }

// CHECK-LABEL: .entry _Z8surfacesPfy(
// CHECK: trap;
__global__ void surfaces(float* a, cudaSurfaceObject_t s) {
  surf2Dread(a, s, threadIdx.x * 4, 3);
}

// CHECK-LABEL: .entry _Z10referencesPf(
// CHECK: ld.global.u64 {{.*}}, [plane];
__global__ void references(float* a) { *a = tex2D(plane, a[1], a[2]); }

// By value it is the handle, too.
// CHECK-LABEL: .entry _Z8by_valuePf(
// CHECK: ld.global.u64 {{.*}}, [plane];
// CHECK-NOT: mov.u64 {{.*}}, plane;
template <class T> __device__ float sample(T reference, float x) { return tex2D(reference, x, x); }
__global__ void by_value(float* a) { *a = sample(plane, a[1]); }
