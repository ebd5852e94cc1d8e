// RUN: %gridcc -g -O1 -c %s -o %t.o && llvm-dwarfdump --verify %t.o | FileCheck %s
// RUN: %gridcc -g -c %s -o %t.o && llvm-dwarfdump --verify %t.o | FileCheck %s
// Kernels that run as one function per block or warp, with debug information: their segments are
// inlined, with variables of the kernel, of a loop and of an inlined function.
// CHECK: No errors

__device__ float warp_sum(float value) {
  for (int d = 16; d > 0; d >>= 1) value += __shfl_down_sync(0xffffffff, value, d);
  return value;
}

__global__ void tree(const int* in, int* out) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    int other = t + half;
    if (t < half) s[t] += s[other];
    __syncthreads();
  }
  if (t == 0) *out = s[0];
}

__global__ void rows(const float* in, float* out, int n) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= n) return;
  float mine = in[row * 32 + lane], sum = warp_sum(mine);
  if (lane == 0) out[row] = sum;
}

int main() {}
