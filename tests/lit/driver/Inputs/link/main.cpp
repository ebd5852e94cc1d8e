// The C++ part: also includes CUDA's header, as host code does.
#include "parts.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices < 1) return 2;
  std::vector<int> values(517);
  for (int i = 0; i < 517; ++i) values[i] = i - 200;
  int ok = scale(values.data(), 517);
  for (int i = 0; i < 517; ++i) ok = ok && values[i] == 3 * (i - 200);
#ifdef WITH_SHIFT
  int shifted = shift(5);
#else
  int shifted = 100;
#endif
  std::printf("scale %d shift %d add %s\n", ok, shifted, add(2, 3) == 5 ? "ok" : "wrong");
}
