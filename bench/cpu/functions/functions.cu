// Times mathematical functions in kernels on a CPU: nanoseconds an element of arrays in the cache.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   functions [NAME...]
#include "../../gpu/functions.h"
#include "timing.h"

namespace {

constexpr int threads = 256;

/// Rows of blocks write the same numbers again.
template <class Function, class Real>
__global__ void evaluate(Real* results, const Real* arguments) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  results[i] = Function()(arguments[i]);
}

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "functions: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

template <class Function, class Real>
void time(const char* name, double low, double high) {
  constexpr int count = elements<Real>;
  const std::vector<Real> arguments = between<Real>(low, high);
  Real *from, *to;
  check(cudaMalloc(&from, count * sizeof(Real)));
  check(cudaMalloc(&to, count * sizeof(Real)));
  check(cudaMemcpy(from, arguments.data(), count * sizeof(Real), cudaMemcpyHostToDevice));
  print_time<Real>(name, [&] {
    evaluate<Function, Real><<<dim3(count / threads, repetitions), threads>>>(to, from);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
  });
  check(cudaFree(from));
  check(cudaFree(to));
}

}  // namespace

int main(int count, char** words) {
  const Wanted wanted(count, words);
#define REAL(type, name, low, high, expression) \
  if (wanted.has(#name)) time<Function_##name, type>(#name, low, high);
  FUNCTIONS
#undef REAL
}
