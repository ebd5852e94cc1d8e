// A part of cuRAND's device functions that programs include by itself: here it is all of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "curand_kernel.h"
