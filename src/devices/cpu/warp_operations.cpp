// What shuffles, votes, matches and reductions of a warp compute, as PTX defines them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/warp_operations.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace gridspan::devices::cpu {
namespace {

using abi::SyncKind;

/// Calls `visit(lane)` for each member. A full warp, the usual case, is a plain loop over 32 lanes
/// that the compiler vectorises.
template <class Visit>
inline void for_each_lane(std::uint32_t members, Visit visit) {
  if (members == all_lanes) {
    for (std::uint32_t lane = 0; lane < abi::warp_size; ++lane) visit(lane);
  } else {
    for (; members != 0; members &= members - 1) {
      visit(static_cast<std::uint32_t>(std::countr_zero(members)));
    }
  }
}

/// PTX shfl.sync: each lane's source lane; `in_range` is the instruction's predicate result.
struct Source {
  std::int32_t lane;
  bool in_range;
};

template <SyncKind mode>
inline Source source_of(std::int32_t lane, std::uint32_t b, std::uint32_t c) {
  const auto delta = static_cast<std::int32_t>(b & 31);
  const auto clamp = static_cast<std::int32_t>(c & 31);
  const auto segment = static_cast<std::int32_t>((c >> 8) & 31);
  const std::int32_t last = (lane & segment) | (clamp & ~segment);
  if constexpr (mode == SyncKind::shuffle_up) return {lane - delta, lane - delta >= last};
  if constexpr (mode == SyncKind::shuffle_down) return {lane + delta, lane + delta <= last};
  if constexpr (mode == SyncKind::shuffle_xor) return {lane ^ delta, (lane ^ delta) <= last};
  const std::int32_t indexed = (lane & segment) | (delta & ~segment);
  return {indexed, indexed <= last};
}

void give_all(const WarpOperands& warp, std::uint32_t members, std::uint64_t result) {
  for_each_lane(members, [&](std::uint32_t lane) { warp.value[lane] = result; });
}

/// The usual shuffle: a whole warp that gives the same operands and is not cut into segments.
/// Values then move in blocks. False: not that case, nothing done.
template <SyncKind mode>
bool shuffle_whole_warp(const WarpOperands& warp) {
  const std::uint32_t b = warp.lane[0];
  const std::uint32_t c = mode == SyncKind::shuffle_up ? 0 : 31;
  std::uint32_t different = 0;
  for (std::uint32_t lane = 0; lane < abi::warp_size; ++lane) {
    different |= (warp.lane[lane] ^ b) | (warp.clamp[lane] ^ c);
  }
  if (different != 0) return false;
  const std::uint32_t delta = b & 31;
  const std::size_t moved = (abi::warp_size - delta) * sizeof *warp.value;
  if constexpr (mode == SyncKind::shuffle_up) {
    std::memmove(warp.value + delta, warp.value, moved);
  } else if constexpr (mode == SyncKind::shuffle_down) {
    std::memmove(warp.value, warp.value + delta, moved);
  } else if constexpr (mode == SyncKind::shuffle_xor) {
    std::uint64_t before[abi::warp_size];
    std::memcpy(before, warp.value, sizeof before);
    for (std::uint32_t lane = 0; lane < abi::warp_size; ++lane) {
      warp.value[lane] = before[lane ^ delta];
    }
  } else {
    give_all(warp, all_lanes, warp.value[delta]);
  }
  for (std::uint32_t lane = 0; lane < abi::warp_size; ++lane) {
    warp.flag[lane] = source_of<mode>(static_cast<std::int32_t>(lane), b, c).in_range ? 1 : 0;
  }
  return true;
}

template <SyncKind mode>
void shuffle(const WarpOperands& warp, std::uint32_t members) {
  if (members == all_lanes && shuffle_whole_warp<mode>(warp)) return;
  std::uint64_t before[abi::warp_size];
  std::memcpy(before, warp.value, sizeof before);
  for_each_lane(members, [&](std::uint32_t lane) {
    const auto own = static_cast<std::int32_t>(lane);
    const Source source = source_of<mode>(own, warp.lane[lane], warp.clamp[lane]);
    const std::int32_t from = source.in_range ? source.lane : own;
    const bool from_member = (members >> from) & 1;
    warp.value[lane] = before[from_member ? from : own];
    warp.flag[lane] = source.in_range ? 1 : 0;
  });
}

/// The members whose predicate is true.
std::uint32_t ballot(const WarpOperands& warp, std::uint32_t members) {
  std::uint32_t votes = 0;
  if (members == all_lanes) {
    std::uint8_t predicates[abi::warp_size];
    for (std::uint32_t lane = 0; lane < abi::warp_size; ++lane)
      predicates[lane] = static_cast<std::uint8_t>(warp.value[lane] != 0);
    // Eight bytes of 0 or 1 become eight bits: the product's highest byte has each once.
    for (std::uint32_t lane = 0; lane < abi::warp_size; lane += 8) {
      std::uint64_t bytes = 0;
      std::memcpy(&bytes, predicates + lane, sizeof bytes);
      votes |= static_cast<std::uint32_t>(bytes * 0x0102040810204080 >> 56) << lane;
    }
    return votes;
  }
  for_each_lane(members, [&](std::uint32_t lane) {
    votes |= static_cast<std::uint32_t>(warp.value[lane] != 0) << lane;
  });
  return votes;
}

/// One ballot after the other. A lane agrees with those that voted yes where it did, and with all
/// others where it did not.
void vote_agreement(const WarpOperands& warp, std::uint32_t members) {
  std::uint32_t votes[abi::warp_size] = {}, agree[abi::warp_size];
  std::uint32_t asked = 0;
  for_each_lane(members, [&](std::uint32_t lane) {
    votes[lane] = static_cast<std::uint32_t>(warp.value[lane]);
    asked |= votes[lane];
  });
  std::fill(std::begin(agree), std::end(agree), all_lanes);
  for (; asked != 0; asked &= asked - 1) {
    const int which = std::countr_zero(asked);
    std::uint32_t yes = 0;
    for (std::uint32_t lane = 0; lane < abi::warp_size; ++lane)
      yes |= (votes[lane] >> which & 1) << lane;
    for (std::uint32_t lane = 0; lane < abi::warp_size; ++lane)
      agree[lane] &= yes ^ ((votes[lane] >> which & 1) - 1);
  }
  for_each_lane(members, [&](std::uint32_t lane) { warp.value[lane] = agree[lane]; });
}

void match_any(const WarpOperands& warp, std::uint32_t members) {
  for (std::uint32_t unmatched = members; unmatched != 0;) {
    const std::uint64_t wanted = warp.value[std::countr_zero(unmatched)];
    std::uint32_t equal = 0;
    for_each_lane(unmatched, [&](std::uint32_t lane) {
      equal |= static_cast<std::uint32_t>(warp.value[lane] == wanted) << lane;
    });
    give_all(warp, equal, equal);
    unmatched &= ~equal;
  }
}

void match_all(const WarpOperands& warp, std::uint32_t members) {
  const std::uint64_t wanted = warp.value[std::countr_zero(members)];
  bool same = true;
  for_each_lane(members, [&](std::uint32_t lane) { same &= warp.value[lane] == wanted; });
  give_all(warp, members, same ? members : 0);
  for_each_lane(members, [&](std::uint32_t lane) { warp.flag[lane] = same ? 1 : 0; });
}

/// Combines the members' 32-bit values, read as `Number`, and gives all of them the result.
template <class Number, class Combine>
void reduce(const WarpOperands& warp, std::uint32_t members, Combine combine) {
  auto result = static_cast<Number>(warp.value[std::countr_zero(members)]);
  for_each_lane(members & (members - 1), [&](std::uint32_t lane) {
    result = combine(result, static_cast<Number>(warp.value[lane]));
  });
  give_all(warp, members, static_cast<std::uint32_t>(result));
}

/// The function that all lanes name sees what each brought.
void call_function(const WarpOperands& warp, std::uint32_t members) {
  abi::WarpCall* lanes[abi::warp_size] = {};
  for_each_lane(members, [&](std::uint32_t lane) {
    lanes[lane] = reinterpret_cast<abi::WarpCall*>(warp.value[lane]);
  });
  lanes[std::countr_zero(members)]->function(lanes);
}

}  // namespace

