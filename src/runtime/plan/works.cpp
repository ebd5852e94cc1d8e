// Parts, copies, fills and merges as the device's thread does them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/works.h"

#include "runtime/plan/box_rows.h"
#include "runtime/plan/combine.h"
#include "runtime/plan/host_rows.h"

#include <boost/container/small_vector.hpp>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <new>
#include <span>
#include <string>

namespace gridspan::runtime {

namespace {

std::size_t bytes_of(const regions::BoxCopy& box) {
  return box.extent.width * box.extent.height * box.extent.depth;
}

constexpr std::align_val_t part_alignment{alignof(PartWork)};
std::atomic<void*> spare_part{nullptr};

/// Does something for each until one fails.
template <class Items, class Action>
devices::RunResult first_failure(const Items& items, Action action) {
  for (const auto& item : items) {
    devices::RunResult result = action(item);
    if (result.fault != devices::Fault::none) return result;
  }
  return {};
}

/// Changes boxes of one copy of a buffer by what stands in another: change(to, from), where byte
/// `offset` of the buffer is at to + offset.
template <class Change>
devices::RunResult between(const Replica& to, const Replica& from,
                           std::span<const regions::BoxCopy> boxes, Change change) {
  HostRows changed(*to.device, to.memory, boxes), read(*from.device, from.memory, boxes);
  for (HostRows* rows : {&changed, &read}) {
    devices::RunResult failed = rows->fetch();
    if (failed.fault != devices::Fault::none) return failed;
  }
  change(changed.memory(), read.memory());
  return changed.put_back();
}

}  // namespace

void GuardedWork::run() {
  if (fault_.is_set()) return;
  try {
    fault_.report(run_guarded());
  } catch (const std::bad_alloc&) {
    fault_.report({devices::Fault::out_of_memory, "error: out of memory on a device's thread"});
  } catch (const std::exception& error) {
    fault_.report({devices::Fault::trap,
                   std::string("error: a device's thread stopped its work: ") + error.what()});
  }
}

void* PartWork::operator new(std::size_t size) {
  void* const memory = spare_part.exchange(nullptr);
  return memory ? memory : ::operator new(size, part_alignment);
}

void PartWork::operator delete(void* memory) {
  if (void* const other = spare_part.exchange(memory)) ::operator delete(other, part_alignment);
}

void PartWork::add_blocks(const BlockBox& blocks) {
  if (blocks_.count.x == 0)
    blocks_ = blocks;
  else
    more_.push_back(blocks);
}

void PartWork::move_pointer(std::uint32_t offset, std::intptr_t distance) {
  std::uintptr_t pointer = 0;
  std::memcpy(&pointer, arguments_.bytes() + offset, sizeof pointer);
  pointer += static_cast<std::uintptr_t>(distance);
  std::memcpy(arguments_.bytes() + offset, &pointer, sizeof pointer);
}

devices::RunResult PartWork::run_guarded() {
  boost::container::small_vector<const void*, 32> values;
  for (std::uint32_t i = 0; i < kernel_.parameter_count; ++i) {
    values.push_back(arguments_.bytes() + kernel_.parameters[i].offset);
  }
  abi::LaunchContext context{.version = abi::version,
                             .dynamic_shared = shape_.dynamic_shared,
                             .grid = shape_.grid,
                             .block = shape_.block,
                             .first_block = {},
                             .block_count = {},
                             .arguments = values.data(),
                             .symbols = symbols_,
                             .arrays = nullptr,
                             .scratch = nullptr,
                             .distinct_arguments = are_distinct_,
                             .small_arguments = are_small_};
  const auto run = [&](const BlockBox& blocks) {
    context.first_block = blocks.first;
    context.block_count = blocks.count;
    if (!only_begins()) return device_.queue().run_part(kernel_, context);
    return packed_.empty() ? device_.queue().begin_part(kernel_, context)
                           : device_.queue().begin_packed(kernel_, context, packed_);
  };
  if (clock_) clock_->begin();
  const auto begin =
      block_time_ ? std::chrono::steady_clock::now() : std::chrono::steady_clock::time_point{};
  devices::RunResult result = run(blocks_);
  if (block_time_)
    block_time_->note(std::chrono::steady_clock::now() - begin,
                      1.0 * blocks_.count.x * blocks_.count.y * blocks_.count.z);
  if (clock_) clock_->end();
  if (result.fault != devices::Fault::none) return result;
  return first_failure(more_, run);
}

bool CopyWork::is_brief() const {
  std::uint64_t bytes = 0;
  for (const regions::BoxCopy& box : *boxes_) bytes += bytes_of(box);
  return bytes <= brief_copy && boxes_->size() <= 8;
}

devices::RunResult CopyWork::run_guarded() {
  std::vector<devices::BoxMove> moves;
  moves.reserve(boxes_->size());
  for (const regions::BoxCopy& box : *boxes_)
    moves.push_back({box.at(to_), box.at(from_), box.extent});
  return is_foreign_ ? device_.memory().copy_all(moves) : device_.queue().begin_copies(moves);
}

devices::RunResult MovesWork::run_guarded() {
  return is_foreign_ ? device_.memory().copy_all(moves_) : device_.queue().begin_copies(moves_);
}

devices::RunResult StretchWork::run_guarded() {
  devices::RunResult result = first_failure(stretches_.all(), [this](const Stretch& stretch) {
    const std::size_t bytes = stretch.bytes;
    return device_.queue().begin_copy(
        {stretch.to, bytes, bytes}, {const_cast<char*>(stretch.from), bytes, bytes}, {bytes, 1, 1});
  });
  if (read_) sources_->keep(device_, std::move(read_), fault());
  return result;
}

devices::RunResult FillWork::run_guarded() {
  return first_failure(boxes_, [this](const regions::BoxCopy& box) {
    return device_.queue().begin_fill(box.at(memory_), box.extent, value_);
  });
}

devices::RunResult TwinWork::run_guarded() {
  HostRows rows(device_, memory_, twin_->boxes);
  if (devices::RunResult failed = rows.fetch(); failed.fault != devices::Fault::none) return failed;
  std::size_t size = 0;
  for (const regions::BoxCopy& box : twin_->boxes) size += bytes_of(box);
  twin_->bytes.resize(size);
  char* to = twin_->bytes.data();
  for (const regions::BoxCopy& box : twin_->boxes) {
    for_each_row(box, [&](std::int64_t offset, std::size_t bytes) {
      std::memcpy(to, rows.memory() + offset, bytes);
      to += bytes;
    });
  }
  return {};
}

devices::RunResult MergeWork::run_guarded() {
  return between(to_, from_, twin_->boxes, [this](char* all_of_to, const char* all_of_from) {
    // Rows that follow each other are one run: they are rows of the buffer's view, and an element
    // of the array that was written may begin in one and end in the next.
    const char* before = twin_->bytes.data();
    std::int64_t begin = 0, end = 0;
    const auto finish_run = [&] {
      merge_run(begin, static_cast<std::size_t>(end - begin), before, all_of_to, all_of_from);
      before += end - begin;
    };
    for (const regions::BoxCopy& box : twin_->boxes) {
      for_each_row(box, [&](std::int64_t offset, std::size_t bytes) {
        if (offset != end) {
          finish_run();
          begin = offset;
        }
        end = offset + static_cast<std::int64_t>(bytes);
      });
    }
    finish_run();
  });
}

/// Units are counted from the start of the buffer, as elements are.
void MergeWork::merge_run(std::int64_t offset, std::size_t bytes, const char* before,
                          char* all_of_to, const char* all_of_from) const {
  const auto start = static_cast<std::size_t>(offset);
  const char* const now = all_of_from + start;
  char* const to = all_of_to + start;
  // Compared at once while nothing differs: a whole number of units.
  const std::size_t stride = std::max<std::size_t>(1, 256 / unit_) * unit_;
  const auto rest_of = [&](std::size_t piece, std::size_t at, std::size_t end) {
    return std::min(piece - (start + at) % piece, end - at);
  };
  for (std::size_t at = 0, length = 0; at < bytes; at += length) {
    length = rest_of(stride, at, bytes);
    if (std::memcmp(now + at, before + at, length) == 0) continue;
    for (std::size_t i = at, one = 0; i < at + length; i += one) {
      one = rest_of(unit_, i, at + length);
      if (std::memcmp(now + i, before + i, one) != 0) std::memcpy(to + i, now + i, one);
    }
  }
}

devices::RunResult IdentityWork::run_guarded() {
  const Combiner with = combiner(op_, update_bytes_);
  HostRows rows(device_, memory_, *rows_);
  for (const regions::BoxCopy& box : *rows_) {
    for_each_row(box, [&](std::int64_t offset, std::size_t bytes) {
      with.fill(rows.memory() + offset, bytes / update_bytes_);
    });
  }
  return rows.put_back();
}

devices::RunResult CombineWork::run_guarded() {
  const Combiner with = combiner(op_, update_bytes_);
  return between(to_, from_, *rows_, [&](char* to, const char* from) {
    for (const regions::BoxCopy& box : *rows_) {
      for_each_row(box, [&](std::int64_t offset, std::size_t bytes) {
        with.combine(to + offset, from + offset, bytes / update_bytes_);
      });
    }
  });
}

void PrefetchWork::run() {
  devices::HostMemory* const host = device_.host_memory();
  if (!host) return;
  for (const Hint& hint : stretches_) host->begin_prefetch(hint.memory, hint.bytes, to_host_);
}

void MarkWork::run() { marks_->places[place_].mark.store(device_.queue().mark_time()); }

}  // namespace gridspan::runtime
