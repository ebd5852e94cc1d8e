// Managed variables are the host's: code has their addresses, which the run time writes.
// RUN: %gridcc -std=c++17 -c %s -o %t.o
// RUN: %gridspan explain %t.o | FileCheck %s --check-prefix=EXPLAIN
// RUN: %gridspan ptx --arch 70 %t.o | FileCheck %s

// CHECK-DAG: .visible .global .align 8 .u64 number$managed;
// CHECK-DAG: .visible .global .align 8 .u64 _ZL6values$managed;
// CHECK-DAG: .visible .global .align 8 .u64 where;
__managed__ int number = 5;
static __managed__ float values[100];
__device__ int* where = &number;  // for the run time, too

// EXPLAIN: uses(
// EXPLAIN-NOT: not for GPUs
// CHECK: .entry _Z4usesPf(
// CHECK-DAG: ld.global.nc.u64 %[[NUMBER:rd[0-9]+]], [number$managed];
// CHECK-DAG: ld.global.nc.u64 %[[VALUES:rd[0-9]+]], [_ZL6values$managed];
// CHECK-DAG: atom.global.add.u32 {{.*}}, [%[[NUMBER]]], 1;
// CHECK-DAG: ld.global.f32 {{.*}}, [%[[VALUES]]+28];
__global__ void uses(float* a) {
  atomicAdd(&number, 1);
  *a = values[7] + *where;
}

// EXPLAIN: tables(
// EXPLAIN: not for GPUs: {{.*}}constants with addresses of managed variables are not made for GPUs yet
__global__ void tables(int* a, int i) {
  static constexpr const int* table[] = {&number, &number + 1};
  *a = *table[i];
}
