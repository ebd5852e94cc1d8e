// __mbarrier_*: barriers of a block that are arrived at and waited for apart.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stdint.h>

#include "cuda_runtime.h"

#include "gridspan/device_mbarrier.h"

typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;

GRIDSPAN_HOST_DEVICE unsigned int __mbarrier_maximum_count() { return (1u << 20) - 1; }
GRIDSPAN_DEVICE void __mbarrier_init(__mbarrier_t* barrier, unsigned int expected) {
  __gridspan_mbarrier_init(barrier, expected);
}
GRIDSPAN_DEVICE void __mbarrier_inval(__mbarrier_t*) {}
GRIDSPAN_DEVICE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) {
  return __gridspan_mbarrier_arrive(barrier, 1, 0, 0);
}
GRIDSPAN_DEVICE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
  return __gridspan_mbarrier_arrive(barrier, 1, 1, 0);
}
GRIDSPAN_DEVICE bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) {
  return __gridspan_mbarrier_test(barrier, token) != 0;
}
GRIDSPAN_DEVICE bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool parity) {
  return __gridspan_mbarrier_test_parity(barrier, parity) != 0;
}
/// A wait may end early: its caller asks again.
GRIDSPAN_DEVICE bool __mbarrier_try_wait(__mbarrier_t* barrier, __mbarrier_token_t token,
                                         unsigned int) {
  return __gridspan_mbarrier_test(barrier, token) != 0;
}
GRIDSPAN_DEVICE bool __mbarrier_try_wait_parity(__mbarrier_t* barrier, bool parity, unsigned int) {
  return __gridspan_mbarrier_test_parity(barrier, parity) != 0;
}
GRIDSPAN_DEVICE unsigned int __mbarrier_token_pending_count(__mbarrier_token_t token) {
  return __gridspan_mbarrier_pending(token);
}
