// Tables of Poisson's distribution, as kernels search them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/support/device_array.h"

#include <curand.h>

namespace gridspan::libraries::rand {

/// Larger means have no tables: numbers follow the normal approximation.
constexpr double largest_table_mean = 400000;

/// Into device memory: a curandDiscreteDistribution_st. False if there is no memory. Numbers more
/// than eight deviations below the mean, and twelve above it, are left out.
/// Behind the sums lies a guide of kernels of the library: see kernels/draws.h.
bool make_poisson_table(double mean, DeviceArray& table);

}  // namespace gridspan::libraries::rand
