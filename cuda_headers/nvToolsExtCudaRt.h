// The name of NVTX 2.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "nvtx3/nvToolsExtCudaRt.h"
