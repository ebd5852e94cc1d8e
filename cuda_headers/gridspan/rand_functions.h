// What all headers of cuRAND's device functions share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../cuda_runtime.h"
#include "../curand.h"

/// How the functions are declared. A program that defines it first has them on the host, too.
#ifndef QUALIFIERS
#define QUALIFIERS static __forceinline__ __device__
#endif
