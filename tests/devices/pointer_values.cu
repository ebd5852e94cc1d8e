// Kernels that use pointers as values: ends of ranges, differences, comparisons, alignment.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of a range may be the address of the next allocation, or the gap between two.
#include "devices.h"

using namespace devices;

__global__ void fill_range(int* first, int* last, int value) {
  int* const at = first + global_x();
  if (at < last) *at = value + global_x();
}
__global__ void sum_range(const int* first, const int* last, int* out) {
  const int i = global_x();
  const int n = static_cast<int>(last - first);
  if (i < n) out[i] = first[i] + first[n - 1 - i];
}
__global__ void differences(const int* a, const int* b, long long* out, int n) {
  const int i = global_x();
  if (i >= n) return;
  out[i] = (a + i) - b + (a == b ? 1000000 : 0) + (a < b ? 2000000 : 0);
}
__global__ void aligned_only(const char* a, int* out, int n) {
  const int i = global_x();
  if (i < n) out[i] = reinterpret_cast<unsigned long long>(a + i) % 16 == 0;
}
__global__ void addresses(int* a, unsigned long long* out, int n) {
  const int i = global_x();
  if (i < n) out[i] = reinterpret_cast<unsigned long long>(a + i);
}
__global__ void one_based(const int* before, int* out_before, int n) {
  const int i = global_x() + 1;
  if (i <= n) out_before[i] = before[i] * 2;
}
__global__ void if_given(int* a, const int* maybe, int n) {
  const int i = global_x();
  if (i < n) a[i] += maybe != nullptr ? maybe[i] : -1;
}
// In place when both are the same, reversed when not.
__global__ void same_or_not(const int* a, int* b, int n) {
  const int i = global_x();
  if (i < n) b[i] = a == b ? a[i] + 1 : a[n - 1 - i];
}

/// Allocations side by side, of sizes that leave no gaps.
struct Neighbours {
  explicit Neighbours(int n) {
    for (int*& p : all) CUDA_OK(cudaMalloc(&p, n * sizeof(int)));
    for (int* p : all) CUDA_OK(cudaMemset(p, 0, n * sizeof(int)));
  }
  ~Neighbours() {
    for (int* p : all) cudaFree(p);
  }
  int* all[6];
};
vector<int> read(const int* p, int n) {
  vector<int> got(n);
  CUDA_OK(cudaMemcpy(got.data(), p, n * sizeof(int), cudaMemcpyDeviceToHost));
  return got;
}

int main() {
  for (const int n : {64, 640, 1009, 4096}) {
    Neighbours memory(n);
    vector<int> want(n);
    for (int k = 0; k < 6; ++k)
      fill_range<<<blocks(n, 32), 32>>>(memory.all[k], memory.all[k] + n, k);
    for (int k = 0; k < 6; ++k) {
      std::iota(want.begin(), want.end(), k);
      result("filled", read(memory.all[k], n), want);
    }
    sum_range<<<blocks(n, 32), 32>>>(memory.all[0], memory.all[0] + n, memory.all[1]);
    std::fill(want.begin(), want.end(), n - 1);
    result("summed", read(memory.all[1], n), want);

    Array<long long> distances(n);
    int* const a = memory.all[2];
    differences<<<blocks(n, 32), 32>>>(a, a, distances.data(), n);
    vector<long long> apart(n);
    for (int i = 0; i < n; ++i) apart[i] = i + 1000000;
    result("same", distances, apart);
    differences<<<blocks(n, 32), 32>>>(a, a + 17, distances.data(), n);
    for (int i = 0; i < n; ++i) apart[i] = i - 17 + 2000000;
    result("apart", distances, apart);

    Array<int> out(n);
    for (const int offset : {0, 1, 8, 13}) {
      aligned_only<<<blocks(n - 13, 32), 32>>>(reinterpret_cast<char*>(a) + offset, out.data(),
                                               n - 13);
      vector<int> aligned = out.get();
      int wrong = 0;
      for (int i = 0; i < n - 13; ++i) wrong += aligned[i] != ((i + offset) % 16 == 0);
      CHECK_EQ(wrong, 0);
    }

    Array<unsigned long long> numbers(n);
    addresses<<<blocks(n, 32), 32>>>(a, numbers.data(), n);
    int strange = 0;
    const vector<unsigned long long> seen = numbers.get();
    for (int i = 0; i < n; ++i) strange += seen[i] != reinterpret_cast<std::uintptr_t>(a + i);
    CHECK_EQ(strange, 0);

    // Arrays that count from 1, as in numerical recipes.
    one_based<<<blocks(n, 32), 32>>>(memory.all[0] - 1, memory.all[3] - 1, n);
    for (int i = 0; i < n; ++i) want[i] = 2 * i;
    result("one-based", read(memory.all[3], n), want);

    if_given<<<blocks(n, 32), 32>>>(memory.all[3], nullptr, n);
    if_given<<<blocks(n, 32), 32>>>(memory.all[3], memory.all[0], n);
    for (int i = 0; i < n; ++i) want[i] = 3 * i - 1;
    result("given", read(memory.all[3], n), want);

    same_or_not<<<blocks(n, 32), 32>>>(memory.all[3], memory.all[3], n);
    for (int& value : want) ++value;
    result("same pointer", read(memory.all[3], n), want);
    same_or_not<<<blocks(n, 32), 32>>>(memory.all[3], memory.all[4], n);
    std::reverse(want.begin(), want.end());
    result("other pointer", read(memory.all[4], n), want);
  }
  return finish();
}
