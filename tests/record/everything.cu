// Commands of each kind, on memory of each kind; what the host reads is checked.
#include <cstdio>
#include <cstdlib>
#include <cstring>

__device__ int offset = 3;
__constant__ int scale[2];

__global__ void apply(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * scale[1] + offset;
}

/// Goes through a pointer that lies in memory: only right if addresses are as they were.
__global__ void follow(int* const* table, int* out) { out[threadIdx.x] = *table[threadIdx.x]; }

#define OK(call)                                             \
  if (cudaError_t error = (call)) {                          \
    std::printf("%s: %s\n", #call, cudaGetErrorName(error)); \
    return 1;                                                \
  }

int main() {
  const int n = 1000;
  int *in, *out, *managed, *pinned, *result;
  int** table;
  cudaStream_t stream;
  cudaEvent_t event;
  OK(cudaStreamCreate(&stream));
  OK(cudaEventCreate(&event));
  OK(cudaMalloc(&in, n * sizeof(int)));
  OK(cudaMalloc(&out, n * sizeof(int)));
  OK(cudaMalloc(&result, 32 * sizeof(int)));
  OK(cudaMalloc(&table, 32 * sizeof(int*)));
  OK(cudaMallocManaged(&managed, n * sizeof(int)));
  OK(cudaMallocHost(&pinned, n * sizeof(int)));
  const int factors[2] = {1, 7};
  OK(cudaMemcpyToSymbol(scale, factors, sizeof factors));
  for (int i = 0; i < n; ++i) pinned[i] = i;
  OK(cudaMemcpyAsync(in, pinned, n * sizeof(int), cudaMemcpyHostToDevice, stream));
  OK(cudaMemsetAsync(out, 0, n * sizeof(int), stream));
  apply<<<4, 256, 0, stream>>>(in, out, n);
  OK(cudaEventRecord(event, stream));
  OK(cudaEventSynchronize(event));
  int host[n];
  OK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    if (host[i] != 7 * i + 3) return 2;
  }
  for (int i = 0; i < n; ++i) managed[i] = 2 * i;  // without a word to CUDA
  const int six = 6;
  OK(cudaMemcpyToSymbol(offset, &six, sizeof six));
  apply<<<4, 256>>>(managed, out, n);
  OK(cudaMemcpy2D(host, 40, out, 80, 40, 50, cudaMemcpyDeviceToHost));
  if (host[10] != 7 * 2 * 20 + 6) return 3;
  int* pointers[32];
  for (int i = 0; i < 32; ++i) pointers[i] = out + 31 * i;
  OK(cudaMemcpy(table, pointers, sizeof pointers, cudaMemcpyHostToDevice));
  follow<<<1, 32>>>(table, result);
  OK(cudaMemcpy(host, result, 32 * sizeof(int), cudaMemcpyDeviceToHost));
  if (host[31] != 7 * 2 * 31 * 31 + 6) return 4;
  OK(cudaFree(in));
  OK(cudaMalloc(&in, n * sizeof(int)));  // most likely where it was
  OK(cudaMemcpy(in, out, n * sizeof(int), cudaMemcpyDeviceToDevice));
  OK(cudaMemcpy(host, in, sizeof host, cudaMemcpyDeviceToHost));
  OK(cudaDeviceReset());
  int again = 0;
  OK(cudaMemcpyFromSymbol(&again, offset, sizeof again));
  return again == 3 ? 0 : 5;
}
