// Accesses as they come in, block by block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma GCC visibility push(default)
#include "abi/recording.h"
#pragma GCC visibility pop

#include "runtime/verify/recorder.h"

#include "devices/cpu/kernel_guard.h"

#include <algorithm>
#include <atomic>

namespace gridspan::runtime::verify {

namespace {

std::atomic<Recorder*> active{nullptr};
std::atomic<std::uint64_t> active_epoch{0};  // changes with every recorder
std::atomic<bool> keeps_values{false};

/// A block's place in the sample: uniform, and the same whenever the program runs with this seed.
std::uint64_t hash(std::uint64_t number, std::uint64_t seed) {
  std::uint64_t x = number + seed * 0x9e3779b97f4a7c15 + 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

bool same(const abi::Dim& a, const abi::Dim& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

std::size_t memory_of(const BlockRecord& record) {
  std::size_t sum = sizeof record + record.sites.capacity() * sizeof(SiteRecord);
  for (const SiteRecord& site : record.sites) {
    sum += site.touched.memory() + site.values.capacity() * sizeof(ValueRecord);
    for (const ValueRecord& stored : site.values) sum += stored.where.memory();
  }
  return sum;
}

}  // namespace

struct Recorder::Current {
  std::uint64_t epoch;
  const abi::BlockContext* block;
  OpenBlock* open;
};

Recorder::Recorder(std::uint32_t site_count, abi::Dim grid, const IntervalSet& memory, Wish wish)
    : site_count_(site_count),
      grid_(grid),
      memory_(memory),
      wish_(wish),
      epoch_(active_epoch.fetch_add(1) + 1) {
  keeps_values.store(wish.values);
  active.store(this);
}

Recorder::~Recorder() { active.store(nullptr); }

bool Recorder::is_sampled(std::uint64_t number) const {
  return hash(number, wish_.seed) <= threshold_;
}

void Recorder::OpenBlock::add(const abi::AccessSite* site, std::uintptr_t begin,
                              std::uintptr_t end) {
  IntervalSet& set = by_site[site->index];
  if (set.empty()) sites.push_back(site);
  set.add(begin, end);
}

void Recorder::access(const abi::BlockContext* block, const abi::AccessSite* site,
                      std::uintptr_t address, std::uint64_t size) {
  static constinit thread_local Current current = {0, nullptr, nullptr};
  // NOLINTBEGIN(clang-analyzer-core.NonNullParamChecker): in an epoch that is known a block is open
  const bool known = current.epoch == active_epoch.load(std::memory_order_relaxed) &&
                     current.block == block && same(current.open->index, block->block_index);
  // NOLINTEND(clang-analyzer-core.NonNullParamChecker)
  if (known &&
      (current.open->dropped || current.open->by_site[site->index].extend(address, address + size)))
    return;
  const devices::cpu::HostCode host;  // memory may have to grow
  if (!known) {
    Recorder* recorder = active.load();
    if (recorder == nullptr) return;
    current = {recorder->epoch_, block, recorder->open(block)};
  }
  if (!current.open->dropped && size > 0) current.open->add(site, address, address + size);
}

void Recorder::store(const abi::BlockContext* block, const abi::AccessSite* site,
                     std::uintptr_t address, std::uint64_t size, std::uint64_t low,
                     std::uint64_t high) {
  if (!keeps_values.load(std::memory_order_relaxed)) return;
  const devices::cpu::HostCode host;
  Recorder* recorder = active.load();
  if (recorder == nullptr) return;
  OpenBlock* open = recorder->open(block);
  if (!open->dropped) open->values[site->index].add(low, high, address, size);
}

/// A context runs one block at a time: when it shows up with another index, the one before is done.
Recorder::OpenBlock* Recorder::open(const abi::BlockContext* block) {
  OpenBlock* found = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    std::unique_ptr<OpenBlock>& entry = open_[block];
    if (!entry) {
      entry = std::make_unique<OpenBlock>();
      entry->by_site.resize(site_count_);
      entry->values.resize(wish_.values ? site_count_ : 0);
      start(*entry, block);
    }
    found = entry.get();
  }
  if (same(found->index, block->block_index)) return found;
  close(*found);
  const std::scoped_lock lock(mutex_);
  start(*found, block);
  return found;
}

void Recorder::start(OpenBlock& open, const abi::BlockContext* block) {
  open.index = block->block_index;
  open.number = open.index.x +
                std::uint64_t{grid_.x} * (open.index.y + std::uint64_t{grid_.y} * open.index.z);
  open.dropped = !is_sampled(open.number);
}

void Recorder::close(OpenBlock& open) {
  BlockRecord record{open.index, open.number, {}};
  for (const abi::AccessSite* site : open.sites) {
    IntervalSet& touched = open.by_site[site->index];
    touched.normalise();
    IntervalSet counted = touched.intersection(memory_);
    touched.clear();
    std::vector<ValueRecord> values;
    if (wish_.values) values = open.values[site->index].take(memory_);
    if (counted.empty()) continue;
    counted.shrink_to_fit();
    record.sites.push_back({site, std::move(counted), std::move(values)});
  }
  open.sites.clear();
  if (open.dropped) return;
  const std::scoped_lock lock(mutex_);
  if (!is_sampled(record.number)) return;
  closed_bytes_ += memory_of(record);
  closed_.push_back(std::move(record));
  while (closed_bytes_ > wish_.limit && closed_.size() > 1) thin();
}

void Recorder::thin() {
  threshold_ /= 2;
  std::erase_if(closed_, [&](const BlockRecord& record) {
    if (is_sampled(record.number)) return false;
    closed_bytes_ -= memory_of(record);
    return true;
  });
}

std::vector<BlockRecord> Recorder::finish() {
  active.store(nullptr);
  active_epoch.fetch_add(1);
  for (auto& [block, open] : open_) close(*open);
  open_.clear();
  std::sort(closed_.begin(), closed_.end(),
            [](const BlockRecord& a, const BlockRecord& b) { return a.number < b.number; });
  return std::move(closed_);
}

}  // namespace gridspan::runtime::verify

extern "C" void gridspan_record_access(gridspan::abi::BlockContext* block,
                                       const gridspan::abi::AccessSite* site, const void* address,
                                       std::uint64_t size) {
  gridspan::runtime::verify::Recorder::access(block, site,
                                              reinterpret_cast<std::uintptr_t>(address), size);
}

extern "C" void gridspan_record_store(gridspan::abi::BlockContext* block,
                                      const gridspan::abi::AccessSite* site, const void* address,
                                      std::uint64_t size, std::uint64_t low, std::uint64_t high) {
  gridspan_record_access(block, site, address, size);
  gridspan::runtime::verify::Recorder::store(block, site, reinterpret_cast<std::uintptr_t>(address),
                                             size, low, high);
}
