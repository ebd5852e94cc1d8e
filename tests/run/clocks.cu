// Clocks readable in kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Built-in functions | clock, clock64, %globaltimer: monotonic, advance with work; loops that wait for them
#include "check.h"

__device__ unsigned long long global_timer() {
#if defined(__clang__)
  return __nvvm_read_ptx_sreg_globaltimer();
#else
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
#endif
}

__global__ void read(long long* clocks, unsigned long long* timers, unsigned* narrow, float* sink) {
  const int i = check::global_index();
  const long long begin = clock64();
  const unsigned long long timer = global_timer();
  const unsigned small = static_cast<unsigned>(clock());
  float x = i;
  for (int k = 0; k < 20000; ++k) x = x * 0.999f + 1.0f;
  sink[i] = x;
  __syncthreads();
  clocks[i * 2] = begin;
  clocks[i * 2 + 1] = clock64();
  timers[i * 2] = timer;
  timers[i * 2 + 1] = global_timer();
  narrow[i] = static_cast<unsigned>(clock()) - small;
}

// Waits for time to pass.
__global__ void spin(long long cycles, int* out) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
  out[check::global_index()] = 1;
}

int main() {
  check::Array<int> ones(2 * 33);
  spin<<<2, 33>>>(20000, ones.data());
  check::equal("spin", ones.get(), std::vector<int>(2 * 33, 1));
  const int n = 3 * 33;
  check::Array<long long> clocks(n * 2);
  check::Array<unsigned long long> timers(n * 2);
  check::Array<unsigned> narrow(n);
  check::Array<float> sink(n);
  read<<<3, 33>>>(clocks.data(), timers.data(), narrow.data(), sink.data());
  const auto c = clocks.get();
  const auto t = timers.get();
  const auto s = narrow.get();
  for (int i = 0; i < n; ++i) {
    CHECK(c[i * 2 + 1] > c[i * 2]);
    CHECK(t[i * 2 + 1] >= t[i * 2]);
    CHECK(t[i * 2 + 1] - t[i * 2] < 60ull * 1000000000ull);
    CHECK(s[i] != 0);
  }
  return check::finish();
}
