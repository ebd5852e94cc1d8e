// Where threads of a GPU wait for each other, or stop, beyond what LLVM has intrinsics for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu.h"

DEVICE_FUNCTION void __trap() { __builtin_trap(); }

/// The driver gives a cooperative launch a place for its barrier; two registers hold the address.
static volatile unsigned* barrier_of_grid() {
  unsigned high, low;
  __asm__ volatile("mov.u32 %0, %%envreg1;" : "=r"(high));
  __asm__ volatile("mov.u32 %0, %%envreg2;" : "=r"(low));
  // The first word is the size of the place.
  return reinterpret_cast<volatile unsigned*>(static_cast<unsigned long long>(high) << 32 | low) +
         1;
}

/// Each block adds 1 and the first one what is missing to 2^31: bit 31 changes when all are there.
DEVICE_FUNCTION void gridspan_grid_barrier() {
  constexpr unsigned turn = 0x80000000u;
  const unsigned blocks = __nvvm_read_ptx_sreg_nctaid_x() * __nvvm_read_ptx_sreg_nctaid_y() *
                          __nvvm_read_ptx_sreg_nctaid_z();
  const bool is_first = (__nvvm_read_ptx_sreg_ctaid_x() | __nvvm_read_ptx_sreg_ctaid_y() |
                         __nvvm_read_ptx_sreg_ctaid_z()) == 0;
  const bool is_leader = (__nvvm_read_ptx_sreg_tid_x() | __nvvm_read_ptx_sreg_tid_y() |
                          __nvvm_read_ptx_sreg_tid_z()) == 0;
  __nvvm_barrier_sync(0);
  if (is_leader) {
    volatile unsigned* arrived = barrier_of_grid();
    __nvvm_membar_gl();
    const unsigned before = __atomic_fetch_add(
        const_cast<unsigned*>(arrived), is_first ? turn - (blocks - 1) : 1u, __ATOMIC_RELAXED);
    while (((before ^ *arrived) & turn) == 0) {
    }
    __nvvm_membar_gl();
  }
  __nvvm_barrier_sync(0);
}
