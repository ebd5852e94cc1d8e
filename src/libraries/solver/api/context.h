// What handles and parameters of cuSOLVER hold.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/support/device_array.h"

#include <cusolverDn.h>
#include <cusolverSp.h>

#include <array>

struct cusolverDnContext {
  cudaStream_t stream = nullptr;
  cusolverDeterministicMode_t deterministic = CUSOLVER_DETERMINISTIC_RESULTS;
};

struct cusolverSpContext {
  cudaStream_t stream = nullptr;
};

/// The documented defaults. The tolerance and the limit of sweeps are kept: what computes has its
/// own.
struct gridspan_jacobi {
  double tolerance = 0;  // 0: the element type's precision
  int most_sweeps = 100;
  bool sorts = true;
  bool was_batched = false;                 // of which there is no report
  gridspan::libraries::DeviceArray report;  // a SweepReport
};
struct syevjInfo : gridspan_jacobi {};
struct gesvdjInfo : gridspan_jacobi {};

struct cusolverDnParams {
  std::array<cusolverAlgMode_t, 3> algorithms{};  // by cusolverDnFunction_t
};
