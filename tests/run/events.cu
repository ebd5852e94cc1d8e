// Events and their times.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Streams and events | events: record, query, synchronise, elapsed time that matches the clock
#include "check.h"

#include <chrono>
#include <thread>

__global__ void work(float* out) {
  float x = check::global_index();
  for (int i = 0; i < 1000; ++i) x = x * 0.5f + 1;
  out[check::global_index()] = x;
}

void CUDART_CB sleep_30_ms(void*) { std::this_thread::sleep_for(std::chrono::milliseconds(30)); }

int main() {
  check::Array<float> out(257);
  cudaEvent_t begin, end, never;
  CUDA_OK(cudaEventCreate(&begin));
  CUDA_OK(cudaEventCreate(&end));
  CUDA_OK(cudaEventCreateWithFlags(&never, cudaEventBlockingSync));
  const auto start = std::chrono::steady_clock::now();
  CUDA_OK(cudaEventRecord(begin, 0));
  work<<<1, 257>>>(out.data());
  CUDA_OK(cudaLaunchHostFunc(0, sleep_30_ms, nullptr));
  work<<<1, 257>>>(out.data());
  CUDA_OK(cudaEventRecord(end));
  CUDA_OK(cudaEventSynchronize(end));
  const double wall =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  CUDA_OK(cudaEventQuery(begin));
  CUDA_OK(cudaEventQuery(end));
  float milliseconds = -1;
  CUDA_OK(cudaEventElapsedTime(&milliseconds, begin, end));
  CHECK(milliseconds >= 29.0f);
  CHECK(milliseconds <= wall + 1);
  CUDA_OK(cudaEventElapsedTime(&milliseconds, begin, begin));
  CHECK_EQ(milliseconds, 0.0f);
  // Recorded again: the new time counts.
  CUDA_OK(cudaEventRecord(begin, 0));
  work<<<1, 257>>>(out.data());
  CUDA_OK(cudaEventRecord(end, 0));
  CUDA_OK(cudaDeviceSynchronize());
  CUDA_OK(cudaEventElapsedTime(&milliseconds, begin, end));
  CHECK(milliseconds >= 0.0f && milliseconds < 20000.0f);
  // Never recorded: complete for a query, an error for a time.
  CUDA_OK(cudaEventQuery(never));
  CUDA_OK(cudaEventSynchronize(never));
  CHECK(cudaEventElapsedTime(&milliseconds, begin, never) == cudaErrorInvalidResourceHandle);
  cudaGetLastError();
  CUDA_OK(cudaEventDestroy(begin));
  CUDA_OK(cudaEventDestroy(end));
  CUDA_OK(cudaEventDestroy(never));
  return check::finish();
}
