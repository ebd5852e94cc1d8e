// make_char1 … make_double4 under the other name programs include.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "vector_functions.h"
