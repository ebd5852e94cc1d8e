// The kernels of Mekong's and BBMM's programs: those of the model tests, without their tests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define main mekong_tests
#include "../../tests/model/mekong.cu"
#undef main
#define main bbmm_tests
#include "../../tests/model/bbmm.cu"
#undef main
