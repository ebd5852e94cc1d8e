// Records as bytes and back, by their `fields`.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers are little endian in their own size, booleans one byte; texts and lists begin with their
// length in four bytes.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace gridspan::runtime::record {

template <class T>
concept Number = std::is_arithmetic_v<T>;

class Encoder {
 public:
  explicit Encoder(std::string& bytes) : bytes_(bytes) {}

  template <class T>
  void operator()(const char*, T& value) {
    put(value);
  }

 private:
  template <Number T>
  void put(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put(const std::string& text) {
    put(static_cast<std::uint32_t>(text.size()));
    bytes_ += text;
  }
  template <class T>
  void put(std::vector<T>& list) {
    put(static_cast<std::uint32_t>(list.size()));
    for (T& one : list) put(one);
  }
  template <class T, std::size_t n>
  void put(std::array<T, n>& list) {
    for (T& one : list) put(one);
  }
  template <class T>
    requires std::is_class_v<T> && requires(T& value, Encoder& archive) { value.fields(archive); }
  void put(T& value) {
    value.fields(*this);
  }

  std::string& bytes_;
};

/// Never reads beyond its bytes: what is missing is zero, and the decoder is then not `complete`.
class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  void operator()(const char*, T& value) {
    get(value);
  }

  /// All bytes were there and are used up.
  bool is_complete() const { return !failed_ && bytes_.empty(); }

 private:
  std::string_view take(std::size_t size) {
    if (size > bytes_.size()) {
      failed_ = true;
      bytes_ = {};
      return {};
    }
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  template <Number T>
  void get(T& value) {
    value = {};
    const std::string_view from = take(sizeof value);
    if constexpr (std::is_same_v<T, bool>) {
      value = !from.empty() && from[0] != 0;
    } else if (!from.empty()) {
      from.copy(reinterpret_cast<char*>(&value), sizeof value);
    }
  }
  /// No list is longer than the bytes that are left, whatever a damaged file says.
  std::uint32_t length() {
    std::uint32_t count = 0;
    get(count);
    if (count > bytes_.size()) {
      failed_ = true;
      bytes_ = {};
      return 0;
    }
    return count;
  }
  void get(std::string& text) { text = take(length()); }
  template <class T>
  void get(std::vector<T>& list) {
    const std::uint32_t count = length();
    list.clear();
    for (std::uint32_t i = 0; i < count && !failed_; ++i) get(list.emplace_back());
  }
  template <class T, std::size_t n>
  void get(std::array<T, n>& list) {
    for (T& one : list) get(one);
  }
  template <class T>
    requires std::is_class_v<T> && requires(T& value, Decoder& archive) { value.fields(archive); }
  void get(T& value) {
    value.fields(*this);
  }

  std::string_view bytes_;
  bool failed_ = false;
};

}  // namespace gridspan::runtime::record
