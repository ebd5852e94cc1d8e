// Whose math functions kernels call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/vector_math.h"

namespace gridspan::devices::cpu {

extern bool is_lane_by_lane;  // vector_math_forms.h, for sources of other instruction sets
bool is_lane_by_lane = false;

void choose_math(support::CpuMath wanted) {
  __atomic_store_n(&is_lane_by_lane, wanted == support::CpuMath::libm, __ATOMIC_RELAXED);
}

}  // namespace gridspan::devices::cpu
