// Launches what nobody has registered, as an object of another compiler does.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime_api.h>

#include <cstdio>

extern "C" void kernel_of_nobody() {}

int main() {
  int value = 5, *argument = &value;
  void* arguments[] = {&argument};
  for (int i = 0; i < 3; ++i) {
    const auto code = cudaLaunchKernel(reinterpret_cast<const void*>(kernel_of_nobody),
                                       dim3(1, 1, 1), dim3(1, 1, 1), arguments, 0, nullptr);
    if (code != cudaErrorInvalidDeviceFunction) return std::printf("code %d\n", code), 1;
    if (cudaGetLastError() != cudaErrorInvalidDeviceFunction) return 2;
  }
  std::puts("right");
}
