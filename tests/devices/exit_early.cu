// Programs that end while work is on its way: they end at once, and well.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

constexpr int n = 100003;
__device__ int line[n];

__global__ void add(int* a, int count) {
  const int i = global_x();
  if (i < count) a[i] += line[i];
}
__global__ void shift(int* a, int count) {
  const int i = global_x();
  if (i < count - 1) line[i] = a[i + 1];
}
__global__ void home(int* const* rows, int count) {
  const int i = global_x();
  if (i < count) rows[0][i] += 1;
}

/// Host memory that goes away when main does.
struct Host {
  vector<int> values = vector<int>(n, 3);
};

int leave(int turns) {  // in a child, as the end of main leaves it
  static Host host;
  int *a = nullptr, *pinned = nullptr, **rows = nullptr;
  CUDA_OK(cudaMalloc(&a, n * sizeof(int)));
  CUDA_OK(cudaMalloc(&rows, sizeof(int*)));
  CUDA_OK(cudaMallocHost(&pinned, n * sizeof(int)));
  CUDA_OK(cudaMemcpy(a, host.values.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemcpy(rows, &a, sizeof a, cudaMemcpyHostToDevice));
  for (int turn = 0; turn < turns; ++turn) {
    add<<<blocks(n, 256), 256>>>(a, n);
    shift<<<blocks(n, 256), 256>>>(a, n);
    CUDA_OK(cudaMemcpyAsync(pinned, a, n * sizeof(int), cudaMemcpyDeviceToHost));
    if (turn % 10 == 9) home<<<blocks(n, 256), 256>>>(rows, n);
  }
  std::exit(0);
}

int main() {
  // A verified launch is over before the next; a full queue is the point of the long runs: it holds
  // 1 024 works, and each turn is three. So the last three of twelve programs fill it.
  const int step = std::getenv("GRIDSPAN_VERIFY") ? 1 : 5;
  for (int turn = 0; turn < 12; ++turn) {
    const auto outcome = check::in_child([&] { return leave(1 + turn * turn * step); });
    if (!CHECK_EQ(outcome.exit_code, 0)) std::fputs(outcome.output.c_str(), stderr);
  }
  return finish();
}
