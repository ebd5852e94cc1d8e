#include "parts.h"

__device__ static int amount = 2;

static __global__ void apply(int* values, int count) {
  if (int(threadIdx.x) < count) values[threadIdx.x] += amount;
}

int shift(int value) {
  int* device = nullptr;
  if (cudaMalloc((void**)&device, sizeof(int)) != cudaSuccess) return -1;
  cudaMemcpy(device, &value, sizeof(int), cudaMemcpyHostToDevice);
  apply<<<1, 32>>>(device, 1);
  cudaMemcpy(&value, device, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(device);
  return value;
}
