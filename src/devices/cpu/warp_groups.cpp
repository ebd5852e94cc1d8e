// Which lanes of a warp may leave the warp operations they wait at.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/warp_groups.h"

#include <algorithm>
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

bool names_itself(const WarpWaits& waits, const WarpOperands& warp, int lane) {
  const abi::SyncKind kind = waits.kind[lane];
  return kind != abi::SyncKind::active_mask && kind != abi::SyncKind::warp_step &&
         ((warp.mask[lane] >> lane) & 1) != 0;
}

bool is_shuffle(abi::SyncKind kind) {
  return kind == abi::SyncKind::shuffle_up || kind == abi::SyncKind::shuffle_down ||
         kind == abi::SyncKind::shuffle_xor || kind == abi::SyncKind::shuffle_index;
}

/// Lanes that wait at a group's shuffle with its mask, which does not name them: GPUs give them
/// what the group's lanes have.
std::uint32_t guests_of(const WarpWaits& waits, const WarpOperands& warp, int leader) {
  if (!is_shuffle(waits.kind[leader])) return 0;
  return select(waits.waiting, [&](int lane) {
    return !names_itself(waits, warp, lane) && waits.kind[lane] == waits.kind[leader] &&
           waits.place[lane] == waits.place[leader] && warp.mask[lane] == warp.mask[leader];
  });
}

/// Of the lanes at steps those that are behind.
std::uint32_t at_first_step(const WarpWaits& waits, std::uint32_t lanes) {
  const std::uint32_t at_steps =
      select(lanes, [&](int lane) { return waits.kind[lane] == abi::SyncKind::warp_step; });
  std::uint32_t first = ~0u;
  for (std::uint32_t rest = at_steps; rest != 0; rest &= rest - 1)
    first = std::min(first, waits.order[std::countr_zero(rest)]);
  return select(at_steps, [&](int lane) { return waits.order[lane] == first; });
}

}  // namespace

std::uint32_t release_groups(const WarpWaits& waits, const WarpOperands& warp) {
  std::uint32_t released = 0;
  std::uint32_t rest =
      select(waits.waiting, [&](int lane) { return names_itself(waits, warp, lane); });
  while (rest != 0) {
    const int leader = std::countr_zero(rest);
    const abi::SyncKind kind = waits.kind[leader];
    // Bits of lanes that do not exist or have left make no difference between masks.
    const std::uint32_t mask = warp.mask[leader] & waits.live;
    const std::uint32_t group = select(rest, [&](int lane) {
      return waits.kind[lane] == kind && (warp.mask[lane] & waits.live) == mask;
    });
    rest &= ~group;
    if ((mask & ~group) != 0) continue;
    const std::uint32_t all = group | guests_of(waits, warp, leader);
    perform_warp_operation(kind, warp, all);
    released |= all;
  }
  return released;
}

std::uint32_t release_unnamed(const WarpWaits& waits, const WarpOperands& warp) {
  const std::uint32_t all =
      select(waits.waiting, [&](int lane) { return !names_itself(waits, warp, lane); });
  if (const std::uint32_t behind = at_first_step(waits, all); behind != 0) return behind;
  for (std::uint32_t rest = all; rest != 0;) {
    const int leader = std::countr_zero(rest);
    const abi::SyncKind kind = waits.kind[leader];
    const std::uint32_t group = select(rest, [&](int lane) {
      return waits.place[lane] == waits.place[leader] && waits.kind[lane] == kind;
    });
    perform_warp_operation(kind, warp, group);
    if (kind == abi::SyncKind::vote_ballot)
      for (std::uint32_t lanes = group; lanes != 0; lanes &= lanes - 1) {
        const int lane = std::countr_zero(lanes);
        warp.value[lane] &= warp.mask[lane];
      }
    rest &= ~group;
  }
  return all;
}

}  // namespace gridspan::devices::cpu
