/* The C part.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "kernel.h"

int sum_all(const int* host, int n) {
  int class = 0; /* a C++ keyword: this really is compiled as C */
  for (int i = 0; i < n; ++i) class += host[i];
  return class;
}
