// The device library's barrier objects (src/device_library/barrier_objects.cpp).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "device_macros.h"

extern "C" {
__device__ void __gridspan_mbarrier_init(unsigned long long* place, unsigned count);
__device__ unsigned long long __gridspan_mbarrier_arrive(unsigned long long* place, unsigned count,
                                                         unsigned dropped, unsigned bytes);
__device__ void __gridspan_mbarrier_transaction(unsigned long long* place, int bytes);
__device__ unsigned __gridspan_mbarrier_test(const volatile unsigned long long* place,
                                             unsigned long long state);
__device__ unsigned __gridspan_mbarrier_test_parity(const volatile unsigned long long* place,
                                                    unsigned parity);
/// Waits for the end of the phase whose parity the address's lowest bit says (src/abi/sync.h).
__device__ void gridspan_phase_wait(unsigned long long address_and_parity);
__device__ unsigned __gridspan_mbarrier_pending(unsigned long long state);
}
