// The built-in variables threadIdx, blockIdx, blockDim, gridDim.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "cuda_runtime.h"
