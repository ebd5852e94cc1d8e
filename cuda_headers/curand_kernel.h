// Random numbers for kernels to draw (cuRAND's device functions). Nothing to link with.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define CURAND_KERNEL_H_

#include "curand.h"

// As NVIDIA's does: programs rely on them.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
#include <cmath>
#include <cstdlib>
#include <limits>
#endif

#if __cplusplus >= 201103L || defined(__CUDACC__)
#include "gridspan/rand_states.h"
#include "gridspan/rand_uniform.h"
#ifdef __CUDACC__  // these call CUDA's math functions
#include "gridspan/rand_discrete.h"
#include "gridspan/rand_normal.h"
#include "gridspan/rand_poisson.h"
#endif
#endif
