// What device code may call of the C library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../cuda_runtime.h"
