// A kernel that launches others, between two that may become one kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../run/check.h"
#include "../run/hold.h"

using U = unsigned;
using Words = std::vector<U>;

__global__ void scale(U* y, const U* x, U a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + 1;
}
__global__ void starts_more(U* z, const U* t, int n) {
  if (blockIdx.x == 0 && threadIdx.x == 0) scale<<<(n + 63) / 64, 64>>>(z, t, 11, n);
}

int main() {
  const int n = 1031, grid = (n + 63) / 64;
  check::Random random(2026);
  const Words x = random.integers<U>(n, 0, 0x7fffffff);
  check::Array<U> dx(x), dt(Words(n, 7)), dz(Words(n, 9));
  Words t(n), z(n);
  for (U turn = 0; turn < 2; ++turn) {
    Hold hold;
    scale<<<grid, 64>>>(dt.data(), dx.data(), turn + 3, n);
    starts_more<<<grid, 64>>>(dz.data(), dt.data(), n);
    scale<<<grid, 64>>>(dt.data(), dz.data(), 5, n);
    hold.go();
    for (int i = 0; i < n; ++i) {
      z[i] = 11 * ((turn + 3) * x[i] + 1) + 1;
      t[i] = 5 * z[i] + 1;
    }
    check::equal("t", dt.get(), t);
    check::equal("z", dz.get(), z);
  }
  return check::finish();
}
