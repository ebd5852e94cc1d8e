// Every way to launch a kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Launches | <<<>>> with ints, dim3, expressions, function results, shared bytes, streams; spaced brackets
// FEATURE: Launches | cudaLaunchKernel called directly, kernels through pointers, in templates, classes, namespaces and anonymous namespaces
// FEATURE: Launches | kernels without arguments, with many, launched from several host threads
#include "check.h"

#include <thread>

__global__ void fill(int* out, int value) {
  extern __shared__ int cells[];
  const int t = check::thread_index();
  if (value < 0) cells[t] = value;  // needs dynamic shared memory
  out[check::global_index()] =
      value < 0 ? cells[t] : value + static_cast<int>(check::thread_count());
}

__device__ int from_no_arguments;
__global__ void no_arguments() { from_no_arguments = 77; }

__global__ void many(int* o, int a, int b, int c, int d, int e, int f, int g, int h, int i, int j,
                     int k, int l, int m, int n, long long p, char q, float r, double s) {
  o[check::global_index()] =
      static_cast<int>(a + b + c + d + e + f + g + h + i + j + k + l + m + n + p + q + r + s);
}

namespace first {
__global__ void named(int* out) { out[check::global_index()] = 1; }
}  // namespace first
namespace second {
namespace inner {
__global__ void named(int* out) { out[check::global_index()] = 2; }
}  // namespace inner
}  // namespace second
namespace {
__global__ void named(int* out) { out[check::global_index()] = 3; }
}  // namespace
static __global__ void static_kernel(int* out) { out[check::global_index()] = 4; }

// Overloads are different kernels.
__global__ void overloaded(int* out, int) { out[check::global_index()] = 5; }
__global__ void overloaded(int* out, float) { out[check::global_index()] = 6; }

template <class T>
__global__ void templated(T* out, T value) {
  out[check::global_index()] = value;
}
template <class T, void (*Kernel)(T*, T)>
void launch_template(T* out, T value) {
  Kernel<<<2, 33>>>(out, value);
}

struct Launcher {
  static int blocks() { return 2; }
  void operator()(int* out) const { named<<<blocks(), 33>>>(out); }
};

int main() {
  const int n = 66;
  check::Array<int> out(n);
  auto expect = [&](const char* what, int value) {
    check::equal(what, out.get(), std::vector<int>(n, value));
    CUDA_OK(cudaMemset(out.data(), 0xA5, n * sizeof(int)));
  };
  int* o = out.data();
  fill<<<2, 33>>>(o, 1);
  expect("ints", 34);
  fill<<<dim3(2), dim3(33)>>>(o, 2);
  expect("dim3", 35);
  const dim3 grid(1, 2), block(3, 11, 1);
  fill<<<grid, block>>>(o, 3);
  expect("dim3 variables", 36);
  int blocks = 1;
  fill<<<blocks + 1, (n + 1) / 2>>>(o, 4);
  expect("expressions", 37);
  fill<<<Launcher::blocks(), 33, 33 * sizeof(int)>>>(o, -5);
  expect("shared bytes", -5);
  fill<<<2u, 33ul, 0, 0>>>(o, 6);
  expect("unsigned and null stream", 39);
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  fill<<<2, 33, 0, stream>>>(o, 7);
  expect("stream", 40);
  size_t bytes = 33 * sizeof(int);
  fill<<<2, block, bytes, stream>>>(o, -8);
  expect("size_t and stream", -8);
  // nvcc accepts blanks within the brackets, and programs have them.
  // clang-format off
  fill << <2, 33 >> >(o, 9);
  expect("spaced brackets", 42);
  fill<<<2,
         33
         >>>(o,
             10);
  // clang-format on
  expect("over several lines", 43);
  if (blocks == 1)
    fill<<<2, 33>>>(o, 11);
  else
    fill<<<1, 1>>>(o, 12);
  expect("in if without braces", 44);

  no_arguments<<<1, 1>>>();
  int value = 0;
  CUDA_OK(cudaMemcpyFromSymbol(&value, from_no_arguments, sizeof value));
  CHECK_EQ(value, 77);
  many<<<2, 33>>>(o, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 1000, 'a', 0.5f, 0.5);
  expect("many", 105 + 1000 + 97 + 1);
  first::named<<<2, 33>>>(o);
  expect("first::named", 1);
  second::inner::named<<<2, 33>>>(o);
  expect("second::inner::named", 2);
  Launcher()(o);
  expect("anonymous named", 3);
  static_kernel<<<2, 33>>>(o);
  expect("static_kernel", 4);
  overloaded<<<2, 33>>>(o, 1);
  expect("overloaded int", 5);
  overloaded<<<2, 33>>>(o, 1.0f);
  expect("overloaded float", 6);
  templated<<<2, 33>>>(o, 8);
  expect("deduced template", 8);
  launch_template<int, templated<int>>(o, 9);
  expect("template parameter", 9);
  void (*pointer)(int*, int) = fill;
  pointer<<<2, 33>>>(o, 10);
  expect("kernel pointer", 43);

  int argument = 12;
  void* arguments[] = {&o, &argument};
  CUDA_OK(
      cudaLaunchKernel(reinterpret_cast<const void*>(fill), dim3(2), dim3(33), arguments, 0, 0));
  argument = 999;  // the values were read at the call
  expect("cudaLaunchKernel", 45);
  CUDA_OK(cudaLaunchKernel(templated<int>, dim3(2), dim3(33), arguments, 0, stream));
  expect("cudaLaunchKernel of a template", 999);
  CUDA_OK(cudaStreamDestroy(stream));

  // Host threads launch at the same time, each on its own memory.
  std::vector<std::thread> workers;
  std::vector<std::vector<int>> results(4);
  for (int w = 0; w < 4; ++w)
    workers.emplace_back([w, &results] {
      check::Array<int> mine(66);
      for (int i = 0; i < 50; ++i) fill<<<2, 33>>>(mine.data(), w * 100 + i);
      results[w] = mine.get();
    });
  for (auto& worker : workers) worker.join();
  for (int w = 0; w < 4; ++w)
    check::equal("host thread", results[w], std::vector<int>(66, w * 100 + 49 + 33));
  return check::finish();
}
