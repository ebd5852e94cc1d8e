// Times mathematical functions: one evaluation by 2^20 threads, divided by 2^20.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   functions [NAME...]
#include "functions.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

namespace {

constexpr int threads = 1 << 20, evaluations = 32, repetitions = 7;

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "functions: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

/// Each thread's arguments lie evenly between `low` and `high`, and apart from those of others.
template <class Function, class Real>
__global__ void evaluate(Real* sums, Real low, Real step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Real x = low + step * (Real(i) / Real(threads)), sum = 0;
#pragma unroll 1
  for (int k = 0; k < evaluations; ++k, x += step) sum += Function()(x);
  sums[i] = sum;
}

std::set<std::string> wanted;

template <class Function, class Real>
void time(const char* name, double low, double high) {
  if (!wanted.empty() && wanted.count(name) == 0) return;
  Real* sums;
  check(cudaMalloc(&sums, threads * sizeof(Real)));
  cudaEvent_t start, stop;
  check(cudaEventCreate(&start));
  check(cudaEventCreate(&stop));
  std::vector<float> milliseconds;
  for (int i = 0; i <= repetitions; ++i) {
    check(cudaEventRecord(start));
    evaluate<Function, Real>
        <<<threads / 256, 256>>>(sums, Real(low), Real((high - low) / evaluations));
    check(cudaGetLastError());
    check(cudaEventRecord(stop));
    check(cudaEventSynchronize(stop));
    float time;
    check(cudaEventElapsedTime(&time, start, stop));
    if (i > 0) milliseconds.push_back(time);
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  const double picoseconds = milliseconds[repetitions / 2] * 1e9 / evaluations / threads;
  std::printf("%s %.6g\n", name, picoseconds);
  std::fflush(stdout);
  check(cudaEventDestroy(start));
  check(cudaEventDestroy(stop));
  check(cudaFree(sums));
}

}  // namespace

int main(int count, char** words) {
  wanted.insert(words + 1, words + count);
  std::puts("# picoseconds of an evaluation");
#define REAL(type, name, low, high, expression) time<Function_##name, type>(#name, low, high);
  FUNCTIONS
#undef REAL
}
