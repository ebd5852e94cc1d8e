// Scalars that change what is written, at every launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

__global__ void fill(int* a, int first, int count, int step, int value) {
  const int i = global_x();
  if (i < count) a[first + i * step] = value + i;
}

__global__ void choose(int* a, int* b, int n, int which) {
  const int i = global_x();
  if (i >= n) return;
  if (which % 3 == 0)
    a[i] += b[i];
  else if (which % 3 == 1)
    b[n - 1 - i] = a[i];
  else
    a[(i + which) % n] = i;
}

// A window that moves over a matrix by rows and columns.
__global__ void stamp(int* a, int w, int x0, int y0, int ww, int hh, int value) {
  const int x = global_x(), y = global_y();
  if (x < ww && y < hh) a[(y0 + y) * w + x0 + x] = value * (x + 1) + y;
}

int main() {
  Random random(15);
  constexpr int n = 2003;
  vector<int> host = random.integers<int>(n, 0, 99), other = random.integers<int>(n, 0, 99);
  Array<int> a(host), b(other);
  for (int turn = 0; turn < 60; ++turn) {
    const int step = static_cast<int>(random.integer(1, 5));
    const int count = static_cast<int>(random.integer(0, n / step));
    const int first = static_cast<int>(random.integer(0, n - count * step));
    fill<<<blocks(count, 32), 32>>>(a.data(), first, count, step, turn);
    for (int i = 0; i < count; ++i) host[first + i * step] = turn + i;

    const int which = static_cast<int>(random.integer(0, 1000));
    choose<<<blocks(n, 64), 64>>>(a.data(), b.data(), n, which);
    const vector<int> before = host;
    for (int i = 0; i < n; ++i) {
      if (which % 3 == 0)
        host[i] = (host[i] + other[i]);
      else if (which % 3 == 1)
        other[n - 1 - i] = before[i];
      else
        host[(i + which) % n] = i;
    }
    if (turn % 20 == 19) result("a", a, host), result("b", b, other);
  }
  constexpr int w = 83, h = 59;
  vector<int> plane(w * h, 0);
  Array<int> m(plane);
  for (int turn = 0; turn < 40; ++turn) {
    const int ww = static_cast<int>(random.integer(1, w)),
              hh = static_cast<int>(random.integer(1, h));
    const int x0 = static_cast<int>(random.integer(0, w - ww));
    const int y0 = static_cast<int>(random.integer(0, h - hh));
    const dim3 block(8, 4);
    stamp<<<blocks(ww, hh, block), block>>>(m.data(), w, x0, y0, ww, hh, turn);
    for (int y = 0; y < hh; ++y)
      for (int x = 0; x < ww; ++x) plane[(y0 + y) * w + x0 + x] = turn * (x + 1) + y;
  }
  result("stamped", m, plane);
  return finish();
}
