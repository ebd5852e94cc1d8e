// Rounding modes by name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "crt/host_defines.h"

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
