// Variables of the device: kernels without arguments, constants changed between launches, addresses
// of variables passed to kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

constexpr int n = 3001;
__device__ int line[n];
__device__ int counter;
__device__ int changed;
__device__ float plane[37][53];
__constant__ int factors[4] = {1, 2, 3, 4};
__constant__ int* where;  // set by the host

__global__ void grow() {
  const int i = global_x();
  if (i < n) line[i] = line[i] * factors[i % 4] + i;
}
__global__ void shift() {  // reads other parts' elements
  const int i = global_x();
  if (i < n - 1 && i % 2 == 0) line[i] = line[i + 1];
}
__global__ void count_odd() {
  const int i = global_x();
  if (i < n && line[i] % 2 != 0) atomicAdd(&counter, 1);
}
__global__ void note() {
  if (global_x() < n && line[global_x()] == -1) changed = 1;
}
__global__ void add_plane() {
  const int x = global_x(), y = global_y();
  if (x < 53 && y < 37) plane[y][x] += x + 100 * y;
}
__global__ void bump() { ++counter; }
__global__ void copy_in(const int* from, int* to, int count) {
  const int i = global_x();
  if (i < count) to[i] = from[i] + counter;
}
__global__ void through_constant() {
  const int i = global_x();
  if (i < 100) where[i] = factors[1] * i;
}

vector<int> read_line() {
  vector<int> got(n);
  CUDA_OK(cudaMemcpyFromSymbol(got.data(), line, n * sizeof(int)));
  return got;
}
int read_counter() {
  int value = -1;
  CUDA_OK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  return value;
}

int main() {
  Random random(18);
  vector<int> host(n, 0);
  int f[4] = {1, 2, 3, 4};
  for (int turn = 0; turn < 8; ++turn) {
    grow<<<blocks(n, 64), 64>>>();
    for (int i = 0; i < n; ++i) host[i] = static_cast<int>(unsigned(host[i]) * f[i % 4] + i);
    // Only some constants change, while the launch may still be on its way.
    const int which = turn % 4;
    f[which] = static_cast<int>(random.integer(-3, 3));
    CUDA_OK(cudaMemcpyToSymbolAsync(factors, &f[which], sizeof(int), which * sizeof(int)));
    shift<<<blocks(n, 32), 32>>>();
    for (int i = 0; i < n - 1; i += 2) host[i] = host[i + 1];
  }
  result("line", read_line(), host);

  CUDA_OK(cudaMemcpyToSymbol(line, host.data(), 1000 * sizeof(int), 1001 * sizeof(int)));
  std::copy_n(vector<int>(host).begin(), 1000, host.begin() + 1001);
  result("moved", read_line(), host);

  count_odd<<<blocks(n, 64), 64>>>();
  const auto odd = std::count_if(host.begin(), host.end(), [](int v) { return v % 2 != 0; });
  CHECK_EQ(read_counter(), odd);
  note<<<blocks(n, 64), 64>>>();
  int flag = -1;
  CUDA_OK(cudaMemcpyFromSymbol(&flag, changed, sizeof flag));
  CHECK_EQ(flag, std::count(host.begin(), host.end(), -1) > 0);
  for (int i = 0; i < 5; ++i) bump<<<1, 1>>>();
  CHECK_EQ(read_counter(), odd + 5);

  const dim3 block(8, 4);
  for (int i = 0; i < 3; ++i) add_plane<<<blocks(53, 37, block), block>>>();
  vector<float> got(37 * 53), want(37 * 53);
  CUDA_OK(cudaMemcpyFromSymbol(got.data(), plane, sizeof(float) * got.size()));
  for (int i = 0; i < 37 * 53; ++i) want[i] = 3.f * (i % 53 + 100 * (i / 53));
  result("plane", got, want);

  // The variable's address as an argument, and copies that go through it.
  int* address = nullptr;
  CUDA_OK(cudaGetSymbolAddress(reinterpret_cast<void**>(&address), line));
  Array<int> a(n);
  const int bumped = read_counter();
  copy_in<<<blocks(n, 32), 32>>>(address, a.data(), n);
  vector<int> copied = host;
  for (int& value : copied) value += bumped;
  result("copied out", a, copied);
  copy_in<<<blocks(500, 32), 32>>>(a.data() + 7, address + 13, 500);
  for (int i = 0; i < 500; ++i) host[13 + i] = copied[7 + i] + bumped;
  result("copied in", read_line(), host);
  CUDA_OK(cudaMemset(address + 3, 0, 8));
  host[3] = host[4] = 0;
  CUDA_OK(cudaMemcpy(address + 100, a.data(), 400, cudaMemcpyDeviceToDevice));
  std::copy_n(copied.begin(), 100, host.begin() + 100);
  grow<<<blocks(n, 64), 64>>>();
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(unsigned(host[i]) * f[i % 4] + i);
  result("after copies", read_line(), host);

  int* const target = a.data();
  CUDA_OK(cudaMemcpyToSymbol(where, &target, sizeof target));
  through_constant<<<4, 32>>>();
  for (int i = 0; i < 100; ++i) copied[i] = f[1] * i;
  result("through a pointer", a, copied);
  return finish();
}
