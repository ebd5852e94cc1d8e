// The arguments of an API call as text, for its record.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call gives back through a pointer is shown in brackets once the call has succeeded:
// `pointer=[0x7f5a00000000]`. Nothing else that the program points to is looked at, for it need not
// be there.
#pragma once

#include "runtime/api/cuda_api.h"
#include "runtime/record/log_records.h"

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace gridspan::runtime::record {

/// A pointer that says nothing but where it points.
struct Address {
  const void* value;
};
template <class T>
Address address(T* pointer) {
  return {reinterpret_cast<const void*>(pointer)};
}

class CallArguments {
 public:
  explicit CallArguments(bool succeeded) : succeeded_(succeeded) {}

  /// `names`: the arguments' expressions as the preprocessor spells them.
  template <class... T>
  void add(std::string_view names, const T&... values) {
    (notes_.push_back({take_name(names), text(values)}), ...);
  }

  std::vector<NamedText> take() { return std::move(notes_); }

 private:
  static std::string take_name(std::string_view& names);
  static std::string hexadecimal(const void* pointer);

  std::string text(Address pointer) const { return hexadecimal(pointer.value); }
  std::string text(const char* words) const;
  std::string text(cudaMemcpyKind kind) const;
  std::string text(const dim3& extents) const;
  std::string text(const cudaExtent& extent) const;
  std::string text(const cudaPos& position) const;
  std::string text(const cudaMemLocation& location) const;
  std::string text(const cudaIpcEventHandle_t& handle) const;
  std::string text(const cudaIpcMemHandle_t& handle) const;
  std::string text(const cudaPitchedPtr& memory) const;
  std::string text(const cudaMemcpy3DParms* parameters) const;
  std::string text(const cudaMemcpy3DPeerParms* parameters) const;
  std::string text(const cudaLaunchConfig_t* config) const;
  template <class T>
    requires std::is_arithmetic_v<T>
  std::string text(T number) const {
    return std::to_string(number);
  }
  template <class T>
    requires(std::is_enum_v<T>)
  std::string text(T value) const {
    return std::to_string(static_cast<long long>(value));
  }
  template <class T>
  std::string text(T* pointer) const {
    if constexpr (std::is_function_v<T>) {
      return hexadecimal(reinterpret_cast<const void*>(pointer));
    } else if constexpr (is_result<T>) {
      if (succeeded_ && pointer) return "[" + text(*pointer) + "]";
      return hexadecimal(pointer);
    } else {
      return hexadecimal(pointer);
    }
  }

  /// What a call fills in: numbers, handles, pointers; not whole structs of properties.
  template <class T>
  static constexpr bool is_result =
      !std::is_const_v<T> && !std::is_void_v<T> && !std::is_same_v<T, char> &&
      (!std::is_class_v<T> || std::is_same_v<T, cudaPitchedPtr>);

  bool succeeded_;
  std::vector<NamedText> notes_;
};

}  // namespace gridspan::runtime::record
