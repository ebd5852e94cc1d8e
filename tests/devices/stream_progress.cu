// Kernels that run until another stream, or the host, tells them to end: on one GPU nothing that
// CUDA does not order may wait for them. Elsewhere streams are in one order, and nothing is tried.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

#include <cooperative_groups.h>

#include <atomic>
#include <thread>

using namespace devices;

__global__ void until(volatile int* flag, int* result, int value) {
  while (*flag == 0) {
  }
  *result = value;
}
__global__ void put(int* result, int value) { *result = value; }

/// As programs have it that decide at run time whether blocks wait for each other.
__global__ void maybe_together(int* counts, int n, bool waits) {
  const int i = global_x();
  if (i < n) counts[i] += 1;
  if (waits) cooperative_groups::this_grid().sync();
  if (i < n) counts[i] += 2;
}

struct Setting {
  Setting() {
    for (cudaStream_t& stream : blocking) CUDA_OK(cudaStreamCreate(&stream));
    for (cudaStream_t& stream : free)
      CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CUDA_OK(cudaMallocHost(&host_flag, sizeof(int)));
    CUDA_OK(cudaMalloc(&flag, sizeof(int)));
    CUDA_OK(cudaMalloc(&results, 2 * sizeof(int)));
    CUDA_OK(cudaMemset(flag, 0, sizeof(int)));
    CUDA_OK(cudaMemset(results, 0, 2 * sizeof(int)));
    CUDA_OK(cudaDeviceSynchronize());
    *host_flag = 0;
  }
  ~Setting() {
    CUDA_OK(cudaDeviceSynchronize());
    for (cudaStream_t stream : blocking) CUDA_OK(cudaStreamDestroy(stream));
    for (cudaStream_t stream : free) CUDA_OK(cudaStreamDestroy(stream));
    CUDA_OK(cudaFree(flag));
    CUDA_OK(cudaFree(results));
    CUDA_OK(cudaFreeHost(host_flag));
  }
  void expect(int first, int second) {
    CUDA_OK(cudaDeviceSynchronize());
    int got[2];
    CUDA_OK(cudaMemcpy(got, results, sizeof got, cudaMemcpyDeviceToHost));
    CHECK_EQ(got[0], first);
    CHECK_EQ(got[1], second);
  }
  cudaStream_t blocking[2], free[2];
  int *host_flag, *flag, *results;
};

const int one = 1;

void the_default_stream_ends_a_free_one() {
  Setting s;
  until<<<1, 1, 0, s.free[0]>>>(s.flag, s.results, 11);
  put<<<1, 1>>>(s.results + 1, 12);
  CUDA_OK(cudaStreamSynchronize(nullptr));
  CHECK_EQ(cudaStreamQuery(nullptr), cudaSuccess);
  CHECK_EQ(cudaStreamQuery(s.free[0]), cudaErrorNotReady);
  CUDA_OK(cudaMemcpy(s.flag, &one, sizeof one, cudaMemcpyHostToDevice));
  s.expect(11, 12);
}

void a_free_stream_ends_the_default_one() {
  Setting s;
  until<<<1, 1>>>(s.flag, s.results, 21);
  put<<<1, 1, 0, s.free[0]>>>(s.results + 1, 22);
  CUDA_OK(cudaMemcpyAsync(s.flag, &one, sizeof one, cudaMemcpyHostToDevice, s.free[0]));
  s.expect(21, 22);
}

void a_host_function_ends_another_stream() {
  Setting s;
  until<<<1, 1, 0, s.blocking[0]>>>(s.host_flag, s.results, 31);
  put<<<1, 1, 0, s.blocking[1]>>>(s.results + 1, 32);
  CUDA_OK(cudaLaunchHostFunc(
      s.blocking[1], [](void* flag) { *static_cast<volatile int*>(flag) = 1; }, s.host_flag));
  s.expect(31, 32);
}

void callbacks_hold_no_other_stream() {
  Setting s;
  std::atomic<bool> may_go{false};
  CUDA_OK(cudaStreamAddCallback(
      s.free[0],
      [](cudaStream_t, cudaError_t, void* data) {
        while (!static_cast<std::atomic<bool>*>(data)->load()) std::this_thread::yield();
      },
      &may_go, 0));
  put<<<1, 1, 0, s.free[0]>>>(s.results, 41);
  put<<<1, 1, 0, s.free[1]>>>(s.results + 1, 42);
  CUDA_OK(cudaStreamSynchronize(s.free[1]));
  CHECK_EQ(cudaStreamQuery(s.free[0]), cudaErrorNotReady);
  may_go = true;
  s.expect(41, 42);
}

void memory_of_a_stream_waits_for_nothing_else() {
  Setting s;
  until<<<1, 1, 0, s.free[0]>>>(s.flag, s.results, 51);
  for (int turn = 0; turn < 20; ++turn) {
    int* own = nullptr;
    CUDA_OK(cudaMallocAsync(&own, 3 << 20, s.free[1]));
    put<<<1, 1, 0, s.free[1]>>>(own, 52);
    CUDA_OK(cudaMemcpyAsync(s.results + 1, own, sizeof(int), cudaMemcpyDeviceToDevice, s.free[1]));
    CUDA_OK(cudaFreeAsync(own, s.free[1]));
  }
  CUDA_OK(cudaStreamSynchronize(s.free[1]));
  CUDA_OK(cudaMemcpy(s.flag, &one, sizeof one, cudaMemcpyHostToDevice));
  s.expect(51, 52);
}

void threads_have_streams_of_their_own() {
  Setting s;
  std::thread waiting([&] {
    until<<<1, 1, 0, cudaStreamPerThread>>>(s.host_flag, s.results, 61);
    CUDA_OK(cudaStreamSynchronize(cudaStreamPerThread));
  });
  put<<<1, 1, 0, cudaStreamPerThread>>>(s.results + 1, 62);
  CUDA_OK(cudaStreamSynchronize(cudaStreamPerThread));
  *static_cast<volatile int*>(s.host_flag) = 1;
  waiting.join();
  s.expect(61, 62);
}

/// Not launched to wait for each other, so there may be any number of blocks.
void more_blocks_than_fit() {
  constexpr int n = 1 << 20;
  Array<int> counts(vector<int>(n, 4));
  maybe_together<<<n / 64, 64>>>(counts.data(), n, false);
  KERNEL_OK();
  check::equal("counts", counts.get(), vector<int>(n, 7));
}

int main() {
  const char* const setting = std::getenv("GRIDSPAN_DEVICES");
  if (setting && std::strcmp(setting, "cuda:0") == 0) {
    the_default_stream_ends_a_free_one();
    a_free_stream_ends_the_default_one();
    a_host_function_ends_another_stream();
    callbacks_hold_no_other_stream();
    memory_of_a_stream_waits_for_nothing_else();
    threads_have_streams_of_their_own();
    more_blocks_than_fit();
  }
  Array<int> last(vector<int>{0});
  put<<<1, 1>>>(last.data(), 71);
  result("a kernel", last, vector<int>{71});
  return finish();
}
