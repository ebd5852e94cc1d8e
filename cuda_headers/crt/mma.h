// Part of mma.h by another name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../mma.h"
