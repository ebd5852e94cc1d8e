// What `gridspan explain` says of how launches follow one another: text, JSON, page; and of which objects.
// RUN: rm -rf %t && mkdir %t && cp %s %t/a.cu && cd %t
// RUN: %gridcc -w -O1 --no-ptx -c a.cu -o a.o && %gridspan explain a.o --html a.html | FileCheck %s
// RUN: FileCheck %s --check-prefix=PAGE --input-file=a.html
// RUN: %gridspan explain a.o --json | FileCheck %s --check-prefix=JSON
// RUN: %gridspan explain a.o --kernel sum | FileCheck %s --check-prefix=SOME
// RUN: %gridcc -w -O1 --no-ptx -c a.cu -o off.o --without=fusion && %gridspan explain off.o | FileCheck %s --check-prefix=OFF
// RUN: %gridcc -w -O1 --no-ptx -DNO_LAUNCH -c a.cu -o none.o && %gridspan explain none.o | FileCheck %s --check-prefix=OFF
// RUN: grep -q gridspan-sequences a.o && not grep -q gridspan-sequences none.o
// RUN: %gridcc -w -O1 --no-ptx -Xcompiler -fPIC -rdc=true -DFIRST -c a.cu -o first.o && %gridcc -w -O1 --no-ptx -Xcompiler -fPIC -rdc=true -DSECOND -c a.cu -o second.o
// RUN: %gridcc --no-ptx -rdc=true -shared first.o second.o -o linked.so
// RUN: %gridspan explain linked.so | FileCheck %s --check-prefix=LINKED
// OFF-NOT: launches in
#include <utility>
#ifdef SECOND
namespace far { __global__ void scale(float* out, const float* in, float by, int n); }
extern "C" __global__ void sum(float* out, const float* a, const float* b, int n);
#else
namespace far {
__global__ void scale(float* out, const float* in, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * by;
}
}
extern "C" __global__ void sum(float* out, const float* a, const float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}
#endif
using far::scale;
#ifdef FIRST
void first(float* a, int n) {
  scale<<<n, 64>>>(a, a, 1, n);
  scale<<<n, 64>>>(a, a, 2, n);
}
#elif defined(SECOND)
void second(float* a, int n) {
  for (int i = 0; i < n; ++i) {
    scale<<<n, 64>>>(a, a, 1, n);
    sum<<<n, 64>>>(a, a, a, n);
  }
}
#elif !defined(NO_LAUNCH)
void unknown();
void steps(float* a, float* b, float* c, int n, cudaStream_t other) {
  cudaMemset(c, 0, n);
  for (int i = 0; i < n; ++i) {
    scale<<<n / 64, 64>>>(b, a, 2, n);
    sum<<<n / 64, 64>>>(c, a, b, n);
    if (i % 8 == 7) cudaDeviceSynchronize();
    std::swap(a, b);
  }
  scale<<<n, 32, 0, other>>>(b, c, 3, n);
  unknown();
}
void alone(float* a, int n) { scale<<<n, 32>>>(a, a, 3, n); }
#endif
// A function with one launch only has no neighbours to tell of.
// CHECK-NOT: launches in alone
// CHECK: {{^}}  launches in steps(float*, float*, float*, int, CUstream_st*) at a.cu:45{{$}}
// CHECK-NEXT: {{^}}    1. a fill  at a.cu:46{{$}}
// CHECK-NEXT: {{^}}    loop at a.cu:47{{$}}
// CHECK-NEXT: {{^}}      2. far::scale(float* out, const float* in, float by, int n)  at a.cu:48{{$}}
// CHECK-NEXT: {{^}}      3. sum(ptr out, ptr a, ptr b, i32 n)  at a.cu:49{{$}}
// CHECK-NEXT: {{^}}    4. far::scale(float* out, const float* in, float by, int n)  at a.cu:53{{$}}
// CHECK-EMPTY:
// CHECK-NEXT: {{^}}    1, then 2 sometimes: nothing keeps them apart{{$}}
// CHECK-NEXT: {{^}}        copies and fills inside the device join chains when the program runs{{$}}
// CHECK-NEXT: {{^}}    1, then 4 sometimes: kept apart: their streams may differ{{$}}
// CHECK-NEXT: {{^}}        to is the second's in{{$}}
// CHECK-NEXT: {{^}}        hint: launch them on one stream{{$}}
// CHECK-NEXT: {{^}}    2, then 3: could be one kernel{{$}}
// CHECK-NEXT: {{^}}        the same grid and block; the same n; out is the second's b and in is the second's a{{$}}
// CHECK-NEXT: {{^}}        as one kernel: 20*n -> 12*n bytes
// CHECK-NEXT: {{^}}        the program carries this kernel, and uses it where it is faster{{$}}
// CHECK-NEXT: {{^}}    3, then 2 in the next turn: sometimes kept apart: cudaDeviceSynchronize waits at a.cu:50{{$}}
// CHECK-NEXT: {{^}}        the same grid and block; the same n; a is the second's out and b is the second's in{{$}}
// CHECK-NEXT: {{^}}        hint: leave the wait out if the host needs no result there{{$}}
// CHECK-NEXT: {{^}}    3, then 4 sometimes: kept apart: cudaDeviceSynchronize waits at a.cu:50 and their streams may differ{{$}}
// CHECK-NEXT: {{^}}        grids and blocks may differ; the same n;

// PAGE: <h2>Launches in steps(float*, float*, float*, int, CUstream_st*) at a.cu:45</h2>
// PAGE: <tr><td>2</td><td style="padding-left:3em"><code>far::scale(float* out, const float* in, float by, int n)</code></td><td class="soft">a.cu:48</td></tr>
// PAGE: <tr><td>2, then 3</td><td class="yes">could be one kernel<br>
// PAGE: <tr><td>3, then 2 in the next turn</td><td class="yes">sometimes kept apart: cudaDeviceSynchronize waits at a.cu:50<br>

// JSON: "sequences": [
// JSON: "function": "_Z5stepsPfS_S_iP11CUstream_st"
// JSON-NEXT: "where": "a.cu:45:0"
// JSON: "kind": "fill"
// JSON: "kernel": "_ZN3far5scaleEPfPKffi"
// JSON: "neighbours": [
// JSON: "turn": 0

// SOME: launches in steps
// SOME-NOT: launches in alone

// LINKED: launches in first(float*, int) at a.cu:32
// LINKED: 1, then 2: could be one kernel
// LINKED: launches in second(float*, int) at a.cu:37
// LINKED: 1. far::scale(float* out, const float* in, float by, int n)
// LINKED: 2. sum(
// LINKED: 1, then 2: nothing keeps them apart
