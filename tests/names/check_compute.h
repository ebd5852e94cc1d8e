// Calls `compute` at odd sizes, with outputs that no library may leave as they are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int check_compute(int (*compute)(float*, const float*, int)) {
  static const int sizes[] = {1, 97, 10007};
  for (int k = 0; k < 3; ++k) {
    const int n = sizes[k];
    float* const in = (float*)malloc(n * sizeof(float));
    float* const out = (float*)malloc(n * sizeof(float));
    for (int i = 0; i < n; ++i) in[i] = i % 1013, out[i] = NAN;
    const int line = compute(out, in, n);
    if (line) return printf("compute failed in line %d\n", line), 1;
    for (int i = 0; i < n; ++i) {
      if (out[i] != 3 * in[i] + 0.25f) return printf("n %d: out[%d] is %g\n", n, i, out[i]), 1;
    }
    free(in);
    free(out);
  }
  puts("right");
  return 0;
}
