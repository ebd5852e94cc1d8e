// Copies between buffers that lie on the devices in different ways, and inside one buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

__global__ void number_rows(int* a, int w, int h, int salt) {
  const int y = global_x();
  if (y >= h) return;
  for (int x = 0; x < w; ++x) a[y * w + x] = salt + y * w + x;
}
__global__ void number_columns(int* a, int w, int h, int salt) {
  const int x = global_x();
  if (x >= w) return;
  for (int y = 0; y < h; ++y) a[y * w + x] = salt - (y * w + x);
}
__global__ void double_all(int* a, int n) {
  const int i = global_x();
  if (i < n) a[i] *= 2;
}

constexpr int w = 71, h = 83, n = w * h;

void copy(int* to, const int* from, int count) {
  CUDA_OK(cudaMemcpy(to, from, count * sizeof(int), cudaMemcpyDeviceToDevice));
}

int main() {
  vector<int> rows(n), columns(n);
  for (int i = 0; i < n; ++i) rows[i] = 100 + i, columns[i] = -7 - i;
  Array<int> a(n), b(n), c(n);
  number_rows<<<blocks(h, 4), 4>>>(a.data(), w, h, 100);
  number_columns<<<blocks(w, 4), 4>>>(b.data(), w, h, -7);

  copy(c.data(), a.data(), n);  // rows to where nothing is
  result("fresh", c, rows);
  copy(c.data() + 13, b.data() + 501, n - 501);  // columns over rows, shifted
  vector<int> want = rows;
  std::copy(columns.begin() + 501, columns.end(), want.begin() + 13);
  result("shifted", c, want);
  copy(a.data(), c.data(), n);
  double_all<<<blocks(n, 64), 64>>>(a.data(), n);
  for (int& value : want) value *= 2;
  result("used", a, want);

  // Inside one buffer: ranges that do not meet, cut by owners' borders everywhere.
  for (const int offset : {0, 1, 997, 1400}) {
    copy(a.data() + n / 2 + offset, a.data() + offset, n / 4);
    std::copy_n(want.begin() + offset, n / 4, want.begin() + n / 2 + offset);
    double_all<<<blocks(n / 3, 32), 32>>>(a.data() + offset, n / 3);
    for (int i = 0; i < n / 3; ++i) want[offset + i] *= 2;
  }
  result("inside", a, want);

  // Columns moved by whole rows: every row is cut by several owners.
  number_columns<<<blocks(w, 4), 4>>>(b.data(), w, h, 0);
  for (int i = 0; i < n; ++i) columns[i] = -i;
  copy(b.data() + 40 * w, b.data(), 40 * w);
  std::copy_n(columns.begin(), 40 * w, columns.begin() + 40 * w);
  result("moved rows", b, columns);

  // Ranges that overlap, as with memmove.
  for (const int shift : {1, 7, w, 700, -1, -7, -w, -700}) {
    number_columns<<<blocks(w, 4), 4>>>(b.data(), w, h, shift);
    for (int i = 0; i < n; ++i) columns[i] = shift - i;
    const int from = std::max(-shift, 0), to = std::max(shift, 0), count = n - std::abs(shift);
    copy(b.data() + to, b.data() + from, count);
    std::memmove(&columns[to], &columns[from], count * sizeof(int));
    result("overlapping", b, columns);
  }

  // Two devices' parts change places.
  copy(c.data(), b.data(), n / 2);
  copy(c.data() + n / 2, a.data(), n - n / 2);
  copy(a.data(), c.data() + n / 2, n - n / 2);
  vector<int> mixed(columns.begin(), columns.begin() + n / 2);
  mixed.insert(mixed.end(), want.begin(), want.begin() + (n - n / 2));
  std::copy(mixed.begin() + n / 2, mixed.end(), want.begin());
  result("mixed", c, mixed);
  result("exchanged", a, want);
  return finish();
}
