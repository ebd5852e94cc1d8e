// What CUDA's headers say about the host compiler; programs only include it for its name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define __HOST_CONFIG_H__

#include <features.h>
