// The C++ part, which calls the run time itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime_api.h>

#include <cstdio>

#include "kernel.h"

int main() {
  int host[33];
  for (int i = 0; i < 33; ++i) host[i] = i;
  const int error = square_all(host, 33);
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices < 1) return 2;
  const int sum = sum_all(host, 33);
  std::printf("%d %d\n", error, sum);
  return error != 0 || sum != 32 * 33 * 65 / 6;
}
