// Vtables name functions that nobody defines, and a text with such names could not be loaded.
// RUN: %gridcc -std=c++17 -c %s -o %t.o
// RUN: %gridspan ptx %t.o | FileCheck %s
// CHECK-NOT: .extern .func
// CHECK: .u64 _ZTV8Abstract[{{.*}}__cxa_pure_virtual
// CHECK: .func __cxa_pure_virtual()
// CHECK: trap;
struct Abstract {
  __device__ __noinline__ Abstract(Abstract** place) { *place = this; }
  __device__ virtual int value() = 0;
};
struct Concrete : Abstract {
  using Abstract::Abstract;
  __device__ int value() override { return 3; }
};

__global__ void call(Abstract** place, int* a) {
  Concrete made(place);
  *a = (*place)->value();
}
