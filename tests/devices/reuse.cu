// Memory given back and taken again, at the same address, while other work is on its way.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

__global__ void number(int* a, int n, int salt) {
  const int i = global_x();
  if (i < n) a[i] = salt + i;
}
__global__ void number_rows(int* a, int w, int h, int salt) {
  const int x = global_x(), y = global_y();
  if (x < w && y < h) a[y * w + x] = salt + y;
}
__global__ void sum(const int* a, const int* b, int* out, int n) {
  const int i = global_x();
  if (i < n) out[i] = a[i] + b[n - 1 - i];
}

int* allocate(int n) {
  int* p = nullptr;
  CUDA_OK(cudaMalloc(&p, n * sizeof(int)));
  return p;
}
vector<int> read(const int* p, int n) {
  vector<int> got(n);
  CUDA_OK(cudaMemcpy(got.data(), p, n * sizeof(int), cudaMemcpyDeviceToHost));
  return got;
}

int main() {
  constexpr int n = 1536;  // also 1024 and 512: freed blocks are found again
  vector<int> want(n);
  int same = 0;
  const int* before = nullptr;
  for (int turn = 0; turn < 40; ++turn) {
    const int size = turn % 3 == 2 ? n / 3 : n;
    int* const p = allocate(size);
    same += p == before;
    before = p;
    number<<<blocks(size, 32), 32>>>(p, size, turn);
    want.resize(size);
    std::iota(want.begin(), want.end(), turn);
    if (turn % 2 == 0) {
      const dim3 block(8, 2);
      number_rows<<<blocks(32, size / 32, block), block>>>(p, 32, size / 32, turn);
      for (int i = 0; i < size; ++i) want[i] = turn + i / 32;
    }
    if (turn % 5 != 0) result("again", read(p, size), want);
    CUDA_OK(cudaFree(p));  // perhaps while the kernels run
  }
  CHECK(same >= 0);

  // In stream order.
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  int* out = allocate(n);
  for (int turn = 0; turn < 20; ++turn) {
    int *a = nullptr, *b = nullptr;
    CUDA_OK(cudaMallocAsync(&a, n * sizeof(int), stream));
    CUDA_OK(cudaMallocAsync(&b, n * sizeof(int), stream));
    number<<<blocks(n, 32), 32, 0, stream>>>(a, n, turn);
    number<<<blocks(n, 48), 48, 0, stream>>>(b, n, 1000);
    sum<<<blocks(n, 64), 64, 0, stream>>>(a, b, out, n);
    CUDA_OK(cudaFreeAsync(a, stream));
    CUDA_OK(cudaFreeAsync(b, stream));
  }
  CUDA_OK(cudaStreamSynchronize(stream));
  want.assign(n, 19 + 1000 + n - 1);
  result("in stream order", read(out, n), want);

  // One buffer goes, its neighbours stay.
  int* memory[8];
  for (int k = 0; k < 8; ++k) {
    memory[k] = allocate(n);
    number<<<blocks(n, 32), 32>>>(memory[k], n, 100 * k);
  }
  for (int k = 1; k < 8; k += 2) CUDA_OK(cudaFree(memory[k]));
  for (int k = 1; k < 8; k += 2) memory[k] = allocate(n);
  for (int k = 1; k < 8; k += 2) number<<<blocks(n, 16), 16>>>(memory[k], n, -k);
  for (int k = 0; k < 8; ++k) {
    std::iota(want.begin(), want.end(), k % 2 ? -k : 100 * k);
    result("neighbours", read(memory[k], n), want);
    CUDA_OK(cudaFree(memory[k]));
  }
  CUDA_OK(cudaFree(out));
  CUDA_OK(cudaStreamDestroy(stream));
  return finish();
}
