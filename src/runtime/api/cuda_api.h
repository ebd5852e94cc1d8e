// The public CUDA headers as the run time includes them: our definitions are exported.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#pragma GCC visibility push(default)
#include "cuda_runtime_api.h"
#pragma GCC visibility pop
