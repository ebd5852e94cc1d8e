// What reductions move: the private copies, once; and what keeps them on one device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 100 histograms of 256 bins over 2^18 numbers, and 50 spreads over 2^16 elements. Every device but
// the first has a private copy of the 1024 bytes of a histogram; of a spread, of the one element
// before its own. Nothing else moves: numbers stay where they are, and sums on the device that
// combines them. The 20 histograms over 300 numbers and the 10 over 2^16 numbers with 2^20 bins are
// not worth it: numbers and bins of the latter go home. Uploads are cut at pages, parts at blocks:
// at each border there is less than a page to move of each array.
//
// TRAFFIC cpu:2x1 launches_reduction == 150
// TRAFFIC cpu:3x1 launches_reduction == 150
// TRAFFIC cpu:7x1 launches_reduction == 150
// TRAFFIC cpu:2x1 launches_one_device == 30
// TRAFFIC cpu:7x1 launches_one_device == 30
// TRAFFIC cpu:2x1 combined_bytes == 1 * (100 * 1024 + 50 * 4)
// TRAFFIC cpu:3x1 combined_bytes == 2 * (100 * 1024 + 50 * 4)
// TRAFFIC cpu:7x1 combined_bytes == 6 * (100 * 1024 + 50 * 4)
// TRAFFIC cpu:2x1 device_to_device_bytes <= (1048576 + 65536) * 4 * 1 / 2 + 1 * 3 * 4096
// TRAFFIC cpu:7x1 device_to_device_bytes <= (1048576 + 65536) * 4 * 6 / 7 + 6 * 3 * 4096
#include "devices.h"

using namespace devices;

__global__ void histogram(const unsigned* in, int n, unsigned* bins, unsigned count) {
  const int i = global_x();
  if (i < n) atomicAdd(&bins[in[i] % count], 1u);
}
__global__ void spread(const int* in, int n, int* out) {
  const int i = global_x();
  if (i >= n) return;
  if (i > 0) atomicAdd(&out[i - 1], in[i]);
  atomicAdd(&out[i], in[i]);
}

void histograms(Random& random, int n, unsigned count, int turns) {
  const vector<unsigned> in = random.integers<unsigned>(n, 0, 1u << 30);
  vector<unsigned> want(count, 1);
  Array<unsigned> d_in(in), bins(want);
  for (int turn = 0; turn < turns; ++turn) {
    histogram<<<blocks(n, 256), 256>>>(d_in.data(), n, bins.data(), count);
    for (const unsigned value : in) ++want[value % count];
  }
  result("histogram", bins, want);
}

int main() {
  Random random(42);
  histograms(random, 1 << 18, 256, 100);
  histograms(random, 300, 256, 20);
  histograms(random, 1 << 16, 1 << 20, 10);
  const int n = 1 << 16;
  const vector<int> in = random.integers<int>(n, -9, 9);
  vector<int> want(n, 3);
  Array<int> d_in(in), out(want);
  for (int turn = 0; turn < 50; ++turn) {
    spread<<<blocks(n, 256), 256>>>(d_in.data(), n, out.data());
    for (int i = 0; i < n; ++i) {
      if (i > 0) want[i - 1] += in[i];
      want[i] += in[i];
    }
  }
  result("spread", out, want);
  return finish();
}
