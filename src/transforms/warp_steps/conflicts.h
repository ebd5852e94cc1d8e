// Where lanes of one warp get at each other's shared memory with nothing in between.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     if (t < 32) {
//       s[t] += s[t + 16];      lane 16 overwrites what lane 0 reads here
//       s[t] += s[t + 8];       lane 0 reads what lane 8 has written above
//
// Two accesses are in conflict if one of them writes, a way without a sync point leads from the
// first to the second, and two different lanes of a warp, neither known not to come there, surely
// mean the same bytes: of shared memory, or of any array that both accesses say is volatile.
// Subscripts from memory never are, so programs with all their barriers have no conflicts, unless
// a volatile load may mean what the other writes: then they are whatever is not known to be apart;
// but places that lanes share out by votes, shuffles, counters or a table alone are taken to be for
// others to read.
#pragma once

#include "transforms/warp_steps/unfolded.h"

#include <array>
#include <optional>
#include <set>
#include <vector>

namespace gridspan::transforms {

/// Lanes have to meet before `place`; or, `inside`, between reading and writing of the copy there.
struct Conflict {
  unsigned place;
  bool inside;
  unsigned first, second;  // places of the accesses
  bool first_writes, second_writes;
  bool is_certain = true;  // they mean the same bytes, or exchange something
};

struct Conflicts {
  std::vector<Conflict> found;
  /// Places of volatile loads that read the same in whatever order the lanes of a warp go from one
  /// step or sync point to the next, and of others.
  std::set<unsigned> settled, unsettled;
};

/// One for each place at which lanes have to meet, so that no conflict is left. Between two
/// volatile accesses there is none if `volatile_is_ordered`; then no load is asked about. Nothing:
/// lanes must not meet, as who waits for a lock must not hold up its owner.
std::optional<Conflicts> find_conflicts(const UnfoldedKernel& unfolded,
                                        const std::array<std::uint32_t, 3>& shape,
                                        bool volatile_is_ordered);

}  // namespace gridspan::transforms
