// Texture and surface objects behind their handles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/texture.h"
#include "runtime/api/cuda_api.h"

#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

namespace gridspan::runtime {

/// What a handle was made from.
struct TextureObject {
  int device = 0;
  bool is_surface = false;
  cudaResourceDesc resource{};
  cudaTextureDesc description{};
  std::optional<cudaResourceViewDesc> view;
  std::vector<abi::TextureDescriptor> descriptors{};
};

/// Live objects. A handle is the home address of its descriptor in device memory. Thread safe.
class TextureTable {
 public:
  void add(unsigned long long handle, std::shared_ptr<const TextureObject> object) {
    const std::unique_lock lock(mutex_);
    live_[handle] = std::move(object);
  }

  /// Null unless `handle` is a texture, or a surface if `is_surface`.
  std::shared_ptr<const TextureObject> find(unsigned long long handle, bool is_surface) const {
    const std::shared_lock lock(mutex_);
    const auto found = live_.find(handle);
    if (found == live_.end() || found->second->is_surface != is_surface) return nullptr;
    return found->second;
  }

  void remove(unsigned long long handle) {
    const std::unique_lock lock(mutex_);
    live_.erase(handle);
  }

  void clear(int device) {
    const std::unique_lock lock(mutex_);
    std::erase_if(live_, [&](const auto& entry) { return entry.second->device == device; });
  }

 private:
  mutable std::shared_mutex mutex_;
  std::unordered_map<unsigned long long, std::shared_ptr<const TextureObject>> live_;
};

}  // namespace gridspan::runtime
