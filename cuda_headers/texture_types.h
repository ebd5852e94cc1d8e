// Descriptions of texture and surface objects.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define __TEXTURE_TYPES_H__

#include "driver_types.h"
