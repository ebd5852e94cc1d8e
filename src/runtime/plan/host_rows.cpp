// A copy of boxes, at the offsets they have in their buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/host_rows.h"

#include "runtime/memory/reach.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace gridspan::runtime {

namespace {

/// One past the last byte.
std::int64_t end_of(const regions::BoxCopy& box) {
  const auto& [width, height, depth] = box.extent;
  return box.offset + static_cast<std::int64_t>((depth - 1) * box.slice_pitch +
                                                (height - 1) * box.pitch + width);
}

}  // namespace

HostRows::HostRows(devices::Device& device, char* memory, std::span<const regions::BoxCopy> boxes)
    : device_(device), on_device_(memory), boxes_(boxes), host_(memory) {
  if (is_in_hosts_reach(device)) return;
  std::int64_t first = std::numeric_limits<std::int64_t>::max(), end = 0;
  for (const regions::BoxCopy& box : boxes) {
    if (box.extent.is_empty()) continue;
    first = std::min(first, box.offset);
    end = std::max(end, end_of(box));
  }
  if (end == 0) return;
  copy_.reset(new char[static_cast<std::size_t>(end - first)]);
  host_ = copy_.get() - first;
}

template <class Sides>
devices::RunResult HostRows::copy_boxes(Sides sides) {
  if (!copy_) return {};
  std::vector<devices::BoxMove> moves;
  for (const regions::BoxCopy& box : boxes_) {
    if (box.extent.is_empty()) continue;
    const auto [to, from] = sides(box.at(host_), box.at(on_device_));
    moves.push_back({to, from, box.extent});
  }
  return device_.memory().copy_all(moves);
}

devices::RunResult HostRows::fetch() {
  return copy_boxes([](const auto& host, const auto& device) { return std::pair(host, device); });
}

devices::RunResult HostRows::put_back() {
  return copy_boxes([](const auto& host, const auto& device) { return std::pair(device, host); });
}

}  // namespace gridspan::runtime
