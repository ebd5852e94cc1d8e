// cuda::atomic and cuda::atomic_ref: std::atomic with a scope, on host and device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every scope is as wide as the machine.
#pragma once

#include "cuda_scope.h"

#include <type_traits>

namespace cuda {
namespace gridspan_details {

GRIDSPAN_CUDA_FUNCTION constexpr int builtin_order(memory_order order) { return (int)order; }
/// Without the release half, for loads and failed exchanges.
GRIDSPAN_CUDA_FUNCTION constexpr int load_order(memory_order order) {
  return order == memory_order_acq_rel   ? __ATOMIC_ACQUIRE
         : order == memory_order_release ? __ATOMIC_RELAXED
                                         : (int)order;
}

/// What is added to a T, and how much of it one step is.
template <class T>
struct difference_of {
  using type = T;
  static constexpr int unit = 1;
};
template <class T>
struct difference_of<T*> {
  using type = ::std::ptrdiff_t;
  static constexpr ::std::ptrdiff_t unit = sizeof(T);
};

/// What atomic and atomic_ref have in common: `Self` says where the value is. That it is volatile
/// makes no difference.
template <class T, class Self>
struct atomic_operations {
  static_assert(::std::is_trivially_copyable<T>::value, "atomic values are trivially copyable");
  using value_type = T;

  GRIDSPAN_CUDA_FUNCTION T load(memory_order order = memory_order_seq_cst) const volatile noexcept {
    T value;
    __atomic_load(place(), &value, load_order(order));
    return value;
  }
  GRIDSPAN_CUDA_FUNCTION operator T() const volatile noexcept { return load(); }
  GRIDSPAN_CUDA_FUNCTION void store(T value, memory_order order = memory_order_seq_cst) const
      volatile noexcept {
    __atomic_store(place(), &value, builtin_order(order));
  }
  GRIDSPAN_CUDA_FUNCTION T exchange(T value, memory_order order = memory_order_seq_cst) const
      volatile noexcept {
    T before;
    __atomic_exchange(place(), &value, &before, builtin_order(order));
    return before;
  }
  GRIDSPAN_CUDA_FUNCTION bool compare_exchange_strong(T& expected, T wanted, memory_order success,
                                                      memory_order failure) const
      volatile noexcept {
    return __atomic_compare_exchange(place(), &expected, &wanted, false, builtin_order(success),
                                     load_order(failure));
  }
  GRIDSPAN_CUDA_FUNCTION bool compare_exchange_strong(
      T& expected, T wanted, memory_order order = memory_order_seq_cst) const volatile noexcept {
    return compare_exchange_strong(expected, wanted, order, order);
  }
  GRIDSPAN_CUDA_FUNCTION bool compare_exchange_weak(T& expected, T wanted, memory_order success,
                                                    memory_order failure) const volatile noexcept {
    return compare_exchange_strong(expected, wanted, success, failure);
  }
  GRIDSPAN_CUDA_FUNCTION bool compare_exchange_weak(T& expected, T wanted,
                                                    memory_order order = memory_order_seq_cst) const
      volatile noexcept {
    return compare_exchange_strong(expected, wanted, order, order);
  }

  // A pointer moves by elements.
  template <class Difference>
  GRIDSPAN_CUDA_FUNCTION T fetch_add(Difference value,
                                     memory_order order = memory_order_seq_cst) const
      volatile noexcept {
    return __atomic_fetch_add(place(), scaled(value), builtin_order(order));
  }
  template <class Difference>
  GRIDSPAN_CUDA_FUNCTION T fetch_sub(Difference value,
                                     memory_order order = memory_order_seq_cst) const
      volatile noexcept {
    return __atomic_fetch_sub(place(), scaled(value), builtin_order(order));
  }
#define GRIDSPAN_FETCH(name)                                                                \
  GRIDSPAN_CUDA_FUNCTION T fetch_##name(T value, memory_order order = memory_order_seq_cst) \
      const volatile noexcept {                                                             \
    return __atomic_fetch_##name(place(), value, builtin_order(order));                     \
  }
  GRIDSPAN_FETCH(and)
  GRIDSPAN_FETCH(or)
  GRIDSPAN_FETCH(xor)
#undef GRIDSPAN_FETCH
  GRIDSPAN_CUDA_FUNCTION T fetch_min(T value, memory_order order = memory_order_seq_cst) const
      volatile noexcept {
    return fetch_if(value, order, [](T a, T b) { return a < b; });
  }
  GRIDSPAN_CUDA_FUNCTION T fetch_max(T value, memory_order order = memory_order_seq_cst) const
      volatile noexcept {
    return fetch_if(value, order, [](T a, T b) { return b < a; });
  }

