// Memory of the host that a device which has its own reaches, too.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace gridspan::devices {

/// Of devices whose memory the host does not reach: others reach all of the host's memory and have
/// nothing to do for it. Any thread, unless a function says otherwise.
class HostMemory {
 public:
  virtual ~HostMemory() = default;

  /// Memory of the host that the device reaches at the host's address; null if there is no room.
  virtual void* allocate_host(std::size_t size) = 0;
  virtual void free_host(void* memory) = 0;
  /// The same for memory that host and devices use at once, as it may be moved by: pages of it need
  /// not stay the host's.
  virtual void* allocate_managed(std::size_t size) = 0;
  virtual void free_managed(void* memory) = 0;
  /// The host's own memory becomes such memory, or false.
  virtual bool register_host(void* memory, std::size_t size) = 0;
  virtual void unregister_host(void* memory) = 0;

  /// A hint: from where in the order of what was begun on its pages are used by the host, or by the
  /// device. Called as CommandQueue's `begin_` functions are.
  virtual void begin_prefetch(void* memory, std::size_t size, bool to_host) = 0;
  /// A hint that holds until it is taken back: a cudaMemoryAdvise, about the host or the device.
  virtual void advise(void* memory, std::size_t size, int advice, bool of_host) = 0;
};

}  // namespace gridspan::devices
