// A kernel that can only print the right sum if it ran.
#include <cstdio>

__global__ void fill(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 3 * i + 1;
}

int main() {
  constexpr int n = 1003;
  int* device = nullptr;
  static int host[n];
  for (int& h : host) h = -1;
  if (cudaMalloc(&device, n * sizeof(int)) != cudaSuccess) return 2;
  cudaMemset(device, 0x5a, n * sizeof(int));
  fill<<<(n + 127) / 128, 128>>>(device, n);
  if (cudaMemcpy(host, device, n * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) return 3;
  for (int i = 0; i < n; ++i)
    if (host[i] != 3 * i + 1) return std::printf("element %d is %d\n", i, host[i]), 1;
  cudaFree(device);
  std::printf("hello from %d threads\n", n);
}
