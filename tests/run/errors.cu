// Error codes of the host API.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Errors | cudaGetLastError resets, cudaPeekAtLastError does not; names and texts
// FEATURE: Errors | bad arguments, sizes, directions, devices and pointers give CUDA's codes and leave the context usable
// FEATURE: Errors | launches with a bad configuration are refused
// FEATURE: Errors | a failing kernel's error is sticky
#include "check.h"

__global__ void fill(int* out) { out[check::global_index()] = 1; }
__global__ void store_to(int* p) { p[check::thread_index()] = 1; }

// The call fails as expected, is remembered once, and is then forgotten.
void fails(cudaError_t got, cudaError_t want, const char* what) {
  if (got != want) {
    ++check::failures;
    std::fprintf(stderr, "%s gave %s, expected %s\n", what, cudaGetErrorName(got),
                 cudaGetErrorName(want));
  }
  CHECK(cudaPeekAtLastError() == got);
  CHECK(cudaPeekAtLastError() == got);
  CHECK(cudaGetLastError() == got);
  CHECK(cudaGetLastError() == cudaSuccess);
}
#define FAILS(call, want) fails((call), (want), #call)

void launch_fails(dim3 grid, dim3 block, size_t shared, bool configuration, const char* what) {
  fill<<<grid, block, shared>>>(nullptr);
  const cudaError_t got = cudaGetLastError();
  if (configuration)
    CHECK(got == cudaErrorInvalidConfiguration || (grid.x == 0 && got == cudaErrorInvalidValue));
  else
    CHECK(got == cudaErrorInvalidValue || got == cudaErrorInvalidConfiguration ||
          got == cudaErrorLaunchOutOfResources);
  if (got == cudaSuccess) std::fprintf(stderr, "  launch with %s was accepted\n", what);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

int sticky() {  // in a child
  int* p = nullptr;
  store_to<<<1, 33>>>(p);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaErrorIllegalAddress) return 3;
  if (cudaPeekAtLastError() != error || cudaGetLastError() != error) return 4;
  if (cudaDeviceSynchronize() != error) return 5;
  void* memory = nullptr;
  if (cudaMalloc(&memory, 100) != error) return 6;
  int host = 0;
  if (cudaMemcpy(&host, &host, 4, cudaMemcpyHostToHost) != error) return 7;
  store_to<<<1, 1>>>(p);
  if (cudaGetLastError() != error) return 8;
  std::printf("%s: %s\n", cudaGetErrorName(error), cudaGetErrorString(error));
  return 0;
}

int reset() {  // in a child: after a reset the device works again
  store_to<<<1, 33>>>(nullptr);
  if (cudaDeviceSynchronize() == cudaSuccess) return 2;
  if (cudaDeviceReset() != cudaSuccess) return 0;  // hardware may refuse; then nothing to check
  cudaGetLastError();
  int* p = nullptr;
  if (cudaMalloc(&p, 33 * sizeof(int)) != cudaSuccess) return 0;
  store_to<<<1, 33>>>(p);
  int host[33] = {};
  if (cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return 3;
  return host[32] == 1 ? 0 : 4;
}

int main() {
  {
    const auto outcome = check::in_child(sticky);
    CHECK_EQ(outcome.exit_code, 0);
    CHECK(
        outcome.output.find("cudaErrorIllegalAddress: an illegal memory access was encountered") !=
        std::string::npos);
    CHECK_EQ(check::in_child(reset).exit_code, 0);
  }
  void* p = nullptr;
  FAILS(cudaMalloc(&p, size_t(1) << 60), cudaErrorMemoryAllocation);
  FAILS(cudaMalloc(nullptr, 16), cudaErrorInvalidValue);
  CUDA_OK(cudaMalloc(&p, 0));
  check::Array<int> a(64);
  int host[64] = {};
  FAILS(cudaMemcpy(a.data(), nullptr, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  FAILS(cudaMemcpy(nullptr, host, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  FAILS(cudaMemcpy(a.data(), host, 16, static_cast<cudaMemcpyKind>(77)),
        cudaErrorInvalidMemcpyDirection);
  FAILS(cudaMemcpy(a.data(), host, size_t(1) << 40, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  FAILS(cudaMemset(nullptr, 0, 16), cudaErrorInvalidValue);
  int device = -1, count = 0;
  CUDA_OK(cudaGetDeviceCount(&count));
  FAILS(cudaSetDevice(count), cudaErrorInvalidDevice);
  FAILS(cudaSetDevice(-1), cudaErrorInvalidDevice);
  CUDA_OK(cudaGetDevice(&device));
  CHECK_EQ(device, 0);
  {
    int* twice = nullptr;
    CUDA_OK(cudaMalloc(&twice, 1000));
    CUDA_OK(cudaFree(twice));
    FAILS(cudaFree(twice), cudaErrorInvalidValue);
    FAILS(cudaFree(a.data() + 1), cudaErrorInvalidValue);  // not the start of an allocation
    FAILS(cudaFree(host), cudaErrorInvalidValue);
    FAILS(cudaFreeHost(host), cudaErrorInvalidValue);
  }
  launch_fails(1, 1025, 0, true, "1025 threads");
  launch_fails(1, dim3(33, 32), 0, true, "33x32 threads");
  launch_fails(1, 0, 0, true, "no threads");
  launch_fails(0, 1, 0, true, "no blocks");
  launch_fails(1, dim3(1, 1, 65), 0, true, "65 threads in z");
  launch_fails(dim3(1, 65536), 1, 0, true, "65536 blocks in y");
  launch_fails(dim3(1, 1, 65536), 1, 0, true, "65536 blocks in z");
  launch_fails(dim3(1u << 31), 1, 0, true, "2^31 blocks");
  launch_fails(1, 1, size_t(1) << 30, false, "1 GiB of shared memory");
  launch_fails(1, 1, 200000, false, "200000 bytes of shared memory");
  // After all of these the device works.
  fill<<<2, 32>>>(a.data());
  check::equal("afterwards", a.get(), std::vector<int>(64, 1));

  CHECK(std::strcmp(cudaGetErrorName(cudaSuccess), "cudaSuccess") == 0);
  CHECK(std::strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0);
  CHECK(std::strcmp(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation") == 0);
  CHECK(std::strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") == 0);
  CHECK(std::strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") == 0);
  CHECK(std::strcmp(cudaGetErrorString(cudaErrorInvalidConfiguration),
                    "invalid configuration argument") == 0);
  CHECK(std::strcmp(cudaGetErrorString(static_cast<cudaError_t>(4444)),
                    "unrecognized error code") == 0);
  CHECK_EQ(int{cudaErrorMemoryAllocation}, 2);
  CHECK_EQ(int{cudaErrorInvalidConfiguration}, 9);
  CHECK_EQ(int{cudaErrorIllegalAddress}, 700);
  CHECK_EQ(int{cudaErrorLaunchFailure}, 719);
  CHECK_EQ(int{cudaErrorNotReady}, 600);
  return check::finish();
}
