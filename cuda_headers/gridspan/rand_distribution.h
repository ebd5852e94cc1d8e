// The table of a discrete distribution: the host makes it, kernels draw of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../curand.h"

/// In one piece: `sums` goes on behind the structure.
struct curandDiscreteDistribution_st {
  unsigned int shift;   // the first number
  unsigned int length;  // how many numbers there are
  double sums[1];       // the probability of numbers up to each; the last one's is not read
};
