// Launches that alone would be cut along x, then along y, over the same matrices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

__global__ void add_down_columns(int* a, int w, int h) {  // a part is some columns
  const int x = global_x();
  if (x >= w) return;
  for (int y = 1; y < h; ++y) a[y * w + x] = (a[y * w + x] + a[(y - 1) * w + x]) & 0xffff;
}

__global__ void add_along_rows(int* a, int w, int h) {  // a part is some rows
  const int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= h) return;
  for (int x = 1; x < w; ++x) a[y * w + x] = (a[y * w + x] + a[y * w + x - 1]) & 0xffff;
}

__global__ void transpose(const int* in, int* out, int w, int h) {
  const int x = global_x(), y = global_y();
  if (x < w && y < h) out[x * h + y] = in[y * w + x];
}

// The grid is wide in y, then in x, though the work is the same.
__global__ void mix_all(int* a, int w, int h, int salt) {
  const int x = global_x(), y = global_y();
  if (x < w && y < h) a[y * w + x] = (a[y * w + x] * 31 + x * 7 + y + salt) & 0xffff;
}

struct Matrix {
  int w, h;
  vector<int> v;
  int& at(int x, int y) { return v[size_t(y) * w + x]; }
};

void host_columns(Matrix& m) {
  for (int y = 1; y < m.h; ++y)
    for (int x = 0; x < m.w; ++x) m.at(x, y) = (m.at(x, y) + m.at(x, y - 1)) & 0xffff;
}
void host_rows(Matrix& m) {
  for (int y = 0; y < m.h; ++y)
    for (int x = 1; x < m.w; ++x) m.at(x, y) = (m.at(x, y) + m.at(x - 1, y)) & 0xffff;
}
void host_mix(Matrix& m, int salt) {
  for (int y = 0; y < m.h; ++y)
    for (int x = 0; x < m.w; ++x) m.at(x, y) = (m.at(x, y) * 31 + x * 7 + y + salt) & 0xffff;
}

void run(Random& random, int w, int h) {
  Matrix m{w, h, random.integers<int>(size_t(w) * h, 0, 0xffff)};
  Array<int> a(m.v), b(m.v.size());
  for (int turn = 0; turn < 4; ++turn) {
    add_down_columns<<<blocks(w, 8), 8>>>(a.data(), w, h), host_columns(m);
    add_along_rows<<<blocks(h, 8), 8>>>(a.data(), w, h), host_rows(m);
    const dim3 wide(32, 1), high(1, 32);
    mix_all<<<blocks(w, h, wide), wide>>>(a.data(), w, h, turn), host_mix(m, turn);
    mix_all<<<blocks(w, h, high), high>>>(a.data(), w, h, 5), host_mix(m, 5);
  }
  const dim3 block(8, 8);
  transpose<<<blocks(w, h, block), block>>>(a.data(), b.data(), w, h);
  vector<int> turned(m.v.size());
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) turned[size_t(x) * h + y] = m.at(x, y);
  result("transposed", b, turned);
  result("matrix", a, m.v);
}

int main() {
  Random random(12);
  run(random, 101, 67);
  run(random, 7, 300);
  run(random, 300, 7);
  run(random, 1, 53);
  run(random, 53, 1);
  return finish();
}
