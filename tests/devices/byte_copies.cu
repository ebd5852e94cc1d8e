// Random copies and fills of unaligned byte ranges in all directions, between launches that spread
// the buffers over devices in different ways.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;
using Bytes = vector<unsigned char>;

__global__ void stir_line(unsigned char* a, int n, int salt) {
  const int i = global_x();
  if (i < n) a[i] = static_cast<unsigned char>(a[i] * 5 + salt + i);
}
__global__ void stir_columns(unsigned char* a, int w, int h, int salt) {
  const int x = global_x();
  if (x >= w) return;
  for (int y = 0; y < h; ++y)
    a[y * w + x] = static_cast<unsigned char>(a[y * w + x] * 3 + salt + x);
}
__global__ void stir_home(unsigned char* a, int n, int salt) {  // on one device
  if (global_x() != 0) return;
  for (int i = 0; i < n; ++i) a[i] = static_cast<unsigned char>(a[i] + salt);
}

struct Buffer {
  explicit Buffer(int size_) : size(size_), host(size_, 0xA5), device(size_) {}
  int size;
  Bytes host;
  Array<unsigned char> device;

  void stir(Random& random) {
    const int salt = static_cast<int>(random.integer(0, 255));
    unsigned char* p = device.data();
    switch (random.integer(0, 2)) {
      case 0:
        stir_line<<<blocks(size, 96), 96>>>(p, size, salt);
        for (int i = 0; i < size; ++i) host[i] = static_cast<unsigned char>(host[i] * 5 + salt + i);
        break;
      case 1: {
        const int w = static_cast<int>(random.integer(1, 90)), h = size / w;
        stir_columns<<<blocks(w, 4), 4>>>(p, w, h, salt);
        for (int i = 0; i < w * h; ++i)
          host[i] = static_cast<unsigned char>(host[i] * 3 + salt + i % w);
        break;
      }
      default:
        stir_home<<<1, 1>>>(p, size, salt);
        for (auto& byte : host) byte = static_cast<unsigned char>(byte + salt);
    }
  }
};

struct Slice {
  int first, count;
};
Slice slice(Random& random, int size, int most) {
  const int count = static_cast<int>(random.integer(0, std::min(size, most)));
  return {static_cast<int>(random.integer(0, size - count)), count};
}

int main() {
  Random random(16);
  Buffer buffers[] = {Buffer(4099), Buffer(70001), Buffer(257)};
  for (int turn = 0; turn < 300; ++turn) {
    Buffer& a = buffers[random.integer(0, 2)];
    Buffer& b = buffers[random.integer(0, 2)];
    const Slice s = slice(random, a.size, turn % 2 ? 100 : a.size);
    switch (random.integer(0, 5)) {
      case 0: {
        const Bytes from = random.integers<unsigned char>(s.count, 0, 255);
        CUDA_OK(
            cudaMemcpy(a.device.data() + s.first, from.data(), s.count, cudaMemcpyHostToDevice));
        std::copy(from.begin(), from.end(), a.host.begin() + s.first);
        break;
      }
      case 1: {
        Bytes to(s.count + 2, 0x5A), want = to;
        CUDA_OK(
            cudaMemcpy(to.data() + 1, a.device.data() + s.first, s.count, cudaMemcpyDeviceToHost));
        std::copy_n(a.host.begin() + s.first, s.count, want.begin() + 1);
        result("read back", to, want);
        break;
      }
      case 2: {
        if (&a == &b) break;
        const int count = std::min(s.count, b.size);
        const int to = static_cast<int>(random.integer(0, b.size - count));
        CUDA_OK(cudaMemcpy(b.device.data() + to, a.device.data() + s.first, count,
                           cudaMemcpyDeviceToDevice));
        std::copy_n(a.host.begin() + s.first, count, b.host.begin() + to);
        break;
      }
      case 3: {
        const int value = static_cast<int>(random.integer(0, 255));
        CUDA_OK(cudaMemset(a.device.data() + s.first, value, s.count));
        std::fill_n(a.host.begin() + s.first, s.count, static_cast<unsigned char>(value));
        break;
      }
      default:
        a.stir(random);
    }
    if (turn % 50 == 49)
      for (Buffer& buffer : buffers) result("all", buffer.device, buffer.host);
  }
  return finish();
}
