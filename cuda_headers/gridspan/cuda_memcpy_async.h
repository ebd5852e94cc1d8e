// cuda::memcpy_async: the copy is done when it returns, and what waits for it need not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cuda_barrier.h"

namespace cuda {

enum class async_contract_fulfillment { none, async };

namespace gridspan_details {

template <class Word>
GRIDSPAN_CUDA_FUNCTION void copy_words(void* to, const void* from, ::std::size_t bytes,
                                       ::std::size_t first, ::std::size_t step) {
  for (::std::size_t i = first; i < bytes / sizeof(Word); i += step)
    static_cast<Word*>(to)[i] = static_cast<const Word*>(from)[i];
}

/// What thread `rank` of `count` copies.
GRIDSPAN_CUDA_FUNCTION void copy_share(void* to, const void* from, ::std::size_t bytes,
                                       ::std::size_t rank, ::std::size_t count) {
  const ::std::uintptr_t all =
      reinterpret_cast<::std::uintptr_t>(to) | reinterpret_cast<::std::uintptr_t>(from) | bytes;
  if (all % sizeof(unsigned int) == 0)
    copy_words<unsigned int>(to, from, bytes, rank, count);
  else
    copy_words<unsigned char>(to, from, bytes, rank, count);
}

/// The size says how the addresses are aligned, so the words are known when compiling.
template <::std::size_t Alignment>
GRIDSPAN_CUDA_FUNCTION void copy_share(void* to, const void* from,
                                       const aligned_size_t<Alignment>& size, ::std::size_t rank,
                                       ::std::size_t count) {
  if constexpr (Alignment >= 4) {
    copy_words<unsigned int>(to, from, size.value, rank, count);
    // What is left of a size that is not a multiple.
    if (rank == 0)
      copy_words<unsigned char>(static_cast<char*>(to) + size.value / 4 * 4,
                                static_cast<const char*>(from) + size.value / 4 * 4, size.value % 4,
                                0, 1);
  } else {
    copy_share(to, from, size.value, rank, count);
  }
}

}  // namespace gridspan_details

template <thread_scope Scope>
class pipeline;

namespace gridspan_details {

template <class T>
struct is_copy_target : ::std::false_type {};
template <thread_scope Scope, class Completion>
struct is_copy_target<barrier<Scope, Completion>> : ::std::true_type {};
template <thread_scope Scope>
struct is_copy_target<pipeline<Scope>> : ::std::true_type {};
template <class T>
using for_copy_target = typename ::std::enable_if<is_copy_target<T>::value, int>::type;

}  // namespace gridspan_details

/// By all threads of `group`; `target` is a barrier or a pipeline.
template <class Group, class T, class Size, class Target,
          gridspan_details::for_copy_target<Target> = 0>
GRIDSPAN_CUDA_FUNCTION async_contract_fulfillment memcpy_async(const Group& group, T* to,
                                                               const T* from, const Size& size,
                                                               Target&) {
  gridspan_details::copy_share(to, from, size, group.thread_rank(), group.size());
  return async_contract_fulfillment::none;
}
template <class Group, class Size, class Target, gridspan_details::for_copy_target<Target> = 0>
GRIDSPAN_CUDA_FUNCTION async_contract_fulfillment memcpy_async(const Group& group, void* to,
                                                               const void* from, const Size& size,
                                                               Target&) {
  gridspan_details::copy_share(to, from, size, group.thread_rank(), group.size());
  return async_contract_fulfillment::none;
}
/// By the calling thread.
template <class T, class Size, class Target, gridspan_details::for_copy_target<Target> = 0>
GRIDSPAN_CUDA_FUNCTION async_contract_fulfillment memcpy_async(T* to, const T* from,
                                                               const Size& size, Target&) {
  gridspan_details::copy_share(to, from, size, 0, 1);
  return async_contract_fulfillment::none;
}
template <class Size, class Target, gridspan_details::for_copy_target<Target> = 0>
GRIDSPAN_CUDA_FUNCTION async_contract_fulfillment memcpy_async(void* to, const void* from,
                                                               const Size& size, Target&) {
  gridspan_details::copy_share(to, from, size, 0, 1);
  return async_contract_fulfillment::none;
}

namespace device {

/// Copies and counts the bytes as arrived.
template <class T, ::std::size_t Alignment>
__device__ async_contract_fulfillment memcpy_async_tx(T* to, const T* from,
                                                      aligned_size_t<Alignment> size,
                                                      barrier<thread_scope_block>& at) {
  gridspan_details::copy_share(to, from, size, 0, 1);
  __gridspan_mbarrier_transaction(reinterpret_cast<unsigned long long*>(at.gridspan_native()),
                                  -(int)size.value);
  return async_contract_fulfillment::none;
}

}  // namespace device
}  // namespace cuda
