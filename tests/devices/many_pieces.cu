// Buffers that fall into more pieces than are worth tracking.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;
using Bytes = vector<unsigned char>;

constexpr int rows = 70001, pitch = 8, n = rows * pitch;

__global__ void number(unsigned char* a, int count, int salt) {
  const int i = global_x();
  if (i < count) a[i] = static_cast<unsigned char>(i * 3 + salt);
}
// Read from the other end: parts want what others wrote.
__global__ void reversed(const unsigned char* in, unsigned char* out, int count) {
  const int i = global_x();
  if (i < count) out[i] = in[count - 1 - i];
}
// A part is some columns of a matrix that is very high.
__global__ void columns(unsigned char* a, int w, int h, int salt) {
  const int x = blockIdx.x;
  if (x >= w) return;
  for (int y = threadIdx.x; y < h; y += blockDim.x)
    a[y * w + x] = static_cast<unsigned char>(a[y * w + x] + x * salt + y);
}
// Two matrices of different widths in one buffer: only one of them can be seen as rows.
__global__ void two_widths(unsigned char* a, int wa, int ha, unsigned char* b, int wb, int hb) {
  const int x = blockIdx.x;
  for (int y = threadIdx.x; y < ha; y += blockDim.x)
    if (x < wa) a[y * wa + x] = static_cast<unsigned char>(x + y);
  for (int y = threadIdx.x; y < hb; y += blockDim.x)
    if (x < wb) b[y * wb + x] = static_cast<unsigned char>(x * 5 - y);
}
__global__ void add(unsigned char* a, int count, int amount) {
  const int i = global_x();
  if (i < count) a[i] = static_cast<unsigned char>(a[i] + amount);
}

struct Program {
  Array<unsigned char> a{n}, b{n};
  Bytes host = Bytes(n), other = poisoned<unsigned char>(n);

  void number_all(int salt) {
    number<<<blocks(n, 256), 256>>>(a.data(), n, salt);
    for (int i = 0; i < n; ++i) host[i] = static_cast<unsigned char>(i * 3 + salt);
  }
  void reverse() {
    reversed<<<blocks(n, 256), 256>>>(a.data(), b.data(), n);
    std::reverse_copy(host.begin(), host.end(), other.begin());
  }
  void add_all(int amount) {
    add<<<blocks(n, 256), 256>>>(a.data(), n, amount);
    for (auto& byte : host) byte = static_cast<unsigned char>(byte + amount);
  }
  void add_columns(int w, int salt) {
    const int h = n / w;
    columns<<<w, 64>>>(a.data(), w, h, salt);
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x)
        host[y * w + x] = static_cast<unsigned char>(host[y * w + x] + x * salt + y);
  }
  void write_two(int wa, int ha, int wb, int hb) {
    unsigned char* const middle = a.data() + wa * ha;
    two_widths<<<std::max(wa, wb), 64>>>(a.data(), wa, ha, middle, wb, hb);
    for (int i = 0; i < wa * ha; ++i) host[i] = static_cast<unsigned char>(i % wa + i / wa);
    for (int i = 0; i < wb * hb; ++i)
      host[wa * ha + i] = static_cast<unsigned char>(i % wb * 5 - i / wb);
  }
  void check(const char* what) {
    result(what, a, host);
    result(what, b, other);
  }
};

/// Each row's first bytes come from the host, the rest stays: a piece for each row.
void stripes_from_host(Program& p, Random& random, int width) {
  const Bytes from = random.integers<unsigned char>(size_t(rows) * width, 0, 255);
  CUDA_OK(cudaMemcpy2D(p.a.data(), pitch, from.data(), width, width, rows, cudaMemcpyHostToDevice));
  for (int y = 0; y < rows; ++y)
    std::copy_n(from.begin() + size_t(y) * width, width, p.host.begin() + y * pitch);
}
void stripes_filled(Program& p, int first, int width, int value) {
  CUDA_OK(cudaMemset2D(p.a.data() + first, pitch, value, width, rows));
  for (int y = 0; y < rows; ++y)
    std::fill_n(p.host.begin() + y * pitch + first, width, static_cast<unsigned char>(value));
}
void stripes_copied(Program& p, int first, int width) {
  CUDA_OK(cudaMemcpy2D(p.a.data() + first, pitch, p.b.data() + 1, pitch, width, rows,
                       cudaMemcpyDeviceToDevice));
  for (int y = 0; y < rows; ++y)
    std::copy_n(p.other.begin() + y * pitch + 1, width, p.host.begin() + y * pitch + first);
}

int main() {
  Random random(34);
  Program p;
  for (int turn = 0; turn < 2; ++turn) {
    p.number_all(turn), p.reverse();
    stripes_from_host(p, random, 3);
    p.check("from the host");
    p.number_all(5), p.reverse();
    stripes_filled(p, 2, 3, turn);
    p.check("filled");
    p.number_all(6), p.reverse();
    stripes_copied(p, 1, 5);
    p.check("copied");
    p.add_columns(8, 3);
    p.add_all(1);
    p.add_columns(5, 7);
    p.reverse();
    p.add_columns(8, 1);
    p.check("columns");
    for (int again = 0; again < 3; ++again) {
      p.write_two(8, 101, 6, 60000);
      p.add_all(1 + again);
      p.write_two(11, 50, 7, 30011);
      p.add_columns(8, 1);
    }
    p.check("two widths");
  }
  return finish();
}
