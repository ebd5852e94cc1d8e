// Says how many numbers came out right.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pieces.h"

#include <cstdio>

int main(int, char** argv) {
  const int n = 10007;
  std::printf("%s: %d of %d right\n", argv[0], count_scaled(n, 3.0f), n);
}
