// Other builds of a finished module, made from its container when the program runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "driver/invocation.h"

namespace gridspan::driver {

/// Makes a shared object from the container in the file `step.container`: of one kernel for
/// launches of which something is known if `step.kernel` names it (abi/specialise.h), else one that
/// records accesses (abi/recording.h). Returns the exit status.
int run_container_step(const InternalStep& step);

}  // namespace gridspan::driver
