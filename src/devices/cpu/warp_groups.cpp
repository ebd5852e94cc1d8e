// Which lanes of a warp may leave the warp operations they wait at.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/warp_groups.h"

#include <bit>

namespace gridspan::devices::cpu {
namespace {

/// The lanes among `candidates` for which `same(lane)` holds.
template <class Same>
std::uint32_t select(std::uint32_t candidates, Same same) {
  std::uint32_t selected = 0;
  for (std::uint32_t rest = candidates; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if (same(lane)) selected |= 1u << lane;
  }
  return selected;
}

}  // namespace

std::uint32_t release_groups(const WarpWaits& waits, const WarpOperands& warp) {
  std::uint32_t released = 0;
  for (std::uint32_t rest = waits.waiting; rest != 0;) {
    const int leader = std::countr_zero(rest);
    const abi::SyncKind kind = waits.kind[leader];
    // Bits of lanes that do not exist or have left make no difference between masks.
    const std::uint32_t mask = warp.mask[leader] & waits.live;
    const std::uint32_t group =
        kind == abi::SyncKind::active_mask
            ? select(rest, [&](int lane) { return waits.kind[lane] == kind; })
            : select(rest, [&](int lane) {
                return waits.kind[lane] == kind && (warp.mask[lane] & waits.live) == mask;
              });
    rest &= ~group;
    const bool complete = (mask & ~group) == 0;
    if (kind == abi::SyncKind::active_mask || !complete) continue;
    perform_warp_operation(kind, warp, group);
    released |= group;
  }
  return released;
}

std::uint32_t release_active_masks(const WarpWaits& waits, const WarpOperands& warp) {
  const std::uint32_t all = select(
      waits.waiting, [&](int lane) { return waits.kind[lane] == abi::SyncKind::active_mask; });
  for (std::uint32_t rest = all; rest != 0;) {
    const std::uintptr_t place = waits.place[std::countr_zero(rest)];
    const std::uint32_t group = select(rest, [&](int lane) { return waits.place[lane] == place; });
    perform_warp_operation(abi::SyncKind::active_mask, warp, group);
    rest &= ~group;
  }
  return all;
}

}  // namespace gridspan::devices::cpu
