// Descriptions of texture and surface objects.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "driver_types.h"
