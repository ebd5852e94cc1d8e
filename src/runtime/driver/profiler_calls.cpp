// There is no profiler to start; both are legal at any time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/call.h"

#pragma GCC visibility push(default)
#include "cudaProfiler.h"
#pragma GCC visibility pop

using gridspan::runtime::driver::Needs;

CUresult cuProfilerStart(void) { return gridspan::runtime::driver::check(Needs::context); }
CUresult cuProfilerStop(void) { return gridspan::runtime::driver::check(Needs::context); }
