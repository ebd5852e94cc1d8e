// Start and stop of profiling, driver API.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cuda.h"

#if defined(__cplusplus)
extern "C" {
#endif
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);
#if defined(__cplusplus)
}
#endif
