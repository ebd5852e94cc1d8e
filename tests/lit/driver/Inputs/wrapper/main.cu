#include <wrapped.h>
#include <cstdio>

__device__ const char text[] = WRAPPER_TEXT;

__global__ void scale(int* p) { *p = *p * wrapped_factor + static_cast<int>(sizeof text); }

int main() {
  int* p;
  cudaMallocManaged(&p, sizeof(int));
  *p = 14;
  scale<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  std::printf("%d %s\n", *p + wrapped_offset(), WRAPPER_TEXT);
}
