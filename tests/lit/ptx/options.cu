// What the command line says reaches the PTX, as with clang's and nvcc's CUDA pipelines.
// RUN: %gridcc -c %s -o %t.o
// RUN: %gridspan ptx %t.o | FileCheck %s --check-prefix=NEWEST
// RUN: %gridspan ptx --arch 70 %t.o | FileCheck %s --check-prefix=OLDEST
// RUN: not %gridspan ptx --arch 60 %t.o 2>&1 | FileCheck %s --check-prefix=NONE
// NEWEST: .target sm_90
// OLDEST: .target sm_70
// NONE: no PTX for sm_60 is in this file

// a * b + c is one operation, unless -fmad=false; the library keeps its own roundings.
// RUN: %gridspan ptx %t.o sums | FileCheck %s --check-prefix=SUMS
// RUN: %gridspan ptx %s sums -- -fmad=false | FileCheck %s --check-prefix=APART
// SUMS: .visible .entry _Z4sums
// SUMS: .minnctapersm 3
// SUMS: fma.rn.f32
// SUMS: rcp.rn.f32
// SUMS: .visible .entry _Z4sums{{.*}}$part
// APART-NOT: fma.rn.f32
// APART: mul.rn.f32
__global__ void __launch_bounds__(64, 3) sums(float* a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float product = a[i] * a[i + 1];
  a[i] = product + a[i + 2];
  a[i + 3] = 1.0f / a[i];
}

// RUN: %gridspan ptx %s angles -- -use_fast_math | FileCheck %s --check-prefix=FAST
// FAST: .visible .entry _Z6angles
// FAST-DAG: sin.approx.ftz.f32
// FAST-DAG: sqrt.approx.ftz.f32
// FAST-DAG: div.approx.ftz.f32
// RUN: %gridspan ptx %t.o angles | FileCheck %s --check-prefix=EXACT
// EXACT-NOT: .approx
// EXACT-DAG: sqrt.rn.f32
// EXACT-DAG: div.rn.f32
__global__ void angles(float* a) {
  int i = threadIdx.x;
  a[i] = sinf(a[i]) + sqrtf(a[i + 1]) / a[i + 2];
}

// RUN: %gridspan ptx %s angles -- -maxrregcount=40 | FileCheck %s --check-prefix=FEW
// FEW: .maxnreg 40

// A file of NVIDIA's is a file like others here.
// RUN: not %gridcc --no-ptx -c %s -o %t.none.o --libdevice || true
// RUN: %gridcc --no-ptx -c %s -o %t.none.o && not %gridspan ptx %t.none.o 2>&1 | FileCheck %s --check-prefix=OFF
// OFF: no PTX is in this file

// A later language level needs later GPUs.
// RUN: %gridcc -arch=sm_80 -c %s -o %t.late.o && not %gridspan ptx --arch 75 %t.late.o
// RUN: %gridspan ptx --arch 80 %t.late.o | FileCheck %s --check-prefix=LATE
// LATE: .target sm_80

// Device code linked from several objects.
// RUN: %gridcc -rdc=true -dc %s -o %t.rdc.o && %gridcc -rdc=true -dlink %t.rdc.o -o %t.linked.o
// RUN: %gridspan ptx %t.linked.o sums | FileCheck %s --check-prefix=SUMS
