// A kernel that waits for the host.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Streams and events | launches and copies are asynchronous: the host goes on while a kernel waits for it
#include "check.h"

__global__ void wait_for_host(volatile int* flag, int* out) {
  while (*flag == 0) {
  }
  *out = 5;
}

void asynchronous() {
  int *flag = nullptr, *out = nullptr;
  CUDA_OK(cudaHostAlloc(reinterpret_cast<void**>(&flag), sizeof(int), cudaHostAllocMapped));
  CUDA_OK(cudaHostAlloc(reinterpret_cast<void**>(&out), sizeof(int), cudaHostAllocMapped));
  *flag = *out = 0;
  cudaStream_t stream;
  cudaEvent_t event;
  CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CUDA_OK(cudaEventCreate(&event));
  wait_for_host<<<1, 1, 0, stream>>>(flag, out);
  CUDA_OK(cudaGetLastError());
  CUDA_OK(cudaEventRecord(event, stream));
  CHECK(cudaStreamQuery(stream) == cudaErrorNotReady);
  CHECK(cudaEventQuery(event) == cudaErrorNotReady);
  CUDA_OK(cudaPeekAtLastError());  // an answer, and no error to be remembered
  CHECK_EQ(*static_cast<volatile int*>(out), 0);
  *static_cast<volatile int*>(flag) = 1;  // only now can the kernel end
  CUDA_OK(cudaStreamSynchronize(stream));
  CHECK_EQ(*out, 5);
  CHECK(cudaEventQuery(event) == cudaSuccess);
  CUDA_OK(cudaEventDestroy(event));
  CUDA_OK(cudaStreamDestroy(stream));
  CUDA_OK(cudaFreeHost(flag));
  CUDA_OK(cudaFreeHost(out));
}

/// What a copy brought must be there for the new stream, which must not wait for more than that.
void stream_made_meanwhile() {
  int *flag = nullptr, *out = nullptr, *copied = nullptr;
  CUDA_OK(cudaHostAlloc(reinterpret_cast<void**>(&flag), sizeof(int), cudaHostAllocMapped));
  CUDA_OK(cudaHostAlloc(reinterpret_cast<void**>(&out), sizeof(int), cudaHostAllocMapped));
  CUDA_OK(cudaMalloc(reinterpret_cast<void**>(&copied), sizeof(int)));
  *flag = *out = 0;
  CUDA_OK(cudaDeviceSynchronize());
  const int source = 7;
  CUDA_OK(cudaMemcpy(copied, &source, sizeof(int), cudaMemcpyHostToDevice));
  wait_for_host<<<1, 1>>>(flag, out);
  CUDA_OK(cudaGetLastError());
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK_EQ(*static_cast<volatile int*>(out), 0);
  *static_cast<volatile int*>(flag) = 1;
  CUDA_OK(cudaDeviceSynchronize());
  CHECK_EQ(*out, 5);
  CUDA_OK(cudaStreamDestroy(stream));
  CUDA_OK(cudaFree(copied));
  CUDA_OK(cudaFreeHost(flag));
  CUDA_OK(cudaFreeHost(out));
}

__global__ void set(int* out, int value) { *out = value; }

/// What it launches is not known before it has run.
__global__ void wait_and_launch(volatile int* flag, int* out) {
  while (*flag == 0) {
  }
  set<<<1, 1>>>(out, 6);
}

void launching_kernel() {
  int *flag = nullptr, *out = nullptr;
  CUDA_OK(cudaHostAlloc(reinterpret_cast<void**>(&flag), sizeof(int), cudaHostAllocMapped));
  CUDA_OK(cudaHostAlloc(reinterpret_cast<void**>(&out), sizeof(int), cudaHostAllocMapped));
  cudaEvent_t event;
  CUDA_OK(cudaEventCreate(&event));
  for (int round = 0; round < 3; ++round) {
    *flag = *out = 0;
    CUDA_OK(cudaDeviceSynchronize());
    wait_and_launch<<<1, 1>>>(flag, out);
    CUDA_OK(cudaGetLastError());
    set<<<1, 1>>>(out, 7);
    wait_and_launch<<<1, 1>>>(flag, out);
    CUDA_OK(cudaEventRecord(event));
    CHECK(cudaEventQuery(event) == cudaErrorNotReady);
    CHECK_EQ(*static_cast<volatile int*>(out), 0);
    *static_cast<volatile int*>(flag) = 1;
    CUDA_OK(cudaEventSynchronize(event));
    CHECK_EQ(*out, 6);
  }
  CUDA_OK(cudaEventDestroy(event));
  CUDA_OK(cudaFreeHost(flag));
  CUDA_OK(cudaFreeHost(out));
}

int main() {
  launching_kernel();
  stream_made_meanwhile();
  asynchronous();
  return check::finish();
}
