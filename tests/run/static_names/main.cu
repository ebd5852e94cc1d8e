// Asks each file for its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check.h"

cudaError_t run_part1(const int* in, int* out, int n, const int* given, int more);
cudaError_t run_part2(const int* in, int* out, int n, const int* given, int more);
cudaError_t run_part3(const int* in, int* out, int n, const int* given, int more);

int main() {
  using Run = cudaError_t (*)(const int*, int*, int, const int*, int);
  const Run parts[] = {run_part1, run_part2, run_part3};
  check::Random random(11);
  for (int n : {1, 61, 64, 1237})
    for (int part = 1; part <= 3; ++part) {
      const auto in = random.integers<int>(n, -99, 99), given = random.integers<int>(2, -9, 9);
      const int more = part * 1000;
      check::Array<int> source(in), out(std::vector<int>(n, -7));
      CUDA_OK(parts[part - 1](source.data(), out.data(), n, given.data(), more));
      auto scaled = [&](int i) { return i < n ? in[i] * given[part % 2] + more : 0; };
      std::vector<int> want(n);
      for (int i = 0; i < n; ++i)
        want[i] = scaled(i) + scaled(i ^ 1) * part + in[(i + 1) % n] * part;
      check::equal("part " + std::to_string(part), out.get(), want);
    }
  return check::finish();
}
