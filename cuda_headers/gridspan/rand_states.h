// The states of cuRAND's generators, by what is alike about them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Overloads, not templates: a program may derive from a state.
#pragma once

#include "rand_mrg32k3a.h"
#include "rand_philox.h"
#include "rand_sobol.h"
#include "rand_xorwow.h"

#define GRIDSPAN_RAND_PSEUDO_STATES(DO) \
  DO(curandStateXORWOW_t)               \
  DO(curandStatePhilox4_32_10_t)        \
  DO(curandStateMRG32k3a_t)
#define GRIDSPAN_RAND_QUASI_STATES(DO) \
  DO(curandStateSobol32_t)             \
  DO(curandStateScrambledSobol32_t)    \
  DO(curandStateSobol64_t)             \
  DO(curandStateScrambledSobol64_t)
