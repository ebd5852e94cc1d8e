// The memory random programs work on, by name, and what it is filled with.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace programs {

inline std::string current_line;

/// Ends the process: after an error nothing means anything.
[[noreturn]] inline void stop(const char* why) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s: %s\n", current_line.c_str(), why);
  std::_Exit(3);
}
inline void must(cudaError_t error) {
  if (error != cudaSuccess) stop(cudaGetErrorName(error));
}

/// Of whole words, then single bytes.
inline unsigned long long hash_of(const char* bytes, size_t count) {
  unsigned long long hash = 0xcbf29ce484222325ull;
  const auto add = [&](unsigned long long word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
    hash ^= hash >> 29;
  };
  for (; count >= 8; bytes += 8, count -= 8) {
    unsigned long long word;
    std::memcpy(&word, bytes, 8);
    add(word);
  }
  for (; count > 0; ++bytes, --count) add(static_cast<unsigned char>(*bytes));
  return hash;
}

/// What memory is filled with: `count` elements of a kind.
struct Content {
  std::string what;
  size_t count = 0, seed = 0;
  size_t low = 0, high = 0;

  std::vector<char> bytes() {
    state_ = seed * 0x9e3779b97f4a7c15ull + 1;
    if (what == "bytes") return elements<unsigned char>([&] { return next(); });
    if (what == "i8") return elements<std::int8_t>([&] { return within(); });
    if (what == "i16") return elements<std::int16_t>([&] { return within(); });
    if (what == "i32") return elements<std::int32_t>([&] { return within(); });
    if (what == "float") return elements<float>([&] { return small(); });
    if (what == "double") return elements<double>([&] { return small(); });
    if (what == "permutation") return permutation();
    stop("no such content");
  }

 private:
  template <class T, class Make>
  std::vector<char> elements(Make make) {
    std::vector<char> made(count * sizeof(T));
    for (size_t i = 0; i < count; ++i) {
      const T value = static_cast<T>(make());
      std::memcpy(made.data() + i * sizeof(T), &value, sizeof(T));
    }
    return made;
  }
  /// Each of 0 .. count-1 once.
  std::vector<char> permutation() {
    std::vector<std::int32_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    for (size_t i = count; i > 1; --i) std::swap(order[i - 1], order[next() % i]);
    size_t at = 0;
    return elements<std::int32_t>([&] { return order[at++]; });
  }
  unsigned long long next() {
    state_ ^= state_ << 13, state_ ^= state_ >> 7, state_ ^= state_ << 17;
    return state_ >> 11;
  }
  long long within() {
    const auto first = static_cast<long long>(low);
    return first + static_cast<long long>(next() % (high - low + 1));
  }
  double small() { return static_cast<double>(next() % 4096) / 256; }

  unsigned long long state_ = 1;
};

enum class Kind { device, async, managed, pinned, registered, pageable, symbol };

class Objects {
 public:
  char* at(const std::string& name) {
    const auto found = objects_.find(name);
    if (found == objects_.end()) stop("no such object");
    return found->second.memory;
  }
  void add(const std::string& name, Kind kind, char* memory, size_t bytes) {
    objects_[name] = {kind, memory, bytes};
  }
  void allocate(const std::string& name, const std::string& kind, size_t bytes, cudaStream_t on) {
    void* memory = nullptr;
    if (kind == "device") {
      must(cudaMalloc(&memory, bytes));
      return add(name, Kind::device, static_cast<char*>(memory), bytes);
    }
    if (kind == "async") {
      must(cudaMallocAsync(&memory, bytes, on));
      return add(name, Kind::async, static_cast<char*>(memory), bytes);
    }
    if (kind == "managed") {
      must(cudaMallocManaged(&memory, bytes));
      return add(name, Kind::managed, static_cast<char*>(memory), bytes);
    }
    if (kind == "pinned") {
      must(cudaMallocHost(&memory, bytes));
      return add(name, Kind::pinned, static_cast<char*>(memory), bytes);
    }
    memory = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    if (kind == "registered") must(cudaHostRegister(memory, bytes, cudaHostRegisterDefault));
    add(name, kind == "registered" ? Kind::registered : Kind::pageable, static_cast<char*>(memory),
        bytes);
  }
  void release(const std::string& name) {
    give_back(objects_.at(name));
    objects_.erase(name);
  }
  void release_on(const std::string& name, cudaStream_t stream) {
    must(cudaFreeAsync(at(name), stream));
    objects_.erase(name);
  }
  void clear() {
    for (auto& [name, object] : objects_) give_back(object);
    objects_.clear();
  }

 private:
  struct Object {
    Kind kind;
    char* memory;
    size_t bytes;
  };
  static void give_back(const Object& object) {
    switch (object.kind) {
      case Kind::symbol:
        return;
      case Kind::device:
      case Kind::async:
      case Kind::managed:
        return must(cudaFree(object.memory));
      case Kind::pinned:
        return must(cudaFreeHost(object.memory));
      case Kind::registered:
        must(cudaHostUnregister(object.memory));
        [[fallthrough]];
      case Kind::pageable:
        return std::free(object.memory);
    }
  }
  std::map<std::string, Object> objects_;
};

}  // namespace programs
