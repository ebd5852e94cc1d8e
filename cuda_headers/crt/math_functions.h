// CUDA's math functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define __MATH_FUNCTIONS_H__

#include "../cuda_runtime.h"
