// What CUDA's headers say about the host compiler.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "crt/host_config.h"