  GRIDSPAN_CUDA_FUNCTION T operator++() const volatile noexcept { return fetch_add(1) + 1; }
  GRIDSPAN_CUDA_FUNCTION T operator--() const volatile noexcept { return fetch_sub(1) - 1; }
  GRIDSPAN_CUDA_FUNCTION T operator++(int) const volatile noexcept { return fetch_add(1); }
  GRIDSPAN_CUDA_FUNCTION T operator--(int) const volatile noexcept { return fetch_sub(1); }
  template <class Difference>
  GRIDSPAN_CUDA_FUNCTION T operator+=(Difference value) const volatile noexcept {
    return fetch_add(value) + value;
  }
  template <class Difference>
  GRIDSPAN_CUDA_FUNCTION T operator-=(Difference value) const volatile noexcept {
    return fetch_sub(value) - value;
  }
  GRIDSPAN_CUDA_FUNCTION T operator&=(T value) const volatile noexcept {
    return fetch_and(value) & value;
  }
  GRIDSPAN_CUDA_FUNCTION T operator|=(T value) const volatile noexcept {
    return fetch_or(value) | value;
  }
  GRIDSPAN_CUDA_FUNCTION T operator^=(T value) const volatile noexcept {
    return fetch_xor(value) ^ value;
  }

  /// Returns when the value is no longer `old`.
  GRIDSPAN_CUDA_FUNCTION void wait(T old, memory_order order = memory_order_seq_cst) const
      volatile noexcept {
    for (T now = load(order); __builtin_memcmp(&now, &old, sizeof(T)) == 0; now = load(order)) {
    }
  }
  GRIDSPAN_CUDA_FUNCTION void notify_one() const volatile noexcept {}
  GRIDSPAN_CUDA_FUNCTION void notify_all() const volatile noexcept {}
  GRIDSPAN_CUDA_FUNCTION bool is_lock_free() const volatile noexcept { return true; }
  static constexpr bool is_always_lock_free = true;

 private:
  GRIDSPAN_CUDA_FUNCTION T* place() const volatile {
    const auto* self = static_cast<const volatile Self*>(this);
    return const_cast<T*>(const_cast<const Self*>(self)->gridspan_place());
  }
  template <class Difference>
  GRIDSPAN_CUDA_FUNCTION static typename difference_of<T>::type scaled(Difference value) {
    return (typename difference_of<T>::type)value *
           (typename difference_of<T>::type)(difference_of<T>::unit);
  }
  template <class IsBetter>
  GRIDSPAN_CUDA_FUNCTION T fetch_if(T value, memory_order order, IsBetter is_better) const
      volatile {
    T before = load(memory_order_relaxed);
    while (is_better(value, before) &&
           !compare_exchange_strong(before, value, order, memory_order_relaxed)) {
    }
    return before;
  }
};

}  // namespace gridspan_details

template <class T, thread_scope Scope = thread_scope_system>
struct atomic : gridspan_details::atomic_operations<T, atomic<T, Scope>> {
  atomic() noexcept = default;
  GRIDSPAN_CUDA_FUNCTION constexpr atomic(T value) noexcept : value_(value) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  atomic& operator=(const atomic&) volatile = delete;
  GRIDSPAN_CUDA_FUNCTION T operator=(T value) noexcept {
    this->store(value);
    return value;
  }
  GRIDSPAN_CUDA_FUNCTION T operator=(T value) volatile noexcept {
    this->store(value);
    return value;
  }
  GRIDSPAN_CUDA_FUNCTION const T* gridspan_place() const { return &value_; }

 private:
  alignas(sizeof(T) <= 8 ? sizeof(T) : alignof(T)) T value_;
};

template <class T, thread_scope Scope = thread_scope_system>
struct atomic_ref : gridspan_details::atomic_operations<T, atomic_ref<T, Scope>> {
  static constexpr ::std::size_t required_alignment = sizeof(T);
  GRIDSPAN_CUDA_FUNCTION explicit atomic_ref(T& value) : value_(&value) {}
  atomic_ref(const atomic_ref&) noexcept = default;
  atomic_ref& operator=(const atomic_ref&) = delete;
  GRIDSPAN_CUDA_FUNCTION T operator=(T value) const noexcept {
    this->store(value);
    return value;
  }
  GRIDSPAN_CUDA_FUNCTION const T* gridspan_place() const { return value_; }

 private:
  T* value_;
};

template <thread_scope Scope = thread_scope_system>
struct atomic_flag {
  GRIDSPAN_CUDA_FUNCTION bool test_and_set(memory_order order = memory_order_seq_cst) noexcept {
    return value_.exchange(1, order) != 0;
  }
  GRIDSPAN_CUDA_FUNCTION void clear(memory_order order = memory_order_seq_cst) noexcept {
    value_.store(0, order);
  }
  GRIDSPAN_CUDA_FUNCTION bool test(memory_order order = memory_order_seq_cst) const noexcept {
    return value_.load(order) != 0;
  }

 private:
  atomic<int, Scope> value_;
};

GRIDSPAN_CUDA_FUNCTION void atomic_thread_fence(memory_order order,
                                                thread_scope scope = thread_scope_system) {
#ifdef __CUDA_ARCH__
  if (order == memory_order_relaxed) return;
  if (scope == thread_scope_block || scope == thread_scope_thread)
    __threadfence_block();
  else
    __threadfence();
#else
  (void)scope;
  __atomic_thread_fence(gridspan_details::builtin_order(order));
#endif
}

namespace std {
template <class T>
using atomic = ::cuda::atomic<T>;
template <class T>
using atomic_ref = ::cuda::atomic_ref<T>;
using ::cuda::atomic_thread_fence;
}  // namespace std

}  // namespace cuda
