// The keywords of CUDA C++.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "crt/host_defines.h"
