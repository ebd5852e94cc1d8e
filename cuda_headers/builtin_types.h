// Every type of the CUDA runtime API.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Programs ask by this name whether the header has been included.
#define __BUILTIN_TYPES_H__

#include "driver_types.h"
#include "vector_types.h"
