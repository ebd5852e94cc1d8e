// What is not freed is told at exit, in every mode; what is, is not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -O0 %s -o %t => 0
// STEP: GRIDSPAN_CHECK=leaks %t => 0
// EXPECT: leaks\.cu:20: note: 44 bytes are never freed: allocated by cudaMalloc, called in make_table\(int\), called in main
// EXPECT: leaks\.cu:28: note: 45 bytes
// EXPECT: leaks\.cu:29: note: 46 bytes
// EXPECT: ^gridspan: leaks: 135 bytes in 3 allocations are not freed$
// STEP: GRIDSPAN_CPU=interpret GRIDSPAN_CHECK=all %t => 0
// EXPECT: ^gridspan: leaks: 135 bytes in 3 allocations are not freed$
// REFUSE: error
// STEP: GRIDSPAN_CPU=interpret %t => 0
// EXPECT: finished
// REFUSE: leaks
#include <cstdio>


static int* make_table(int n) {
  int* table = nullptr;
  cudaMalloc(&table, n * sizeof(int));
  return table;
}

int main() {
  int *freed = nullptr, *managed = nullptr, *pinned = nullptr;
  cudaMalloc(&freed, 44);
  make_table(11);
  cudaMallocManaged(&managed, 45);
  cudaMallocHost(&pinned, 46);
  cudaFree(freed);
  std::printf("finished\n");
  return 0;
}
