// What a generator of cuRAND's is set to, and where it has come to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/rand/api/mt19937.h"
#include "libraries/rand/kernels/generate.h"
#include "libraries/support/device_array.h"

#include <curand.h>

struct curandGenerator_st {
  curandRngType_t type = CURAND_RNG_PSEUDO_DEFAULT;
  bool on_host = false;  // numbers go into host memory
  cudaStream_t stream = nullptr;
  unsigned long long seed = 0;
  unsigned long long offset = 0;
  curandOrdering_t ordering = CURAND_ORDERING_PSEUDO_DEFAULT;
  unsigned int dimensions = 1;

  // Made of the settings when numbers are first asked for after a change.
  bool is_ready = false;
  gridspan::libraries::DeviceArray states;  // XORWOW, MRG32k3a: of every lane
  int lanes = 0, next_lane = 0;
  gridspan::libraries::rand::PhiloxPlace philox;
  gridspan::libraries::rand::mt19937::Place mt19937;
  gridspan::libraries::DeviceArray vectors, starts;  // Sobol's,
  unsigned int dimensions_made = 0;                  // of so many dimensions
  unsigned long long next_point = 0;
  gridspan::libraries::DeviceArray poisson;  // the table of the mean that was asked for last
  double poisson_mean = 0;
};

namespace gridspan::libraries::rand {

bool is_pseudo(curandRngType_t type);
bool is_quasi(curandRngType_t type);
/// Whose numbers have 64 bits.
bool is_long(curandRngType_t type);
bool is_scrambled(curandRngType_t type);
/// XORWOW and MRG32k3a. Philox serves for MTGP32: see docs/libraries.md.
bool is_recurrence(curandRngType_t type);
Recurrence recurrence_of(curandRngType_t type);

/// Seeds and tables are in device memory.
curandStatus_t make_ready(curandGenerator_st& generator);

}  // namespace gridspan::libraries::rand
