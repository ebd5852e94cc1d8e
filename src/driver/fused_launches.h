// Launches that are to be one kernel, and the models of their kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "driver/container_reader.h"
#include "support/fused_launches.h"
#include "support/result.h"

namespace gridspan::driver {

/// Fails, with the reason, unless the models in the container prove that it may be.
support::Result<void> prove_fusible(const DeviceSource& source,
                                    const support::FusedLaunches& launches);

}  // namespace gridspan::driver