void perform_warp_operation(SyncKind kind, const WarpOperands& warp, std::uint32_t members) {
  using U = std::uint32_t;
  using S = std::int32_t;
  if (members == 0) return;
  switch (kind) {
    case SyncKind::barrier:
    case SyncKind::barrier_count:
    case SyncKind::barrier_and:
    case SyncKind::barrier_or:
    case SyncKind::grid_barrier:
    case SyncKind::children:
    case SyncKind::numbered_barrier:
    case SyncKind::numbered_arrival:
    case SyncKind::phase_wait:
    case SyncKind::waiting_round:
    case SyncKind::warp_barrier:
    case SyncKind::warp_step:
      return;
    case SyncKind::warp_call:
      return call_function(warp, members);
    case SyncKind::active_mask:
      return give_all(warp, members, members);
    case SyncKind::shuffle_up:
      return shuffle<SyncKind::shuffle_up>(warp, members);
    case SyncKind::shuffle_down:
      return shuffle<SyncKind::shuffle_down>(warp, members);
    case SyncKind::shuffle_xor:
      return shuffle<SyncKind::shuffle_xor>(warp, members);
    case SyncKind::shuffle_index:
      return shuffle<SyncKind::shuffle_index>(warp, members);
    case SyncKind::vote_all:
      return give_all(warp, members, ballot(warp, members) == members);
    case SyncKind::vote_any:
      return give_all(warp, members, ballot(warp, members) != 0);
    case SyncKind::vote_uniform: {
      const U votes = ballot(warp, members);
      return give_all(warp, members, votes == members || votes == 0);
    }
    case SyncKind::vote_ballot:
      return give_all(warp, members, ballot(warp, members));
    case SyncKind::vote_agreement:
      return vote_agreement(warp, members);
    case SyncKind::match_any:
      return match_any(warp, members);
    case SyncKind::match_all:
      return match_all(warp, members);
    case SyncKind::reduce_add:
      return reduce<U>(warp, members, [](U a, U b) { return a + b; });
    case SyncKind::reduce_min_signed:
      return reduce<S>(warp, members, [](S a, S b) { return std::min(a, b); });
    case SyncKind::reduce_max_signed:
      return reduce<S>(warp, members, [](S a, S b) { return std::max(a, b); });
    case SyncKind::reduce_min_unsigned:
      return reduce<U>(warp, members, [](U a, U b) { return std::min(a, b); });
    case SyncKind::reduce_max_unsigned:
      return reduce<U>(warp, members, [](U a, U b) { return std::max(a, b); });
    case SyncKind::reduce_and:
      return reduce<U>(warp, members, [](U a, U b) { return a & b; });
    case SyncKind::reduce_or:
      return reduce<U>(warp, members, [](U a, U b) { return a | b; });
    case SyncKind::reduce_xor:
      return reduce<U>(warp, members, [](U a, U b) { return a ^ b; });
  }
}

}  // namespace gridspan::devices::cpu
