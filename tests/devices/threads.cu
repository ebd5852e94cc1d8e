// Host threads with memory and streams of their own that come and go; some kernels go home.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

#include <thread>

using namespace devices;

__global__ void step(int* a, const int* b, int n) {
  const int i = global_x();
  if (i < n) a[i] = (a[i] * 3 + b[n - 1 - i]) & 0xffff;
}
__global__ void through(int* const* rows, int count, int n) {  // pointers from memory
  const int i = global_x();
  if (i >= n) return;
  for (int k = 0; k < count; ++k) rows[k][i] += k + 1;
}

/// The numbers of one thread, after all turns.
vector<int> work(unsigned seed) {
  Random random(seed);
  vector<int> sums;
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (int turn = 0; turn < 25; ++turn) {
    const int n = static_cast<int>(random.integer(1, 5000));
    vector<int> a = random.integers<int>(n, 0, 99), b = random.integers<int>(n, 0, 99), want = a;
    int *da = nullptr, *db = nullptr, **rows = nullptr;
    CUDA_OK(cudaMalloc(&da, n * sizeof(int)));
    CUDA_OK(cudaMallocAsync(&db, n * sizeof(int), stream));
    CUDA_OK(cudaMalloc(&rows, 2 * sizeof(int*)));
    CUDA_OK(cudaMemcpyAsync(da, a.data(), n * sizeof(int), cudaMemcpyHostToDevice, stream));
    CUDA_OK(cudaMemcpyAsync(db, b.data(), n * sizeof(int), cudaMemcpyHostToDevice, stream));
    int* const table[] = {da, db};
    CUDA_OK(cudaMemcpyAsync(rows, table, sizeof table, cudaMemcpyHostToDevice, stream));
    for (int k = 0; k < 4; ++k) {
      step<<<blocks(n, 64), 64, 0, stream>>>(da, db, n);
      for (int i = 0; i < n; ++i) want[i] = (want[i] * 3 + b[n - 1 - i]) & 0xffff;
      if (turn % 3 != 0 || k != 2) continue;
      through<<<blocks(n, 64), 64, 0, stream>>>(rows, 2, n);
      for (int i = 0; i < n; ++i) want[i] += 1, b[i] += 2;
    }
    CUDA_OK(cudaFreeAsync(db, stream));
    vector<int> got(n);
    CUDA_OK(cudaMemcpyAsync(got.data(), da, n * sizeof(int), cudaMemcpyDeviceToHost, stream));
    CUDA_OK(cudaStreamSynchronize(stream));
    CUDA_OK(cudaFree(da));
    CUDA_OK(cudaFree(rows));
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += got[i] != want[i];
    sums.push_back(wrong);
    sums.push_back(std::accumulate(got.begin(), got.end(), 0));
  }
  CUDA_OK(cudaStreamDestroy(stream));
  return sums;
}

int main() {
  constexpr int count = 4;
  vector<int> sums[count];
  std::thread threads[count];
  for (int t = 0; t < count; ++t) {
    threads[t] = std::thread([&sums, t] { sums[t] = work(100 + static_cast<unsigned>(t)); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const vector<int>& own : sums) {
    for (size_t i = 0; i < own.size(); i += 2) CHECK_EQ(own[i], 0);
    add_bytes(own.data(), own.size() * sizeof(int));
  }
  return finish();
}
