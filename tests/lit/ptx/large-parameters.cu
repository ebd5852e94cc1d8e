// More than 4352 bytes of parameters, with a part's place, need PTX 8.1. Where that place would be
// too much, there is no clone.
// RUN: %gridcc -c %s -o %t.o
// RUN: %gridspan ptx --arch 70 %t.o | FileCheck %s
// RUN: %gridspan ptx %t.o | FileCheck %s
// RUN: %gridspan explain %t.o | FileCheck %s --check-prefix=EXPLAIN
// CHECK: .version 8.1
// CHECK-NOT: .entry _Z4most4MostPi$part
struct Large { int values[2000]; };
struct Most { int values[8189]; };

// CHECK: .entry _Z5large5LargePi$part(
__global__ void large(Large p, int* out) { out[blockIdx.x] = p.values[blockIdx.x]; }
// EXPLAIN: most(
// EXPLAIN: its parameters leave no room for where a part begins
__global__ void most(Most p, int* out) { out[blockIdx.x] = p.values[blockIdx.x]; }
