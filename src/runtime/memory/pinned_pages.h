// The program's own memory made such that devices reach it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drivers do that by pages, once for each. Variables share their first and last pages with their
// neighbours, so these are counted; the pages between are a variable's own.
#pragma once

#include "devices/host_memory.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace gridspan::runtime {

/// Thread safe.
class PinnedPages {
 public:
  /// False if the device refuses; nothing has changed then.
  bool pin(devices::HostMemory& host, const void* memory, std::size_t size);
  /// As often as it was pinned, with the same size.
  void unpin(devices::HostMemory& host, const void* memory, std::size_t size);

 private:
  bool add(devices::HostMemory& host, std::uintptr_t page);
  void drop(devices::HostMemory& host, std::uintptr_t page);

  std::mutex mutex_;
  std::map<std::uintptr_t, unsigned> users_;
};

}  // namespace gridspan::runtime
