// Barriers, fences and votes of a block and of a warp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each call is one llvm.nvvm intrinsic; __syncthreads is a builtin of clang.
#pragma once

#include "device_macros.h"

GRIDSPAN_DEVICE int __syncthreads_count(int predicate) { return __nvvm_bar0_popc(predicate); }
GRIDSPAN_DEVICE int __syncthreads_and(int predicate) { return __nvvm_bar0_and(predicate); }
GRIDSPAN_DEVICE int __syncthreads_or(int predicate) { return __nvvm_bar0_or(predicate); }
GRIDSPAN_DEVICE void __barrier_sync(unsigned int id) { __nvvm_barrier_sync(id); }
GRIDSPAN_DEVICE void __barrier_sync_count(unsigned int id, unsigned int count) {
  __nvvm_barrier_sync_cnt(id, count);
}

GRIDSPAN_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
GRIDSPAN_DEVICE void __threadfence() { __nvvm_membar_gl(); }
GRIDSPAN_DEVICE void __threadfence_system() { __nvvm_membar_sys(); }

GRIDSPAN_DEVICE void __syncwarp(unsigned int mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
GRIDSPAN_DEVICE unsigned int __activemask() { return __nvvm_activemask(); }
GRIDSPAN_DEVICE int __all_sync(unsigned int mask, int predicate) {
  return __nvvm_vote_all_sync(mask, predicate);
}
GRIDSPAN_DEVICE int __any_sync(unsigned int mask, int predicate) {
  return __nvvm_vote_any_sync(mask, predicate);
}
GRIDSPAN_DEVICE int __uni_sync(unsigned int mask, int predicate) {
  return __nvvm_vote_uni_sync(mask, predicate);
}
GRIDSPAN_DEVICE unsigned int __ballot_sync(unsigned int mask, int predicate) {
  return __nvvm_vote_ballot_sync(mask, predicate);
}

// Without a mask (CUDA 8): the lanes that are there together.
GRIDSPAN_DEVICE int __all(int predicate) { return __all_sync(__activemask(), predicate); }
GRIDSPAN_DEVICE int __any(int predicate) { return __any_sync(__activemask(), predicate); }
GRIDSPAN_DEVICE unsigned int __ballot(int predicate) {
  return __ballot_sync(__activemask(), predicate);
}
