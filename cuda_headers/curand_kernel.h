// Random numbers for kernels to draw (cuRAND's device functions). Nothing to link with.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define CURAND_KERNEL_H_

#include "curand.h"

#ifdef __cplusplus
#include "gridspan/rand_discrete.h"
#include "gridspan/rand_normal.h"
#include "gridspan/rand_poisson.h"
#include "gridspan/rand_states.h"
#include "gridspan/rand_uniform.h"
#endif
