// Virtual functions and with them the tables of two classes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parts.h"

__device__ int Shape::area() const { return cubed(size_); }
__device__ int Square::area() const { return size_ * size_; }
__device__ int Square::corners() const { return 4; }
