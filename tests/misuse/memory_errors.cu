// Wrong use of the memory functions: CUDA's code, and the log says which call and why.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -O2 %s -o %t => 0
// STEP: %t => 0
// EXPECT: huge: out of memory
// EXPECT: double free: invalid argument
// EXPECT: use after free: invalid argument
// EXPECT: bad kind: invalid copy direction for memcpy
// EXPECT: past the end: invalid argument
// EXPECT: null: invalid argument
// EXPECT: interior free: invalid argument
// EXPECT: afterwards: no error
// STEP: GRIDSPAN_LOG=warn %t => 0
// EXPECT: cudaMalloc.*(out of memory|cudaErrorMemoryAllocation)
// EXPECT: cudaFree.*freed
// EXPECT: cudaMemcpy.*freed
// EXPECT: cudaMemcpy.*77
#include <cstdio>

void report(const char* what, cudaError_t error) {
  std::printf("%s: %s\n", what, cudaGetErrorString(error));
  cudaGetLastError();
}

int main() {
  void *p, *q;
  int host[16] = {};
  report("huge", cudaMalloc(&p, size_t(1) << 50));
  cudaMalloc(&p, 4096);
  cudaFree(p);
  report("double free", cudaFree(p));
  report("use after free", cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice));
  cudaMalloc(&q, 64);
  report("bad kind", cudaMemcpy(q, host, 64, static_cast<cudaMemcpyKind>(77)));
  report("past the end", cudaMemcpy(q, host, 1 << 30, cudaMemcpyHostToDevice));
  report("null", cudaMemset(nullptr, 0, 64));
  report("interior free", cudaFree(static_cast<char*>(q) + 8));
  report("afterwards", cudaMemcpy(q, host, 64, cudaMemcpyHostToDevice));
}
