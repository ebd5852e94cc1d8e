// Loads of device variables: they stay where their conditions are, although they could not fault.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model.h"

using namespace model;

__device__ int limits[6];
__device__ int scale[1] = {3};
__constant__ int steps[24];

// Each branch reads its own element.
__global__ void chosen_element(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i < 20 ? limits[1] : limits[4];
}

// Not before the other half of the condition holds.
__global__ void second_condition(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i >= 30 && limits[3] < 8) return;
  out[i] = i;
}

// One turn of the loop, in which some launches have none.
__global__ void one_turn(int* out, int w, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int k = 0; k < n; k += blockDim.x) sum += w - k == k ? scale[0] : 0;
  out[i] = sum;
}

// Which elements of the tables depends on data; no more of them than there are. The second one is
// private to a block: nothing is said of it.
__global__ void looked_up(const int* in, int* out, int n) {
  __shared__ int counts[17];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    for (int k = 0; k < 17; ++k) counts[k] = 100 * k;
  __syncthreads();
  if (i < n) out[i] = steps[in[i]] + counts[in[i] / 2];
}

static void test(int n, int w, unsigned block) {
  const unsigned grid = blocks(n, block);
  const int threads = static_cast<int>(grid * block), step = static_cast<int>(block);
  const vector<int> numbers{5, 11, 2, 3, 17, 8};
  CUDA_OK(cudaMemcpyToSymbol(limits, numbers.data(), sizeof limits));
  vector<int> table(24), places(n), found(n);
  for (int k = 0; k < 24; ++k) table[k] = 3 * k * k - 7;
  for (int i = 0; i < n; ++i) places[i] = (i * 11 + w + 24) % 24;
  for (int i = 0; i < n; ++i) found[i] = table[places[i]] + 100 * (places[i] / 2);
  CUDA_OK(cudaMemcpyToSymbol(steps, table.data(), table.size() * sizeof(int)));
  Array<int> chosen(n), second(n), turn(threads), place(places), looked(n);
  chosen_element<<<grid, block>>>(chosen.data(), n);
  second_condition<<<grid, block>>>(second.data(), n);
  one_turn<<<grid, block>>>(turn.data(), w, n);
  looked_up<<<grid, block>>>(place.data(), looked.data(), n);
  vector<int> chosen_want(n), second_want = poisoned<int>(n), turn_want(threads);
  for (int i = 0; i < n; ++i) chosen_want[i] = i < 20 ? 11 : 17;
  for (int i = 0; i < n && i < 30; ++i) second_want[i] = i;
  const bool meets = w >= 0 && w % 2 == 0 && w / 2 < n && (w / 2) % step == 0;
  for (int& sum : turn_want) sum = meets ? 3 : 0;
  equal("chosen_element", chosen.get(), chosen_want);
  equal("second_condition", second.get(), second_want);
  equal("one_turn", turn.get(), turn_want);
  equal("looked_up", looked.get(), found);
}

int main() {
  test(61, 32, 16);
  test(10, 39, 4);
  test(64, -4, 8);
  return check::finish();
}
