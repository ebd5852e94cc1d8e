#include <cstdio>
#include <omp.h>

__global__ void set(int* p) { *p = 42; }

int main() {
  int threads = 0;
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 1000; ++i) {
    if (i == 0) threads = omp_get_num_threads();
    sum += i;
  }
  int* p;
  cudaMallocManaged(&p, sizeof(int));
  set<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  std::printf("%d host threads, sum %ld, device %d\n", threads, sum, *p);
}
