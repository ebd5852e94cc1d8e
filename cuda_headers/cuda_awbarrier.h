// cuda_awbarrier_primitives.h by another name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cuda_awbarrier_primitives.h"
