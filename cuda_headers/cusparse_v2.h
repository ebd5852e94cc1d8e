// Sparse linear algebra (cuSPARSE): the name of cusparse.h between CUDA 4 and 5.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cusparse.h"
