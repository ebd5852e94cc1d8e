// What goes wrong on one of several devices reaches the program, and nothing hangs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

#include <cassert>
#include <future>
#include <vector>

using namespace devices;

enum class Wrong { assertion, trap };

__global__ void fail(int* a, int n, int where, Wrong wrong) {
  const int i = global_x();
  if (i >= n) return;
  a[i] = i;
  if (i != where) return;
  if (wrong == Wrong::assertion) assert(a[i] != i);
  if (wrong == Wrong::trap) __trap();
}
__global__ void asserting(int* a, int n, int where) {
  const int i = global_x();
  if (i < n) a[i] = i;
  assert(i != where);
}
__global__ void trapping(int* a, int n, int where) {
  const int i = global_x();
  if (i < n) a[i] = i;
  if (i == where) __trap();
}
__global__ void wild(int* a, int n, int where, long long distance) {
  const int i = global_x();
  if (i < n) a[i] = i;
  if (i == where) a[i + distance] = 1;
}
__global__ void add(int* a, int n) {
  const int i = global_x();
  if (i < n) a[i] += 1;
}

constexpr int n = 3001;

/// Everything says `error` from now on, at once.
int all_fail(cudaError_t error, int* a) {
  if (cudaDeviceSynchronize() != error) return 10;
  if (cudaGetLastError() != error || cudaPeekAtLastError() != error) return 11;
  void* memory = nullptr;
  if (cudaMalloc(&memory, 100) != error) return 12;
  int host = 0;
  if (cudaMemcpy(&host, a, sizeof host, cudaMemcpyDeviceToHost) != error) return 13;
  add<<<blocks(n, 32), 32>>>(a, n);
  if (cudaGetLastError() != error) return 14;
  if (cudaStreamSynchronize(nullptr) != error) return 15;
  if (cudaFree(a) != error) return 16;
  return 0;
}

/// Work before and after; where the fault is depends on the device that has this element.
template <class Launch>
int program(cudaError_t error, Launch launch) {
  int* a = nullptr;
  CUDA_OK(cudaMalloc(&a, n * sizeof(int)));
  CUDA_OK(cudaMemset(a, 0, n * sizeof(int)));
  for (int i = 0; i < 20; ++i) add<<<blocks(n, 32), 32>>>(a, n);
  launch(a);
  for (int i = 0; i < 50; ++i) add<<<blocks(n, 64), 64>>>(a, n);
  return all_fail(error, a);
}

int main() {
  // A process for each, as no fault can be undone, and those of a place at once: on GPUs each
  // spends most of its time with getting ready.
  for (const int where : {0, n / 2, n - 1}) {
    const auto grid = blocks(n, 32);
    std::vector<std::future<check::Outcome>> children;
    const auto expect = [&](cudaError_t error, auto launch) {
      children.push_back(std::async(std::launch::async, [=] {
        return check::in_child([&] { return program(error, launch); });
      }));
    };
    expect(cudaErrorAssert, [=](int* a) { asserting<<<grid, 32>>>(a, n, where); });
    expect(cudaErrorLaunchFailure, [=](int* a) { trapping<<<grid, 32>>>(a, n, where); });
    expect(cudaErrorIllegalAddress, [=](int* a) { wild<<<grid, 32>>>(a, n, where, 1ll << 42); });
    expect(cudaErrorAssert, [=](int* a) { fail<<<grid, 32>>>(a, n, where, Wrong::assertion); });
    expect(cudaErrorLaunchFailure, [=](int* a) { fail<<<grid, 32>>>(a, n, where, Wrong::trap); });
    for (auto& child : children) {
      const check::Outcome outcome = child.get();
      if (!CHECK_EQ(outcome.exit_code, 0)) std::fputs(outcome.output.c_str(), stderr);
    }
  }
  return finish();
}
