// One buffer seen as matrices of different widths, as a cube, as a line and as bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

__global__ void rows(int* a, int w, int h, int salt) {
  const int x = global_x(), y = global_y();
  if (x < w && y < h) a[y * w + x] += x * 3 + y * salt;
}

// Reads a neighbouring row: what is the neighbour depends on the width.
__global__ void shift_rows(const int* in, int* out, int w, int h) {
  const int x = global_x(), y = global_y();
  if (x < w && y < h) out[y * w + x] = in[((y + 1) % h) * w + x];
}

__global__ void cube(int* a, int nx, int ny, int nz) {
  const int x = global_x(), y = global_y(), z = blockIdx.z;
  if (x < nx && y < ny && z < nz) a[(z * ny + y) * nx + x] ^= x + 16 * y + 256 * z;
}

__global__ void line(int* a, int n) {
  const int i = global_x();
  if (i < n) a[i] = a[i] * 5 + 1;
}

__global__ void bytes(unsigned char* a, int n) {
  const int i = global_x();
  if (i < n) a[i] ^= static_cast<unsigned char>(i * 7);
}

// A matrix with rows of `pitch` elements that starts in the middle of the buffer.
__global__ void window(int* a, int pitch, int w, int h) {
  const int x = global_x(), y = global_y();
  if (x < w && y < h) a[y * pitch + x] = -(x + y);
}

struct Program {
  explicit Program(Random& random) : host(random.integers<int>(n, 0, 1000)), a(host), b(n) {
    CUDA_OK(cudaMemset(b.data(), 0, n * sizeof(int)));
  }
  static constexpr int n = 5040;  // divides in many ways
  vector<int> host;
  Array<int> a, b;
  const dim3 block{16, 4};

  void as_rows(int w, int salt) {
    const int h = n / w;
    rows<<<blocks(w, h, block), block>>>(a.data(), w, h, salt);
    for (int i = 0; i < w * h; ++i) host[i] += i % w * 3 + i / w * salt;
  }
  void as_shifted(int w) {
    const int h = n / w;
    shift_rows<<<blocks(w, h, block), block>>>(a.data(), b.data(), w, h);
    CUDA_OK(cudaMemcpy(a.data(), b.data(), size_t(w) * h * sizeof(int), cudaMemcpyDefault));
    std::rotate(host.begin(), host.begin() + w, host.begin() + w * h);
  }
  void as_cube(int nx, int ny, int nz) {
    cube<<<dim3(blocks(nx, 8), blocks(ny, 4), nz), dim3(8, 4)>>>(a.data(), nx, ny, nz);
    for (int z = 0; z < nz; ++z)
      for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x) host[(z * ny + y) * nx + x] ^= x + 16 * y + 256 * z;
  }
  void as_line(int count) {
    line<<<blocks(count, 32), 32>>>(a.data(), count);
    for (int i = 0; i < count; ++i) host[i] = static_cast<int>(unsigned(host[i]) * 5 + 1);
  }
  void as_bytes(int first, int count) {
    bytes<<<blocks(count, 32), 32>>>(reinterpret_cast<unsigned char*>(a.data()) + first, count);
    auto* to = reinterpret_cast<unsigned char*>(host.data()) + first;
    for (int i = 0; i < count; ++i) to[i] ^= static_cast<unsigned char>(i * 7);
  }
  void as_window(int first, int pitch, int w, int h) {
    window<<<blocks(w, h, block), block>>>(a.data() + first, pitch, w, h);
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x) host[first + y * pitch + x] = -(x + y);
  }
};

int main() {
  Random random(13);
  Program program(random);
  for (int turn = 0; turn < 3; ++turn) {
    program.as_rows(70, turn);
    program.as_line(Program::n);
    program.as_rows(63, 2);
    program.as_shifted(72);
    program.as_cube(12, 20, 21);
    program.as_bytes(13, 9001);
    program.as_shifted(35);
    program.as_window(117, 41, 29, 60 + turn);
    program.as_rows(1, 1);
    program.as_rows(Program::n, 1);
    program.as_window(3, 97, 97, 40);
    program.as_cube(70, 9, 8);
    program.as_line(997);
    program.as_rows(131, 9);  // does not divide n
    // No width, or less than that: no work.
    rows<<<dim3(3, 5), dim3(16, 4)>>>(program.a.data(), 0, 20, 1);
    rows<<<dim3(3, 5), dim3(16, 4)>>>(program.a.data(), -7, 20, 1);
    window<<<dim3(3, 5), dim3(16, 4)>>>(program.a.data() + 9, 0, 1, 1);
    program.host[9] = 0;
    result("turn " + std::to_string(turn), program.a, program.host);
  }
  return finish();
}
