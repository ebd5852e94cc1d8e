// The handles and descriptors of a library that are alive: any other pointer that a program passes
// is refused, not read. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace gridspan::libraries {

template <typename Object>
class LiveObjects {
 public:
  /// Throws bad_alloc only.
  template <typename... Arguments>
  Object* create(Arguments&&... arguments) {
    auto object = std::make_unique<Object>(std::forward<Arguments>(arguments)...);
    Object* const pointer = object.get();
    const std::unique_lock lock(mutex_);
    objects_.emplace(pointer, std::move(object));
    return pointer;
  }

  /// False if there was none.
  bool destroy(const Object* object) {
    const std::unique_lock lock(mutex_);
    return objects_.erase(object) > 0;
  }

  bool has(const Object* object) const {
    const std::shared_lock lock(mutex_);
    return objects_.contains(object);
  }

 private:
  mutable std::shared_mutex mutex_;
  std::unordered_map<const Object*, std::unique_ptr<Object>> objects_;
};

/// Those of the process. Never destroyed: a program's destructors may use them after ours ran.
template <typename Object>
LiveObjects<Object>& live() {
  static auto& objects = *new LiveObjects<Object>;
  return objects;
}

template <typename Object>
bool is_live(const Object* object) {
  return object && live<Object>().has(object);
}

/// Into *result. False if there is no memory.
template <typename Object>
bool create_live(Object** result) {
  try {
    *result = live<Object>().create();
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

}  // namespace gridspan::libraries
