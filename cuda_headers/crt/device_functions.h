// Device intrinsics.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define __DEVICE_FUNCTIONS_H__

#include "../cuda_runtime.h"
