// A program that dies in the middle: crash [SIGNAL], or whose kernel does: crash SIGNAL kernel.
#include <csignal>
#include <cstdlib>

__global__ void fill(int* out, int value) { out[blockIdx.x * blockDim.x + threadIdx.x] = value; }

int main(int argc, char** argv) {
  int* device;
  cudaMalloc(&device, 4096);
  fill<<<4, 256>>>(device, 5);
  cudaDeviceSynchronize();
  if (argc > 2) {
    fill<<<1, 1>>>(reinterpret_cast<int*>(16), 1);
    return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 9 : 1;
  }
  raise(argc > 1 ? std::atoi(argv[1]) : SIGSEGV);
}
