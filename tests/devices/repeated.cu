// One kernel that computes for long, again and again: time enough to find out who is how fast.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

constexpr int n = 1 << 16, turns = 500, launches = 160;

__host__ __device__ inline unsigned next(unsigned value) {
  return value * value + (value >> 7) + 12345u;
}

__global__ void turn(unsigned* values, int count) {
  const int i = global_x();
  if (i >= count) return;
  unsigned value = values[i];
  for (int k = 0; k < turns; ++k) value = next(value);
  values[i] = value;
}

int main() {
  vector<unsigned> host(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<unsigned>(i);
  Array<unsigned> values(host);
  for (int launch = 0; launch < launches; ++launch) {
    turn<<<blocks(n, 256), 256>>>(values.data(), n);
    if (launch % 8 == 0) CUDA_OK(cudaDeviceSynchronize());
  }
  const vector<unsigned> got = values.get();
  vector<unsigned> some, want;
  for (int i = 0; i < n; i += 1021) {
    some.push_back(got[i]);
    unsigned value = host[i];
    for (int k = 0; k < launches * turns; ++k) value = next(value);
    want.push_back(value);
  }
  result("some", some, want);
  add_bytes(got.data(), got.size() * sizeof(unsigned));
  return finish();
}
