// Megabytes between devices, as rows of a pitch and in one piece: more than fits into a stage on
// the way. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

__global__ void by_rows(unsigned* a, int w, int h, unsigned salt) {  // cut into rows
  const int y = static_cast<int>(blockIdx.x);
  if (y < h)
    for (int x = threadIdx.x; x < w; x += blockDim.x) a[y * w + x] = a[y * w + x] * 5 + x + salt;
}

__global__ void by_columns(unsigned* a, int w, int h, unsigned salt) {  // cut into columns
  const int x = global_x();
  if (x < w)
    for (int y = 0; y < h; ++y) a[y * w + x] = a[y * w + x] * 3 + y + salt;
}

__global__ void swap_halves(unsigned* to, const unsigned* from, int n) {
  const int i = global_x();
  if (i < n) to[i] = from[i < n / 2 ? i + n / 2 : i - n / 2] + 1;
}

int main() {
  const int w = 2601, h = 2003, n = w * h;
  vector<unsigned> host(n), other(n);
  std::iota(host.begin(), host.end(), 1u);
  Array<unsigned> a(host), b(other);
  for (unsigned salt = 0; salt < 3; ++salt) {
    by_rows<<<h, 64>>>(a.data(), w, h, salt);
    by_columns<<<blocks(w, 32), 32>>>(a.data(), w, h, salt);
    swap_halves<<<blocks(n / 2 * 2, 256), 256>>>(b.data(), a.data(), n / 2 * 2);
    swap_halves<<<blocks(n / 2 * 2, 256), 256>>>(a.data(), b.data(), n / 2 * 2);
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x) {
        unsigned& one = host[y * w + x];
        one = (one * 5 + x + salt) * 3 + y + salt;
      }
    for (int i = 0; i < n / 2 * 2; ++i) host[i] += 2;
  }
  result("all", a, host);
  return finish();
}
