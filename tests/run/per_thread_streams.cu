// The default stream of each host thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: --default-stream per-thread -lpthread
// FEATURE: Streams and events | --default-stream per-thread: launches, copies and events without a stream use the host thread's own; cudaStreamPerThread, cudaStreamLegacy
#include <cuda.h>

#include <atomic>
#include <thread>

#include "check.h"

__device__ int total;

__global__ void append(int* log, int* count, int value) { log[(*count)++] = value; }
__global__ void wait_for(volatile int* flag) {
  while (*flag == 0) {
  }
}
__global__ void add(int value) { atomicAdd(&total, value); }

unsigned long long id_of(cudaStream_t stream) {
  unsigned long long id = 0;
  CUDA_OK(cudaStreamGetId(stream, &id));
  return id;
}

void ids() {
  const auto mine = id_of(nullptr);
  CHECK_EQ(mine, id_of(cudaStreamPerThread));
  CHECK(mine != id_of(cudaStreamLegacy));
}

/// Work in a thread's stream is in order; another thread's stream is idle all the same.
void threads() {
  int* flag = nullptr;
  CUDA_OK(cudaHostAlloc(&flag, sizeof *flag, cudaHostAllocMapped));
  *flag = 0;
  wait_for<<<1, 1>>>(flag);
  CHECK_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
  CHECK_EQ(cudaStreamQuery(cudaStreamPerThread), cudaErrorNotReady);
  CHECK_EQ(cudaStreamQuery(cudaStreamLegacy), cudaErrorNotReady);  // it waits for all
  std::thread([] {
    CUDA_OK(cudaStreamQuery(nullptr));
    CUDA_OK(cudaStreamSynchronize(nullptr));
    cudaEvent_t event;
    CUDA_OK(cudaEventCreate(&event));
    CUDA_OK(cudaEventQuery(event));
    CUDA_OK(cudaEventDestroy(event));
    CHECK_EQ(cudaStreamQuery(cudaStreamLegacy), cudaErrorNotReady);
  }).join();
  *reinterpret_cast<volatile int*>(flag) = 1;
  CUDA_OK(cudaStreamSynchronize(nullptr));
  CUDA_OK(cudaStreamQuery(nullptr));
  CUDA_OK(cudaFreeHost(flag));

  const int workers = 4, n = 33;
  std::vector<std::vector<int>> got(workers, std::vector<int>(n, -1));
  std::vector<std::thread> running;
  for (int t = 0; t < workers; ++t) {
    running.emplace_back([&got, t] {
      int* log = nullptr;
      int* count = nullptr;
      CUDA_OK(cudaMallocAsync(&log, n * sizeof(int), nullptr));
      CUDA_OK(cudaMallocAsync(&count, sizeof(int), nullptr));
      CUDA_OK(cudaMemsetAsync(count, 0, sizeof(int), nullptr));
      for (int i = 0; i < n; ++i) append<<<1, 1>>>(log, count, 1000 * t + i);
      add<<<1, 3>>>(t + 1);
      CUDA_OK(cudaMemcpyAsync(got[t].data(), log, n * sizeof(int), cudaMemcpyDeviceToHost));
      CUDA_OK(cudaStreamSynchronize(nullptr));
      CUDA_OK(cudaFreeAsync(log, nullptr));
      CUDA_OK(cudaFreeAsync(count, nullptr));
      CUDA_OK(cudaStreamSynchronize(cudaStreamPerThread));
    });
  }
  for (std::thread& thread : running) thread.join();
  for (int t = 0; t < workers; ++t) {
    std::vector<int> want(n);
    for (int i = 0; i < n; ++i) want[i] = 1000 * t + i;
    check::equal("thread " + std::to_string(t), got[t], want);
  }
  int sum = 0;
  CUDA_OK(cudaMemcpyFromSymbol(&sum, total, sizeof sum));
  CHECK_EQ(sum, 3 * (1 + 2 + 3 + 4));
}

/// The legacy stream can't be captured, a thread's own can.
void capture() {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  CUDA_OK(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeThreadLocal));
  add<<<1, 1>>>(100);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  CUDA_OK(cudaStreamIsCapturing(nullptr, &status));
  CHECK_EQ(status, cudaStreamCaptureStatusActive);
  CUDA_OK(cudaStreamEndCapture(nullptr, &graph));
  CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
  int before = 0, after = 0;
  CUDA_OK(cudaMemcpyFromSymbol(&before, total, sizeof before));
  CUDA_OK(cudaGraphLaunch(executable, nullptr));
  CUDA_OK(cudaGraphLaunch(executable, nullptr));
  CUDA_OK(cudaMemcpyFromSymbol(&after, total, sizeof after));
  CHECK_EQ(after - before, 200);
  CHECK_EQ(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeThreadLocal),
           cudaErrorStreamCaptureUnsupported);
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphDestroy(graph));
  (void)cudaGetLastError();
}

void driver_api() {
  int* flag = nullptr;
  CUDA_OK(cudaHostAlloc(&flag, sizeof *flag, cudaHostAllocMapped));
  *flag = 0;
  wait_for<<<1, 1>>>(flag);
  CHECK_EQ(cuStreamQuery(nullptr), CUDA_ERROR_NOT_READY);
  std::thread([] {
    CHECK_EQ(cuStreamQuery(nullptr), CUDA_SUCCESS);
    CHECK_EQ(cuStreamQuery(CU_STREAM_LEGACY), CUDA_ERROR_NOT_READY);
    CHECK_EQ(cuStreamQuery(CU_STREAM_PER_THREAD), CUDA_SUCCESS);
  }).join();
  *reinterpret_cast<volatile int*>(flag) = 1;
  CHECK_EQ(cuStreamSynchronize(nullptr), CUDA_SUCCESS);
  CUDA_OK(cudaFreeHost(flag));
}

__constant__ int factor;

__global__ void delay(int* out, long long rounds) {
  unsigned x = 1;
  for (long long i = 0; i < rounds; ++i) x = x * 1664525u + 1013904223u;
  *out = static_cast<int>(x);
}
__global__ void read_factor(int* out) { *out = factor; }

/// A plain copy is done when it returns, also for streams that know nothing of this thread's.
void plain_copies() {
  int *seen, *delayed;
  CUDA_OK(cudaMalloc(&seen, sizeof(int)));
  CUDA_OK(cudaMalloc(&delayed, sizeof(int)));
  cudaStream_t other;
  CUDA_OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  for (int round = 1; round < 30; ++round) {
    const int value = round * 3;
    int result = -1;
    delay<<<1, 1>>>(delayed, 20000);
    CUDA_OK(cudaMemcpyToSymbol(factor, &value, sizeof value));
    read_factor<<<1, 1, 0, other>>>(seen);
    CUDA_OK(cudaMemcpyAsync(&result, seen, sizeof result, cudaMemcpyDeviceToHost, other));
    CUDA_OK(cudaStreamSynchronize(other));
    CHECK_EQ(result, value);
  }
  CUDA_OK(cudaStreamDestroy(other));
  CUDA_OK(cudaFree(seen));
  CUDA_OK(cudaFree(delayed));
}

int main() {
  ids();
  std::thread(ids).join();
  threads();
  capture();
  driver_api();
  plain_copies();
  return check::finish();
}
