// gridcc --compile-verify: a recording build of one module, for GRIDSPAN_VERIFY.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "driver/invocation.h"

namespace gridspan::driver {

/// Compiles the bitcode in the container file `step.container` once more, with every access to
/// memory recorded, into the shared object `step.output` (abi/recording.h). For `step.cpu` unless
/// the module names a CPU. Returns the exit status.
int run_recording_step(const InternalStep& step);

}  // namespace gridspan::driver
