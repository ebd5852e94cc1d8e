// Memory whose first use of all is a kernel of which nobody knows what it touches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No copy and no fill comes before it, so that nothing but the launch itself tells who has what.
#include "devices.h"

using namespace devices;

__device__ int* kept;

__global__ void keep(int* data) { kept = data; }
__global__ void fill_kept(int n) {
  const int i = global_x();
  if (i < n) kept[i] = 7 * i + 1;
}
// Fetches from a texture, and so stays on one device; `out` is an ordinary argument.
__global__ void fetch(cudaTextureObject_t texture, int* out, int n) {
  const int i = global_x();
  if (i < n) out[i] = tex1Dfetch<int>(texture, n - 1 - i);
}
__global__ void running_sums(int* data, int* sums, int columns, int rows) {
  const int x = global_x();
  if (x >= columns) return;
  int sum = 0;
  for (int y = 0; y < rows; ++y) {
    const int value = data[y * columns + x];
    data[y * columns + x] = sum;
    sum += value;
  }
  sums[x] = sum;
}

constexpr int columns = 256, rows = 37, cells = columns * rows;

template <class Fill>
void check_sums(const char* name, const vector<int>& cell, Fill fill) {
  int* data = nullptr;
  int* sums = nullptr;
  CUDA_OK(cudaMalloc(&data, cells * sizeof(int)));
  CUDA_OK(cudaMalloc(&sums, columns * sizeof(int)));
  fill(data);
  running_sums<<<8, columns / 8>>>(data, sums, columns, rows);
  vector<int> got(cells), got_sums(columns), want(cells), want_sums(columns);
  for (int i = 0; i < cells; ++i) {
    want[i] = want_sums[i % columns];
    want_sums[i % columns] += cell[i];
  }
  CUDA_OK(cudaMemcpy(got_sums.data(), sums, columns * sizeof(int), cudaMemcpyDeviceToHost));
  CUDA_OK(cudaMemcpy(got.data(), data, cells * sizeof(int), cudaMemcpyDeviceToHost));
  result(name, got, want);
  result(std::string(name) + ", sums", got_sums, want_sums);
  CUDA_OK(cudaFree(data));
  CUDA_OK(cudaFree(sums));
}

int main() {
  vector<int> cell(cells);
  for (int i = 0; i < cells; ++i) cell[i] = 7 * i + 1;
  check_sums("through a variable", cell, [](int* data) {
    keep<<<1, 1>>>(data);
    fill_kept<<<blocks(cells, 64), 64>>>(cells);
  });

  Random random(31);
  const vector<int> source = random.integers<int>(cells, 0, 999);
  Array<int> texels(source);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = texels.data();
  resource.res.linear.desc = cudaCreateChannelDesc<int>();
  resource.res.linear.sizeInBytes = cells * sizeof(int);
  cudaTextureDesc description = {};
  description.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture = 0;
  CUDA_OK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  check_sums("from a texture", vector<int>(source.rbegin(), source.rend()),
             [&](int* data) { fetch<<<blocks(cells, 64), 64>>>(texture, data, cells); });
  CUDA_OK(cudaDestroyTextureObject(texture));
  return finish();
}
