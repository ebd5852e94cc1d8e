// A part of cuDNN's interface: all of it is in cudnn.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cudnn.h"
