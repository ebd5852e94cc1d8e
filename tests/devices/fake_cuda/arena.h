// The fake GPUs' memory: addresses that fault when anybody but the fake driver or its kernels uses
// them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One file in memory is mapped twice. Programs know the addresses of the first mapping, which
// nobody may touch but while a kernel runs, and then only where there is memory. The driver's own
// copies go through the second.
#pragma once

#include "devices/cuda/driver_api.h"

#include <cstddef>
#include <map>
#include <mutex>
#include <set>

namespace fake_cuda {

using namespace gridspan::devices::cuda;

inline constexpr std::size_t granularity = std::size_t{2} << 20;
inline constexpr Gpu in_host = -2;  // whose memory it is if no GPU's

/// Thread safe.
class Arena {
 public:
  Arena();

  /// Address space without memory; 0 when there is none left.
  Address reserve(std::size_t bytes);
  bool release(Address base, std::size_t bytes);

  /// Memory of `gpu`, or `in_host`, behind a reserved stretch, which GPUs may use once they are
  /// allowed to. Several stretches may be allowed at once.
  bool map(Address base, std::size_t bytes, Gpu gpu);
  bool allow(Address base, std::size_t bytes, Gpu gpu);
  /// Whose memory is there; -1: nobody's.
  Gpu owner(Address address) const;
  /// False: nothing was mapped so.
  bool unmap(Address base, std::size_t bytes);

  /// True for every address of a GPU, whether there is memory or not.
  bool is_inside(Address address) const { return address - base_ < size - granularity; }
  /// The GPU may use all of it.
  bool is_allowed(Address base, std::size_t bytes, Gpu gpu) const;
  /// Where the driver reaches it.
  char* inside(Address address) const { return alias_ + (address - base_); }

  /// While one lives kernels may use the memory.
  class Open {
   public:
    explicit Open(Arena& arena) : arena_(arena) { arena_.open(+1); }
    Open(const Open&) = delete;
    Open& operator=(const Open&) = delete;
    ~Open() { arena_.open(-1); }

   private:
    Arena& arena_;
  };

 private:
  struct Mapping {
    std::size_t bytes;
    Gpu gpu;
    std::set<Gpu> users;
  };
  static constexpr std::size_t size = std::size_t{1} << 38;
  void open(int change);
  void protect_mapped(int protection) const;
  static void protect(Address base, std::size_t bytes, int protection);

  int file_;
  Address base_;
  char* alias_;          // where base_ is seen, too
  std::size_t skipped_;  // of the file, before base_
  mutable std::mutex mutex_;
  int opened_ = 0;
  Address end_;                               // of what was ever reserved
  std::map<Address, std::size_t> reserved_;   // in use
  std::multimap<std::size_t, Address> gone_;  // released, by size
  std::map<Address, Mapping> mapped_;
};

Arena& arena();

}  // namespace fake_cuda
