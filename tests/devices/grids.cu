// Launches of one block, of fewer blocks than devices, of very many, and without work.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

__global__ void where_am_i(int* out, int n) {
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const int i = block * blockDim.x + threadIdx.x;
  if (i < n) out[i] = block * 1000 + threadIdx.x;
}
// As Mekong got wrong: steps by the size of the whole grid, not of the part.
__global__ void stride(int* out, int n) {
  for (int i = global_x(); i < n; i += gridDim.x * blockDim.x) out[i] += i;
}
__global__ void stride_2d(int* out, int w, int h) {
  for (int y = global_y(); y < h; y += gridDim.y * blockDim.y)
    for (int x = global_x(); x < w; x += gridDim.x * blockDim.x) out[y * w + x] += y - x;
}
__global__ void last_of_many(int* out, unsigned every) {
  if (blockIdx.x % every == every - 1) out[blockIdx.x / every] = gridDim.x;
}
__global__ void last_of_yz(int* out) {
  if (blockIdx.y % 4096 == 4095 && blockIdx.x == 0) out[blockIdx.z * 16 + blockIdx.y / 4096] += 1;
}
__global__ void nothing(int* out, int n) {
  if (global_x() < n) out[global_x()] = 1;
}
__global__ void grid_size(int* out) {
  if (threadIdx.x == 0) out[blockIdx.x] = gridDim.x * 100 + blockDim.x;
}

int main() {
  for (const dim3 grid : {dim3(1), dim3(2), dim3(3), dim3(5), dim3(1, 2), dim3(1, 1, 3),
                          dim3(2, 1, 2), dim3(1, 7), dim3(3, 5, 2), dim3(1, 1, 64), dim3(11)}) {
    const int n = static_cast<int>(grid.x * grid.y * grid.z * 7) - 3;
    Array<int> out(n);
    where_am_i<<<grid, 7>>>(out.data(), n);
    vector<int> want(n);
    for (int i = 0; i < n; ++i) want[i] = i / 7 * 1000 + i % 7;
    result("numbered", out, want);
  }
  for (const int n : {1, 97, 3001}) {
    for (const unsigned grid : {1u, 2u, 5u, 13u, 200u}) {
      vector<int> want(n, 3);
      Array<int> out(want);
      stride<<<grid, 32>>>(out.data(), n);
      for (int i = 0; i < n; ++i) want[i] += i;
      result("stride", out, want);
    }
  }
  {
    constexpr int w = 71, h = 43;
    vector<int> want(w * h, 1);
    Array<int> out(want);
    stride_2d<<<dim3(2, 5), dim3(8, 2)>>>(out.data(), w, h);
    stride_2d<<<dim3(5, 1), dim3(8, 2)>>>(out.data(), w, h);
    for (int i = 0; i < w * h; ++i) want[i] += 2 * (i / w - i % w);
    result("stride 2-D", out, want);
  }
  {
    constexpr unsigned many = (1u << 22) + 1, every = 1u << 18;
    Array<int> out(16);
    last_of_many<<<many, 1>>>(out.data(), every);
    vector<int> want = poisoned<int>(16);
    std::fill_n(want.begin(), 16, static_cast<int>(many));
    result("many", out, want);
  }
  {
    Array<int> out(vector<int>(48, 0));
    last_of_yz<<<dim3(2, 65535, 3), 1>>>(out.data());
    vector<int> want(48, 1);
    for (int z = 0; z < 3; ++z) want[z * 16 + 15] = 0;  // 65535 blocks, not 65536
    result("high", out, want);
  }
  {
    Array<int> out(100);
    nothing<<<5, 32>>>(out.data(), 0);
    result("untouched", out, poisoned<int>(100));
    nothing<<<5, 32>>>(nullptr, 0);
    nothing<<<50, 2>>>(out.data(), 33);
    vector<int> want = poisoned<int>(100);
    std::fill_n(want.begin(), 33, 1);
    result("a third", out, want);
  }
  Array<int> sizes(19);
  grid_size<<<19, 33>>>(sizes.data());
  result("grid size", sizes, vector<int>(19, 1933));
  return finish();
}
