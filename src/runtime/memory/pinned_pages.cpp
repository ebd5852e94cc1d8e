// Counts shared pages.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/pinned_pages.h"

namespace gridspan::runtime {

namespace {

constexpr std::uintptr_t pinned_unit = 4096;

struct Pages {
  Pages(const void* memory, std::size_t size)
      : first(reinterpret_cast<std::uintptr_t>(memory) / pinned_unit * pinned_unit),
        last((reinterpret_cast<std::uintptr_t>(memory) + size - 1) / pinned_unit * pinned_unit) {}
  bool has_inside() const { return last - first > pinned_unit; }
  void* inside() const { return reinterpret_cast<void*>(first + pinned_unit); }
  std::size_t inside_bytes() const { return last - first - pinned_unit; }

  std::uintptr_t first, last;
};

}  // namespace

bool PinnedPages::add(devices::HostMemory& host, std::uintptr_t at) {
  if (users_[at]++ != 0 || host.register_host(reinterpret_cast<void*>(at), pinned_unit))
    return true;
  users_.erase(at);
  return false;
}

void PinnedPages::drop(devices::HostMemory& host, std::uintptr_t at) {
  const auto known = users_.find(at);
  if (known == users_.end() || --known->second != 0) return;
  users_.erase(known);
  host.unregister_host(reinterpret_cast<void*>(at));
}

bool PinnedPages::pin(devices::HostMemory& host, const void* memory, std::size_t size) {
  if (size == 0) return true;
  const Pages pages(memory, size);
  const std::scoped_lock lock(mutex_);
  if (!add(host, pages.first)) return false;
  const bool has_last = pages.last == pages.first || add(host, pages.last);
  if (has_last && (!pages.has_inside() || host.register_host(pages.inside(), pages.inside_bytes())))
    return true;
  if (has_last && pages.last != pages.first) drop(host, pages.last);
  drop(host, pages.first);
  return false;
}

void PinnedPages::unpin(devices::HostMemory& host, const void* memory, std::size_t size) {
  if (size == 0) return;
  const Pages pages(memory, size);
  const std::scoped_lock lock(mutex_);
  if (pages.has_inside()) host.unregister_host(pages.inside());
  if (pages.last != pages.first) drop(host, pages.last);
  drop(host, pages.first);
}

}  // namespace gridspan::runtime
