// What the files of one device link say of each other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "../check.h"

std::size_t first(int* a, float* b, int n);
std::size_t second(int* a, float* b, int n);
__device__ int tripled(int i);
__global__ void squares(int* out, int n);
