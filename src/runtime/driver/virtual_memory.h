// Virtual memory management: address ranges, memory without an address, and mappings between them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A piece of memory is a file in memory, so that it can be at several addresses, and go to other
// processes. Mappings that touch and are accessible are one entry of the allocation table: copies
// and kernels see one piece of memory, wherever its parts come from.
#pragma once

#include "runtime/api/runtime_state.h"
#include "runtime/driver/call.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace gridspan::runtime::driver {

/// What all sizes and addresses are multiples of: that of GPUs.
inline constexpr std::size_t mapping_granularity = std::size_t{2} << 20;

/// A piece of memory without an address.
struct Physical {
  Physical(int file_, std::size_t size_, const CUmemAllocationProp& properties_)
      : file(file_), size(size_), properties(properties_) {}
  Physical(const Physical&) = delete;
  Physical& operator=(const Physical&) = delete;
  ~Physical();

  int file;
  std::size_t size;
  CUmemAllocationProp properties;
};

/// Thread safe. Errors come with a reason in the log.
class VirtualMemory {
 public:
  using Handle = CUmemGenericAllocationHandle;

  CUresult reserve(std::size_t size, std::size_t alignment, std::uintptr_t wanted,
                   std::uintptr_t& base);
  CUresult free(std::uintptr_t base, std::size_t size);

  CUresult create(std::size_t size, const CUmemAllocationProp& properties, Handle& handle);
  /// Takes over the file.
  CUresult import(int file, Handle& handle);
  CUresult release(Handle handle);
  CUresult find(Handle handle, std::shared_ptr<Physical>& physical) const;
  /// One more reference to what is mapped at the address.
  CUresult retain(std::uintptr_t address, Handle& handle);

  CUresult map(std::uintptr_t base, std::size_t size, std::size_t offset, Handle handle);
  CUresult unmap(Runtime& state, std::uintptr_t base, std::size_t size);
  CUresult set_access(Runtime& state, std::uintptr_t base, std::size_t size,
                      CUmemAccess_flags flags);
  CUresult get_access(std::uintptr_t address, unsigned long long& flags) const;

 private:
  struct Reference {
    std::shared_ptr<Physical> physical;
    unsigned count = 1;
  };
  struct Mapping {
    std::size_t size;
    std::shared_ptr<Physical> physical;
    CUmemAccess_flags access = CU_MEM_ACCESS_FLAGS_PROT_NONE;
  };
  using Mappings = std::map<std::uintptr_t, Mapping>;

  // These expect the lock.
  Handle enter(std::shared_ptr<Physical> physical);
  bool is_reserved(std::uintptr_t base, std::size_t size) const;
  Mappings::const_iterator holder(std::uintptr_t address) const;
  bool is_whole(std::uintptr_t base, std::size_t size) const;
  void update_table(Runtime& state);

  mutable std::mutex mutex_;
  std::map<std::uintptr_t, std::size_t> reservations_;
  std::map<Handle, Reference> handles_;
  Mappings mappings_;
  std::map<std::uintptr_t, Allocation> entered_;  // in the allocation table
  Handle last_handle_ = 0;
};

/// The process's; exists from its first use to the end.
VirtualMemory& virtual_memory();

}  // namespace gridspan::runtime::driver
