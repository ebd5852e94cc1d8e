// Writes that depend on data: what is not written must stay as it was, wherever that lies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

__global__ void where_odd(const int* keys, int* out, int n, int value) {
  const int i = global_x();
  if (i < n && keys[i] % 2 != 0) out[i] = value + i;
}
__global__ void first_half_of_rows(const int* keys, int* out, int w, int h) {
  const int y = global_x();
  if (y >= h) return;
  for (int x = 0; x < keys[y] && x < w; ++x) out[y * w + x] = y;
}
__global__ void until_zero(const int* in, int* out, int n) {
  const int i = global_x();
  if (i >= n) return;
  for (int k = i; k < n && k < i + 8; ++k) {
    if (in[k] == 0) {
      out[i] = k;
      break;
    }
  }
}
__global__ void every_third(int* out, int n) {  // surely, but not all of a part
  const int i = 3 * global_x();
  if (i < n) out[i] = -i;
}
__global__ void add_all(int* a, int n, int reversed) {  // another division of the buffer
  const int i = global_x();
  const int at = reversed ? n - 1 - i : i;
  if (i < n) a[at] += 1;
}

int main() {
  Random random(24);
  for (const int n : {1, 3, 97, 1009, 3001}) {
    const vector<int> keys = random.integers<int>(n, 0, 9);
    vector<int> want = poisoned<int>(n);
    Array<int> k(keys), out(n);
    for (int turn = 0; turn < 4; ++turn) {
      where_odd<<<blocks(n, 32), 32>>>(k.data(), out.data(), n, turn);
      for (int i = 0; i < n; ++i)
        if (keys[i] % 2 != 0) want[i] = turn + i;
      add_all<<<blocks(n, 8 + 8 * turn), 8 + 8 * turn>>>(out.data(), n, turn % 2);
      for (int& value : want) value = static_cast<int>(unsigned(value) + 1);
      until_zero<<<blocks(n, 32), 32>>>(k.data(), out.data(), n);
      for (int i = 0; i < n; ++i)
        for (int j = i; j < n && j < i + 8; ++j)
          if (keys[j] == 0) {
            want[i] = j;
            break;
          }
      every_third<<<blocks((n + 2) / 3, 32), 32>>>(out.data(), n);
      for (int i = 0; i < n; i += 3) want[i] = -i;
    }
    result("conditional", out, want);
  }
  constexpr int w = 53, h = 97;
  const vector<int> keys = random.integers<int>(h, 0, w);
  vector<int> want = poisoned<int>(w * h);
  Array<int> k(keys), out(w * h);
  first_half_of_rows<<<blocks(h, 4), 4>>>(k.data(), out.data(), w, h);
  for (int y = 0; y < h; ++y) std::fill_n(want.begin() + y * w, keys[y], y);
  result("rows", out, want);
  return finish();
}
