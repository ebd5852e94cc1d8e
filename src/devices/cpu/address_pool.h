// A supply of address space, backed by memory where it is touched.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linux is asked for large slabs and ranges are cut from them, so that a device is a handful of
// mappings however many ranges it has: wishes (huge pages, NUMA node) and protection are said once
// for each slab.
//
//   slab  |#### range ####|  free  |## range ##|            free              |
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace gridspan::devices::cpu {

/// Thread safe.
class AddressPool {
 public:
  struct Kind {
    std::size_t slab_bytes;   // asked for at a time; a larger range has a slab of its own
    bool huge_pages = false;  // wished for
    int numa_node = -1;       // where memory is taken from as long as there is some; -1: anywhere
    std::size_t kept_bytes = 0;  // a range of up to so many that is taken again has its memory yet
  };
  explicit AddressPool(const Kind& kind) : kind_(kind) {}
  ~AddressPool();
  AddressPool(const AddressPool&) = delete;
  AddressPool& operator=(const AddressPool&) = delete;

  /// Null when there is no address space left. `alignment`: a power of two up to 2 MiB. Of the free
  /// stretches the smallest that will do is cut: O(log n), but where alignment is larger than what
  /// the stretches have, those that are only just large enough are tried in turn.
  void* take(std::size_t size, std::size_t alignment);
  /// A range as it was taken; its memory goes back to Linux unless it is kept.
  void give_back(void* memory, std::size_t size);

  /// Access to any range is a fault while this is on. False if Linux refuses.
  bool protect(bool on);

 private:
  struct Slab {
    void* memory;
    std::size_t size;
  };
  /// Free stretches: address -> size. Neighbours are joined.
  using Free = std::map<std::uintptr_t, std::size_t>;

  void* take_from_free(std::size_t size, std::size_t alignment);
  bool add_slab(std::size_t least);
  void add_free(std::uintptr_t begin, std::size_t size);
  void note_free(std::uintptr_t begin, std::size_t size);
  void forget_free(std::uintptr_t begin, std::size_t size);

  const Kind kind_;
  std::mutex mutex_;
  std::vector<Slab> slabs_;
  Free free_;
  std::set<std::pair<std::size_t, std::uintptr_t>> by_size_;  // the same: size, address
  bool is_protected_ = false;
};

/// Gives the memory of the whole pages in a stretch back to Linux.
void discard_pages(void* memory, std::size_t size);

/// Bytes of a page of this machine.
std::size_t page_bytes();
constexpr std::size_t huge_page = std::size_t{2} << 20;

/// To a multiple of `unit`.
constexpr std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace gridspan::devices::cpu
