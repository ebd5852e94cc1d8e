#include <cstdio>
#include "device-launch.cuh"

#ifdef TABLE
__device__ void (*table[1])(int*, int) = {fill};
#endif

__global__ void parent(int* out) {
  fill_from_header(out, 40);
#ifdef WRONG
  fill<<<1, 1>>>("text");
#endif
#ifdef POINTER
  void (*kernel)(int*, int) = fill;
  kernel<<<1, 1>>>(out, 1);
#endif
#ifdef TABLE
  table[0]<<<1, 1>>>(out, 1);
#endif
}

int main() {
  int *out, values[4] = {};
  cudaMalloc(&out, sizeof values);
  parent<<<1, 1>>>(out);
  cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost);
  printf("%d %d %d %d\n", values[0], values[1], values[2], values[3]);
}
