// Loads of device variables: they stay where their conditions are, although they could not fault.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model.h"

using namespace model;

__device__ int limits[6];
__device__ int scale[1] = {3};

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

static void test(int n, int w, unsigned block) {
  const unsigned grid = blocks(n, block);
  const int threads = static_cast<int>(grid * block), step = static_cast<int>(block);
  const vector<int> numbers{5, 11, 2, 3, 17, 8};
  CUDA_OK(cudaMemcpyToSymbol(limits, numbers.data(), sizeof limits));
  Array<int> chosen(n), second(n), turn(threads);
  chosen_element<<<grid, block>>>(chosen.data(), n);
  second_condition<<<grid, block>>>(second.data(), n);
  one_turn<<<grid, block>>>(turn.data(), w, n);
  vector<int> chosen_want(n), second_want = poisoned<int>(n), turn_want(threads);
  for (int i = 0; i < n; ++i) chosen_want[i] = i < 20 ? 11 : 17;
  for (int i = 0; i < n && i < 30; ++i) second_want[i] = i;
  const bool meets = w >= 0 && w % 2 == 0 && w / 2 < n && (w / 2) % step == 0;
  for (int& sum : turn_want) sum = meets ? 3 : 0;
  equal("chosen_element", chosen.get(), chosen_want);
  equal("second_condition", second.get(), second_want);
  equal("one_turn", turn.get(), turn_want);
}

int main() {
  test(61, 32, 16);
  test(10, 39, 4);
  test(64, -4, 8);
  return check::finish();
}
