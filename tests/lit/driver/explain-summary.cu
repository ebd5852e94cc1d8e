// A report on several kernels begins with how many can be split, and why others cannot, the most frequent reason first.
// Functions that are passed as pointers are seen through; those that call themselves are not.
//
// RUN: %gridspan explain %s | FileCheck %s
// CHECK: {{^}}5 kernels: 2 can be split{{$}}
// CHECK-NEXT: {{^}}  run on one device{{$}}
// CHECK-NEXT: {{^}}    2  {{.*}}on count{{.*}}: compact, typed<double>{{$}}
// CHECK-NEXT: {{^}}    1  calls 'below(int)', which is recursive: recursion{{$}}
// CHECK: {{^}}{{.*}}explain-summary.cu{{$}}
// CHECK: pointer(float* out, const float* in, int n)
// CHECK-NEXT: can be split; each part's writes are known exactly
// CHECK: chain(float* out, const float* in, int n)
// CHECK-NEXT: can be split; each part's writes are known exactly
//
// A single kernel's needs none.
// RUN: %gridspan explain %s --kernel recursion | FileCheck %s --check-prefix=SINGLE --implicit-check-not="can be split"
// SINGLE: {{^}}{{.*}}explain-summary.cu{{$}}
// SINGLE-NEXT: recursion(int* out, int n)
__device__ float twice(float x) { return 2 * x; }
__device__ float apply(float (*f)(float), float x) { return f(x); }
__device__ float apply_again(float (*how)(float (*)(float), float), float (*f)(float), float x) {
  return how(f, x);
}
__global__ void pointer(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = apply(twice, in[i]);
}
__global__ void chain(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = apply_again(apply, twice, in[i]);
}
__device__ int below(int n) { return n < 2 ? n : below(n - 1) + below(n - 2); }
__global__ void recursion(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = below(i % 10);
}
__global__ void compact(const float* in, float* out, int* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 0) out[atomicAdd(count, 1)] = in[i];
}
template <class T>
__global__ void typed(const T* in, T* out, int* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 0) out[atomicAdd(count, 1)] = in[i];
}
template __global__ void typed<double>(const double*, double*, int*, int);
