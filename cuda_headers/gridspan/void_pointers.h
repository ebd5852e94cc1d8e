// Pointers to void as GNU C has them: what gridcc writes around an operand where clang refuses it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     base + 16          →  gridspan_bytes(base) + 16
//     (unsigned)pointer  →  (unsigned)gridspan_address(pointer)
//
// In a template the operand may be of another type in another instance; then it stays what it is.
#pragma once

#include "device_macros.h"

namespace gridspan_pointers {

GRIDSPAN_HOST_DEVICE char* bytes(void* p) { return static_cast<char*>(p); }
GRIDSPAN_HOST_DEVICE const char* bytes(const void* p) { return static_cast<const char*>(p); }

template <class Void>
struct Value {
  Void* pointer;
};

template <class Void>
struct Variable {
  Void*& pointer;
};

template <class Void, class Count>
GRIDSPAN_HOST_DEVICE Void* operator+(Value<Void> p, Count count) {
  return bytes(p.pointer) + count;
}
template <class Void, class Count>
GRIDSPAN_HOST_DEVICE Void* operator-(Value<Void> p, Count count) {
  return bytes(p.pointer) - count;
}
template <class Void, class Count>
GRIDSPAN_HOST_DEVICE Void* operator+(Variable<Void> p, Count count) {
  return bytes(p.pointer) + count;
}
template <class Void, class Count>
GRIDSPAN_HOST_DEVICE Void* operator-(Variable<Void> p, Count count) {
  return bytes(p.pointer) - count;
}
template <class Void, class Count>
GRIDSPAN_HOST_DEVICE Void*& operator+=(Variable<Void> p, Count count) {
  return p.pointer = bytes(p.pointer) + count;
}
template <class Void, class Count>
GRIDSPAN_HOST_DEVICE Void*& operator-=(Variable<Void> p, Count count) {
  return p.pointer = bytes(p.pointer) - count;
}

/// Converts to whatever is asked for, as a C cast does.
template <class T>
struct Address {
  T* pointer;

  template <class To>
  __host__ __device__ explicit operator To() const {
    return (To)(unsigned long long)pointer;
  }
};

}  // namespace gridspan_pointers

template <class T>
GRIDSPAN_HOST_DEVICE constexpr T&& gridspan_bytes(T&& other) {
  return static_cast<T&&>(other);
}
GRIDSPAN_HOST_DEVICE gridspan_pointers::Variable<void> gridspan_bytes(void*& p) { return {p}; }
GRIDSPAN_HOST_DEVICE gridspan_pointers::Value<void> gridspan_bytes(void* const& p) { return {p}; }
GRIDSPAN_HOST_DEVICE gridspan_pointers::Value<void> gridspan_bytes(void*&& p) { return {p}; }
GRIDSPAN_HOST_DEVICE gridspan_pointers::Variable<const void> gridspan_bytes(const void*& p) {
  return {p};
}
GRIDSPAN_HOST_DEVICE gridspan_pointers::Value<const void> gridspan_bytes(const void* const& p) {
  return {p};
}
GRIDSPAN_HOST_DEVICE gridspan_pointers::Value<const void> gridspan_bytes(const void*&& p) {
  return {p};
}

template <class T>
GRIDSPAN_HOST_DEVICE constexpr T&& gridspan_address(T&& other) {
  return static_cast<T&&>(other);
}
template <class T>
GRIDSPAN_HOST_DEVICE gridspan_pointers::Address<T> gridspan_address(T* p) {
  return {p};
}
