// Functions of both sides that call the host's and that no kernel reaches, with -rdc=true.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -rdc=true
// FEATURE: Language | `__host__ __device__` functions that call host functions and run on the host only, also with -rdc=true
#include "check.h"

int host_only(int x) { return x + 1; }
__host__ __device__ int declared_first(int x);
__host__ __device__ int defined_at_once(int x) { return host_only(x) * 2; }
int declared_first(int x) { return static_cast<int>(std::string(x, 'a').size()); }
struct Logger {
  int lines = 0;
  __host__ __device__ int say(const char* text);
  __host__ __device__ ~Logger();
};
int Logger::say(const char* text) {
  lines += std::getenv(text) == nullptr;
  return lines;
}
__host__ __device__ Logger::~Logger() { lines = host_only(lines); }
// Reached by the kernel, and for other files.
__host__ __device__ int for_all(int x) { return x * 3; }

__global__ void kernel(int* out) { *out = for_all(14); }

int main() {
  int* out;
  CUDA_OK(cudaMallocManaged(&out, sizeof *out));
  *out = 0x5a5a;
  kernel<<<1, 1>>>(out);
  KERNEL_OK();
  CHECK_EQ(*out, 42);
  CHECK_EQ(defined_at_once(4), 10);
  CHECK_EQ(declared_first(7), 7);
  CHECK_EQ(Logger().say("GRIDSPAN_NO_SUCH_NAME"), 1);
  cudaFree(out);
  return check::finish();
}
