// cuda::thread_scope, memory orders and aligned sizes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../cuda_runtime.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

#define GRIDSPAN_CUDA_FUNCTION \
  __inline__ __attribute__((always_inline, __nodebug__)) __host__ __device__

namespace cuda {

enum thread_scope {
  thread_scope_system,
  thread_scope_device,
  thread_scope_block,
  thread_scope_thread = 10,
};

namespace std {
using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;
using ::std::ptrdiff_t;
using ::std::size_t;
}  // namespace std
using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

/// A number of bytes, and what the addresses that go with it are multiples of.
template <::std::size_t Alignment>
struct aligned_size_t {
  static constexpr ::std::size_t align = Alignment;
  ::std::size_t value;
  GRIDSPAN_CUDA_FUNCTION explicit constexpr aligned_size_t(::std::size_t bytes) : value(bytes) {}
  GRIDSPAN_CUDA_FUNCTION constexpr operator ::std::size_t() const { return value; }
};

}  // namespace cuda
