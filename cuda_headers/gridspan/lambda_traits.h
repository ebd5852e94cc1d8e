// nvcc's questions about extended lambdas: is it one that host code cannot call?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A closure whose call operator is __device__ is no callable object where the caller is a host
// function, and such a caller is `host_calls`. A generic lambda counts as one that can be called.
// Every lambda keeps its type here: the type of its result may be asked for on both sides.
#pragma once

#include <type_traits>

#include "device_macros.h"

namespace gridspan_lambdas {

template <class T>
__host__ __device__ T&& make();

constexpr const char* behind_equals(const char* text) {
  return *text == '=' ? text + 1 : behind_equals(text + 1);
}
constexpr bool begins(const char* text, const char* beginning) {
  return *beginning == 0 || (*text == *beginning && begins(text + 1, beginning + 1));
}
/// By clang's name of T, which is behind "T = ".
template <class T>
constexpr bool is_closure() {
  return begins(behind_equals(__PRETTY_FUNCTION__), " (lambda at ");
}

template <class T, class... A>
__host__ std::true_type host_calls(decltype(make<T&>()(make<A>()...), 0)*);
template <class T, class... A>
__host__ std::false_type host_calls(...);

template <class...>
struct never : std::false_type {};
template <class...>
struct type_of {
  using type = void;
};
template <class T, class = void>
struct call_operator {
  using type = void;
};
template <class T>
struct call_operator<T, typename type_of<decltype(&T::operator())>::type> {
  using type = decltype(&T::operator());
};

template <class T, class Operator>
struct is_for_device : std::false_type {};
// Without its conversion to a pointer, which host code could call.
#define GRIDSPAN_FOR_DEVICE(constant, nothrow)                                         \
  template <class T, class R, class... A>                                              \
  struct is_for_device<T, R (T::*)(A...) constant nothrow> {                           \
    struct object : T {                                                                \
      using pointer = R (*)(A...) nothrow;                                             \
      operator pointer() const = delete;                                               \
    };                                                                                 \
    static constexpr bool value = !decltype(host_calls<object, A...>(nullptr))::value; \
  };
GRIDSPAN_FOR_DEVICE(, )
GRIDSPAN_FOR_DEVICE(const, )
#ifdef __cpp_noexcept_function_type
GRIDSPAN_FOR_DEVICE(, noexcept)
GRIDSPAN_FOR_DEVICE(const, noexcept)
#endif
#undef GRIDSPAN_FOR_DEVICE

template <class T, bool = is_closure<T>()>
struct is_device_lambda : std::false_type {};
template <class T>
struct is_device_lambda<T, true> : is_for_device<T, typename call_operator<T>::type> {};

}  // namespace gridspan_lambdas

#ifdef __CUDACC_EXTENDED_LAMBDA__
#define __nv_is_extended_device_lambda_closure_type(...) \
  (gridspan_lambdas::is_device_lambda<__VA_ARGS__>::value)
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) \
  (gridspan_lambdas::is_device_lambda<__VA_ARGS__>::value)
#else  // no lambda is one
#define __nv_is_extended_device_lambda_closure_type(...) \
  (gridspan_lambdas::never<__VA_ARGS__>::value)
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) \
  (gridspan_lambdas::never<__VA_ARGS__>::value)
#endif
// A lambda of both sides is like one without a side: it has no wrapper that libraries have to know.
#define __nv_is_extended_host_device_lambda_closure_type(...) \
  (gridspan_lambdas::never<__VA_ARGS__>::value)
