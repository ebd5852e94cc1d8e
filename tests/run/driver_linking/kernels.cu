// Kernels: of a module that needs another file's code, or with WHOLE of one that stands alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifdef WHOLE
extern "C" __global__ void WHOLE(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i - int(sizeof "WHOLE") * 10;
}
#else
extern __device__ int calls;
__device__ int twice(int x);
__global__ void child(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = twice(i) + calls;
}
extern "C" __global__ void through_a_child(int* out, int n) {
  if (blockIdx.x == 0 && threadIdx.x == 0) child<<<(n + 31) / 32, 32>>>(out, n);
}
#endif
