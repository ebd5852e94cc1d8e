// Objects in shared memory, over dynamic memory and with constructors that do not run.
// RUN: %gridcc -std=c++17 -O2 -c %s -o %t.o
// RUN: %gridspan ptx --arch 70 %t.o | FileCheck %s
#include <complex>

struct Work {
  int count;
  double data[64];
};
extern __shared__ Work work;
struct Busy {
  int value;
  __device__ Busy() { __trap(); }
};

// CHECK-NOT: trap
// CHECK-DAG: .extern .shared .align 8 .b8 work[];
// CHECK-DAG: .shared .align 4 .b8 {{.*}}number[8];
// CHECK-NOT: trap
// CHECK: .entry over_dynamic
// CHECK-NOT: trap
extern "C" __global__ void over_dynamic(double* out) {
  __shared__ std::complex<float> number;
  __shared__ Busy busy;
  if (threadIdx.x == 0) {
    number = {1, 2};
    busy.value = 3;
    work.count = 4;
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = work.data[threadIdx.x] + number.real() + busy.value + work.count;
}
