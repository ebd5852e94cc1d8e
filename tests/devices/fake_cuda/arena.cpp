// Ranges one after the other; what was released is used again for the same size.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arena.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iterator>

namespace fake_cuda {

Arena& arena() {
  static Arena& instance = *new Arena;
  return instance;
}

Arena::Arena() : file_(memfd_create("fake-cuda", MFD_CLOEXEC)) {
  const auto map = [this](int protection) {
    void* const memory = mmap(nullptr, size, protection, MAP_SHARED | MAP_NORESERVE, file_, 0);
    return memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
  };
  char* const base = ftruncate(file_, static_cast<off_t>(size)) == 0 ? map(PROT_NONE) : nullptr;
  alias_ = base ? map(PROT_READ | PROT_WRITE) : nullptr;
  if (!alias_) {
    std::perror("fake_cuda: no address space");
    std::abort();
  }
  base_ = (reinterpret_cast<Address>(base) + granularity - 1) / granularity * granularity;
  skipped_ = base_ - reinterpret_cast<Address>(base);
  alias_ += skipped_;
  end_ = base_;
}

Address Arena::reserve(std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  if (const auto known = gone_.find(bytes); known != gone_.end()) {
    const Address base = known->second;
    gone_.erase(known);
    reserved_.emplace(base, bytes);
    return base;
  }
  // A gap behind each range, so that nothing beyond its end is another's.
  if (bytes + granularity > base_ + size - granularity - end_) return 0;
  const Address base = end_;
  end_ += bytes + granularity;
  reserved_.emplace(base, bytes);
  return base;
}

bool Arena::release(Address base, std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  const auto known = reserved_.find(base);
  if (known == reserved_.end() || known->second != bytes) return false;
  const auto mapping = mapped_.lower_bound(base);
  if (mapping != mapped_.end() && mapping->first < base + bytes) return false;
  reserved_.erase(known);
  gone_.emplace(bytes, base);
  return true;
}

bool Arena::map(Address base, std::size_t bytes, Gpu gpu) {
  const std::scoped_lock lock(mutex_);
  auto range = reserved_.upper_bound(base);
  if (range == reserved_.begin()) return false;
  --range;
  if (base + bytes > range->first + range->second) return false;
  return mapped_.emplace(base, Mapping{bytes, gpu, {}}).second;
}

bool Arena::allow(Address base, std::size_t bytes, Gpu gpu) {
  const std::scoped_lock lock(mutex_);
  const auto first = mapped_.find(base);
  auto end = first;
  Address reached = base;
  for (; end != mapped_.end() && end->first == reached && reached < base + bytes; ++end)
    reached += end->second.bytes;
  if (bytes == 0 || reached != base + bytes) return false;
  for (auto one = first; one != end; ++one) one->second.users.insert(gpu);
  if (opened_ > 0) protect(base, bytes, PROT_READ | PROT_WRITE);
  return true;
}

Gpu Arena::owner(Address address) const {
  const std::scoped_lock lock(mutex_);
  const auto after = mapped_.upper_bound(address);
  if (after == mapped_.begin()) return -1;
  const auto& [start, mapping] = *std::prev(after);
  return address < start + mapping.bytes ? mapping.gpu : -1;
}

bool Arena::unmap(Address base, std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  const auto known = mapped_.find(base);
  if (known == mapped_.end() || known->second.bytes != bytes) return false;
  mapped_.erase(known);
  if (opened_ > 0) protect(base, bytes, PROT_NONE);
  const auto at = static_cast<off_t>(skipped_ + (base - base_));
  fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at, static_cast<off_t>(bytes));
  return true;
}

bool Arena::is_allowed(Address base, std::size_t bytes, Gpu gpu) const {
  const std::scoped_lock lock(mutex_);
  for (const Address end = base + bytes; base < end;) {
    const auto after = mapped_.upper_bound(base);
    if (after == mapped_.begin()) return false;
    const auto& [start, mapping] = *std::prev(after);
    if (base >= start + mapping.bytes || !mapping.users.contains(gpu)) return false;
    base = start + mapping.bytes;
  }
  return true;
}

void Arena::open(int change) {
  const std::scoped_lock lock(mutex_);
  const int before = opened_;
  opened_ += change;
  if (before == 0) protect_mapped(PROT_READ | PROT_WRITE);
  if (opened_ == 0) protect_mapped(PROT_NONE);
}

/// Neighbours together.
void Arena::protect_mapped(int protection) const {
  for (auto one = mapped_.begin(); one != mapped_.end();) {
    const Address begin = one->first;
    Address end = begin;
    for (; one != mapped_.end() && one->first == end; ++one) end += one->second.bytes;
    protect(begin, end - begin, protection);
  }
}

void Arena::protect(Address base, std::size_t bytes, int protection) {
  mprotect(reinterpret_cast<void*>(base), bytes, protection);
}

}  // namespace fake_cuda
