// The instrumented build of a module, made by gridcc when the program runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/recording.h"
#include "support/result.h"

namespace gridspan::runtime::verify {

/// Hands the module's container to the gridcc that lies beside this library (lib/../bin/gridcc) and
/// loads what it makes. Nothing is written to disk by us. The result stays loaded to the end of the
/// process. Takes as long as compiling the module.
support::Result<const abi::Recording*> make_recording_build(const abi::Module& module);

}  // namespace gridspan::runtime::verify
