// Copies by all threads of a group.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The copy is done when memcpy_async returns in all threads of the group; `wait` makes sure of
// that.
#pragma once

#include "../cooperative_groups.h"

#ifdef __CUDACC__
#include <cstddef>
#include <cstdint>

namespace cooperative_groups {
namespace details {

template <class Word, class Group>
GRIDSPAN_GROUP_FUNCTION void copy_words(const Group& group, void* to, const void* from,
                                        std::size_t bytes) {
  for (std::size_t i = group.thread_rank(); i < bytes / sizeof(Word); i += group.size())
    static_cast<Word*>(to)[i] = static_cast<const Word*>(from)[i];
}

template <class Group>
GRIDSPAN_GROUP_FUNCTION void copy_bytes(const Group& group, void* to, const void* from,
                                        std::size_t bytes) {
  const std::uintptr_t all =
      reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from) | bytes;
  if (all % sizeof(unsigned int) == 0)
    copy_words<unsigned int>(group, to, from, bytes);
  else
    copy_words<unsigned char>(group, to, from, bytes);
}

}  // namespace details

/// `shape`: bytes, or cuda::aligned_size_t.
template <class Group, class T, class Shape>
GRIDSPAN_GROUP_FUNCTION void memcpy_async(const Group& group, T* to, const T* from,
                                          const Shape& shape) {
  details::copy_bytes(group, to, from, static_cast<std::size_t>(shape));
}
template <class Group, class Shape>
GRIDSPAN_GROUP_FUNCTION void memcpy_async(const Group& group, void* to, const void* from,
                                          const Shape& shape) {
  details::copy_bytes(group, to, from, static_cast<std::size_t>(shape));
}
/// Layouts count elements; the smaller one is copied.
template <class Group, class T, class ToLayout, class FromLayout>
GRIDSPAN_GROUP_FUNCTION void memcpy_async(const Group& group, T* to, const ToLayout& to_layout,
                                          const T* from, const FromLayout& from_layout) {
  const std::size_t room = static_cast<std::size_t>(to_layout);
  const std::size_t count = static_cast<std::size_t>(from_layout);
  details::copy_bytes(group, to, from, (room < count ? room : count) * sizeof(T));
}

template <class Group>
GRIDSPAN_GROUP_FUNCTION void wait(const Group& group) {
  group.sync();
}
template <unsigned int Stages, class Group>
GRIDSPAN_GROUP_FUNCTION void wait_prior(const Group& group) {
  group.sync();
}

}  // namespace cooperative_groups
#endif
