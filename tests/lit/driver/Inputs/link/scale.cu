#include "parts.h"

// shift.cu has a kernel and a variable of the same names and types.
__device__ static int amount = 3;

static __global__ void apply(int* values, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= amount;
}

int scale(int* values, int count) {
  int* device = nullptr;
  if (cudaMalloc((void**)&device, count * sizeof(int)) != cudaSuccess) return 0;
  cudaMemcpy(device, values, count * sizeof(int), cudaMemcpyHostToDevice);
  apply<<<(count + 63) / 64, 64>>>(device, count);
  bool good = cudaMemcpy(values, device, count * sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess;
  cudaFree(device);
  return good;
}

extern "C" int answer() {
  int values[2] = {14, 0};
  return scale(values, 2) ? values[0] : -1;
}
