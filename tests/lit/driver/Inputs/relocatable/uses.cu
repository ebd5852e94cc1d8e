#include <cstdio>

__device__ int twice(int x);
extern __device__ int offset;
static __global__ void kernel(int* out) { *out = twice(20) + offset; }
int host_of_library();

int main() {
  int *out, value = -1;
  cudaMalloc(&out, sizeof *out);
  kernel<<<1, 1>>>(out);
  cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost);
#ifdef WITH_LIBRARY
  std::printf("library %d\n", host_of_library());
#endif
  std::printf("value %d\n", value);
}
