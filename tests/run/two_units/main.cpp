// Calls both units, in turn.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <vector>

std::vector<int> run_first(int n);
std::vector<int> run_second(int n);
int failure_count();

int main() {
  for (int round = 0; round < 2; ++round) {
    run_first(99);
    run_second(66);
  }
  std::printf("%d failures\n", failure_count());
  return failure_count() != 0;
}
