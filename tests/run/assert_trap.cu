// Kernels that end their launch: assert, __trap, exit of a thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Device library | assert: message on stderr, cudaErrorAssert, sticky
// FEATURE: Device library | __trap: launch failure; NDEBUG removes assert
#include "check.h"

#include <cassert>

__global__ void asserting(int* data, int n) {
  const int i = check::global_index();
  assert(i < n && "index in range");
  if (i < n) data[i] = i;
}

__global__ void trapping(int* data) {
  if (data[check::global_index()] == 7) __trap();
}

__global__ void plain(int* data) { data[check::global_index()] = 1; }

int main() {
  // The assertion holds: nothing happens.
  auto outcome = check::in_child([] {
    int* data = nullptr;
    if (cudaMalloc(&data, 256 * sizeof(int)) != cudaSuccess) return 2;
    asserting<<<2, 33>>>(data, 66);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 3;
  });
  CHECK_EQ(outcome.exit_code, 0);

  // One thread of the second block fails it.
  outcome = check::in_child([] {
    int* data = nullptr;
    if (cudaMalloc(&data, 256 * sizeof(int)) != cudaSuccess) return 2;
    asserting<<<2, 33>>>(data, 65);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaErrorAssert) return 3;
    if (cudaGetLastError() != cudaErrorAssert) return 4;
    // Sticky: everything after it fails with the same code, also when it was read once.
    if (cudaDeviceSynchronize() != cudaErrorAssert) return 5;
    void* more = nullptr;
    if (cudaMalloc(&more, 16) != cudaErrorAssert) return 6;
    plain<<<1, 1>>>(data);
    if (cudaGetLastError() == cudaSuccess) return 7;
    std::printf("alive\n");
    return 0;
  });
  CHECK_EQ(outcome.exit_code, 0);
  // file:line: void asserting(int *, int): block: [1,0,0], thread: [32,0,0] Assertion `...` failed.
  for (const char* part : {"assert_trap.cu:", "block: [1,0,0]", "thread: [32,0,0]", "Assertion `",
                           "index in range", "failed", "alive"})
    if (!CHECK(outcome.output.find(part) != std::string::npos))
      std::fprintf(stderr, "  missing: %s\n  in: %s\n", part, outcome.output.c_str());

  outcome = check::in_child([] {
    int* data = nullptr;
    int host[33] = {};
    if (cudaMalloc(&data, sizeof host) != cudaSuccess) return 2;
    if (cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice) != cudaSuccess) return 2;
    trapping<<<1, 33>>>(data);
    if (cudaDeviceSynchronize() != cudaSuccess) return 3;
    host[31] = 7;
    if (cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice) != cudaSuccess) return 4;
    trapping<<<1, 33>>>(data);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaErrorLaunchFailure && error != cudaErrorIllegalInstruction) return 5;
    return cudaDeviceSynchronize() == error ? 0 : 6;
  });
  CHECK_EQ(outcome.exit_code, 0);
  return check::finish();
}
