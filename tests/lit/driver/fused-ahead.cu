// Kernels made of several that the object carries: of which launches, and when it carries none.
// RUN: rm -rf %t && mkdir %t && cp %s %t/a.cu && cd %t
// RUN: %gridcc -w -O2 -c a.cu -o a.o && %gridspan explain a.o | FileCheck %s
// RUN: %gridcc -w -O2 --no-ptx -c a.cu -o cpu.o && %gridspan explain cpu.o | FileCheck %s
// RUN: %gridspan explain a.o --json | FileCheck %s --check-prefix=JSON
// RUN: grep -ao '_Z[[:print:]]*dead=[0-9]*' a.o | FileCheck %s --check-prefix=LAUNCHES
// RUN: %gridcc -w -O2 -march=x86-64-v3 --no-ptx -c a.cu -o v3.o && %gridspan explain v3.o | FileCheck %s
// RUN: %gridcc -w -G --no-ptx -c a.cu -o none.o && %gridspan explain none.o | FileCheck %s --check-prefix=NONE
// RUN: %gridcc -w -O2 --no-ptx -use_fast_math -c a.cu -o none.o && %gridspan explain none.o | FileCheck %s --check-prefix=NONE
// RUN: %gridcc -w -O2 --no-ptx -march=x86-64 -c a.cu -o none.o && %gridspan explain none.o | FileCheck %s --check-prefix=NONE
// RUN: %gridcc -w -O2 --no-ptx --without=fusion -c a.cu -o none.o && not grep -q "threads=yz" none.o
// RUN: %gridcc -w -O2 --no-ptx -rdc=true -Xcompiler -fPIC -c a.cu -o part.o && not grep -q "threads=yz" part.o
// RUN: %gridcc -w --no-ptx -rdc=true -shared part.o -o linked.so && %gridspan explain linked.so | FileCheck %s
// NONE: launches in pair(
// NONE-NOT: carries
#define I (blockIdx.x * blockDim.x + threadIdx.x)
__global__ void scale(float* y, const float* x, float a, int n) {
  if (I < n) y[I] = a * x[I];
}
__global__ void add(float* z, const float* x, const float* y, int n) {
  if (I < n) z[I] = x[I] + y[I];
}
__global__ void smooth(float* y, const float* x, int n) {
  if (I > 0 && I < n - 1) y[I] = x[I - 1] + x[I + 1];
}
__global__ void tiled(float* y, const float* x, int n) {
  __shared__ float tile[64];
  tile[threadIdx.x] = I < n ? x[I] : 0;
  __syncthreads();
  if (I < n) y[I] = tile[threadIdx.x] + x[I];
}
// One kernel, once for all that is written and once if t need not be.
void pair(float* t, const float* x, float* z, int n) {
  for (int i = 0; i < 10; ++i) {
    scale<<<(n + 63) / 64, 64>>>(t, x, 2, n);
    add<<<(n + 63) / 64, 64>>>(z, x, t, n);
  }
}
// Sizes are not known to be equal.
void other_sizes(float* t, const float* x, float* z, int n, int m) {
  scale<<<(n + 63) / 64, 64>>>(t, x, 2, n);
  add<<<(n + 63) / 64, 64>>>(z, z, t, m);
}
void other_shapes(float* t, const float* x, float* z, int n) {
  add<<<(n + 63) / 64, 64>>>(t, x, x, n);
  add<<<(n + 31) / 32, 32>>>(z, x, t, n);
}
void neighbours(float* t, const float* x, float* z, int n) {
  add<<<(n + 63) / 64, 64>>>(t, x, x, n);
  smooth<<<(n + 63) / 64, 64>>>(z, t, n);
}
void shared(float* t, const float* x, float* z, int n) {
  scale<<<(n + 63) / 64, 64>>>(t, x, 2, n);
  tiled<<<(n + 63) / 64, 64>>>(z, t, n);
}
void nothing_in_common(float* t, const float* x, float* z, const float* y, int n) {
  scale<<<(n + 63) / 64, 64>>>(t, x, 2, n);
  scale<<<(n + 63) / 64, 64>>>(z, y, 2, n);
}
// CHECK: launches in pair(
// CHECK: as one kernel: 20*n -> 12*n bytes
// CHECK-NEXT: the program carries this kernel, and uses it where it is faster
// CHECK-NOT: carries
// JSON: "carried": true
// JSON-NOT: "carried": true
// LAUNCHES-DAG: _Z5scalePfPKffi(0,1,2,3)+_Z3addPfPKfS1_i(4,1,0,3)/blocks=yz/threads=yz/dead={{$}}
// LAUNCHES-DAG: _Z5scalePfPKffi(0,1,2,3)+_Z3addPfPKfS1_i(4,1,0,3)/blocks=yz/threads=yz/dead=0{{$}}
