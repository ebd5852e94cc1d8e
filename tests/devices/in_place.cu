// Kernels that read their neighbours' elements of the buffer they write.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

// Red-black relaxation: elements of one colour are written from those of the other, so no launch
// reads what it writes; but parts read elements that other parts own.
__global__ void relax_line(int* a, int n, int colour) {
  const int i = 2 * global_x() + colour;
  if (i < 1 || i >= n - 1) return;
  a[i] = (a[i - 1] + 2 * a[i] + a[i + 1]) % 1009;
}

__global__ void relax_plane(int* a, int w, int h, int colour) {
  const int x = global_x(), y = global_y();
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1 || (x + y) % 2 != colour) return;
  const int at = y * w + x;
  a[at] = (a[at - 1] + a[at + 1] + a[at - w] + a[at + w] + a[at]) % 1009;
}

// All time steps in one buffer: plane t is read, plane t + 1 is written.
__global__ void step(float* all, int n, int t) {
  const int i = global_x();
  if (i >= n) return;
  const float* now = all + t * n;
  float sum = now[i];
  if (i > 0) sum += now[i - 1];
  if (i + 1 < n) sum -= now[i + 1];
  all[(t + 1) * n + i] = sum;
}

void line(Random& random, int n) {
  vector<int> host = random.integers<int>(n, 0, 1008);
  Array<int> a(host);
  for (int turn = 0; turn < 9; ++turn) {
    relax_line<<<blocks((n + 1) / 2, 32), 32>>>(a.data(), n, turn % 2);
    for (int i = turn % 2; i < n - 1; i += 2) {
      if (i >= 1) host[i] = (host[i - 1] + 2 * host[i] + host[i + 1]) % 1009;
    }
  }
  result("line", a, host);
}

void plane(Random& random, int w, int h) {
  vector<int> host = random.integers<int>(size_t(w) * h, 0, 1008);
  Array<int> a(host);
  const dim3 block(16, 4);
  for (int turn = 0; turn < 6; ++turn) {
    relax_plane<<<blocks(w, h, block), block>>>(a.data(), w, h, turn % 2);
    for (int y = 1; y < h - 1; ++y) {
      for (int x = 1; x < w - 1; ++x) {
        if ((x + y) % 2 != turn % 2) continue;
        const int at = y * w + x;
        host[at] = (host[at - 1] + host[at + 1] + host[at - w] + host[at + w] + host[at]) % 1009;
      }
    }
  }
  result("plane", a, host);
}

void steps(Random& random, int n) {
  constexpr int count = 12;
  vector<float> host = poisoned<float>(size_t(n) * (count + 1));
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(random.integer(-3, 3));
  Array<float> all(host);
  for (int t = 0; t < count; ++t) {
    step<<<blocks(n, 64), 64>>>(all.data(), n, t);
    for (int i = 0; i < n; ++i) {
      const float* now = &host[size_t(t) * n];
      float sum = now[i];
      if (i > 0) sum += now[i - 1];
      if (i + 1 < n) sum -= now[i + 1];
      host[size_t(t + 1) * n + i] = sum;
    }
  }
  result("steps", all, host);
}

int main() {
  Random random(11);
  for (const int n : odd_sizes()) line(random, n), steps(random, n);
  plane(random, 97, 61);
  plane(random, 3, 101);
  plane(random, 130, 3);
  plane(random, 1, 1);
  return finish();
}
