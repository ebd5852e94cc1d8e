// Parts, copies, fills and merges as the device's thread does them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/works.h"

#include <algorithm>
#include <cstring>

namespace gridspan::runtime {

namespace {

/// Calls take(row, bytes) for each contiguous row of the box, row being an offset in the buffer.
template <class Take>
void for_each_row(const regions::BoxCopy& box, Take take) {
  for (std::size_t slice = 0; slice < box.extent.depth; ++slice) {
    for (std::size_t row = 0; row < box.extent.height; ++row) {
      take(box.offset + static_cast<std::int64_t>(slice * box.slice_pitch + row * box.pitch),
           box.extent.width);
    }
  }
}

std::size_t bytes_of(const regions::BoxCopy& box) {
  return box.extent.width * box.extent.height * box.extent.depth;
}

}  // namespace

void PartWork::set_blocks(const abi::Dim& first, const abi::Dim& count) {
  first_block_ = first;
  block_count_ = count;
}

void PartWork::move_pointer(std::uint32_t offset, std::intptr_t distance) {
  std::uintptr_t pointer = 0;
  std::memcpy(&pointer, arguments_.bytes() + offset, sizeof pointer);
  pointer += static_cast<std::uintptr_t>(distance);
  std::memcpy(arguments_.bytes() + offset, &pointer, sizeof pointer);
}

void PartWork::run() {
  if (fault_.is_set()) return;
  std::vector<const void*> values;
  values.reserve(kernel_.parameter_count);
  for (std::uint32_t i = 0; i < kernel_.parameter_count; ++i) {
    values.push_back(arguments_.bytes() + kernel_.parameters[i].offset);
  }
  const abi::LaunchContext context{.version = abi::version,
                                   .dynamic_shared = shape_.dynamic_shared,
                                   .grid = shape_.grid,
                                   .block = shape_.block,
                                   .first_block = first_block_,
                                   .block_count = block_count_,
                                   .arguments = values.data(),
                                   .symbols = symbols_,
                                   .arrays = nullptr,
                                   .scratch = nullptr};
  fault_.report(device_.run_part(kernel_, context));
}

void CopyWork::run_guarded() {
  for (const regions::BoxCopy& box : *boxes_) copy_box(box.at(to_), box.at(from_), box.extent);
}

void StretchWork::run_guarded() {
  for (const Stretch& stretch : stretches_) std::memmove(stretch.to, stretch.from, stretch.bytes);
}

void FillWork::run_guarded() {
  for (const regions::BoxCopy& box : boxes_) fill_box(box.at(memory_), box.extent, value_);
}

void TwinWork::run_guarded() {
  std::size_t size = 0;
  for (const regions::BoxCopy& box : twin_->boxes) size += bytes_of(box);
  twin_->bytes.resize(size);
  char* to = twin_->bytes.data();
  for (const regions::BoxCopy& box : twin_->boxes) {
    for_each_row(box, [&](std::int64_t offset, std::size_t bytes) {
      std::memcpy(to, memory_ + offset, bytes);
      to += bytes;
    });
  }
}

void MergeWork::run_guarded() {
  // Compared at once while nothing differs.
  const std::size_t stride = std::max<std::size_t>(1, 256 / unit_) * unit_;
  const char* before = twin_->bytes.data();
  for (const regions::BoxCopy& box : twin_->boxes) {
    for_each_row(box, [&](std::int64_t offset, std::size_t bytes) {
      for (std::size_t at = 0; at < bytes; at += stride) {
        const std::size_t length = std::min(stride, bytes - at);
        const char* now = from_ + offset + at;
        if (std::memcmp(now, before + at, length) == 0) continue;
        for (std::size_t i = 0; i < length; i += unit_) {
          const std::size_t one = std::min<std::size_t>(unit_, length - i);
          if (std::memcmp(now + i, before + at + i, one) == 0) continue;
          std::memcpy(to_ + offset + at + i, now + i, one);
        }
      }
      before += bytes;
    });
  }
  twin_.reset();
}

void MarkWork::run() {
  if (reached_->missing.fetch_sub(1) > 1) return;
  reached_->event->nanoseconds.store(now_nanoseconds());
}

}  // namespace gridspan::runtime
