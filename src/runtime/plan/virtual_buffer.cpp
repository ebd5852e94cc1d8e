// A buffer's first state, and its change of view.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/virtual_buffer.h"

namespace gridspan::runtime {

namespace {

/// Beyond this a buffer is gathered on one device rather than tracked piece by piece.
constexpr regions::MapLimits map_limits{std::size_t{1} << 16, std::size_t{1} << 20};

}  // namespace

VirtualBuffer::VirtualBuffer(const Allocation& allocation_, std::size_t devices, DeviceSet holders_)
    : allocation(allocation_),
      is_shared(is_host_kind(allocation_.kind)),
      holders(regions::linear_view(static_cast<std::int64_t>(allocation_.size)), holders_,
              map_limits),
      memory(devices),
      units(devices),
      logs(devices) {
  memory[0] = reinterpret_cast<char*>(allocation.base);
}

bool VirtualBuffer::reshape(const regions::View& to) {
  if (to == view()) return true;
  if (!holders.reshape(to)) return false;
  forgotten.clear();
  for (AccessLog& log : logs) log.widen(whole());
  return true;
}

}  // namespace gridspan::runtime
