// Atomic operations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define __DEVICE_ATOMIC_FUNCTIONS_H__

#include "cuda_runtime.h"
