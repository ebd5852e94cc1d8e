// Elements that blocks of different launches both touch, and one of them writes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fusion/footprint.h"
#include "model/pairs.h"
#include "model/prove.h"

#include <optional>
#include <string>
#include <vector>

namespace gridspan::fusion {

/// An element, and a block of each launch that touches it.
struct Meeting {
  Block first{}, second{};
  std::vector<long> element;
};

struct Conflict {
  std::string array;                                        // as the later launch's kernel calls it
  const model::Access *first = nullptr, *second = nullptr;  // of the earlier, of the later launch
  isl::set launches;               // over parameters: at which blocks of other index may meet
  std::string obstacle;            // why that is not known better; empty: it is so
  std::optional<Meeting> meeting;  // at a launch as programs make it; then `launches` is all
};

class Conflicts {
 public:
  using Axes = std::array<bool, 3>;

  /// All must stay where they are.
  Conflicts(const Joined& joined, model::Instances& instances, const Footprints& footprints,
            model::ProofLimits& limits);

  /// Between blocks whose indices differ: the dependences of the paper's D that are not within one
  /// block. O(accesses^2) questions to isl, most of them answered by a glance at the subscripts.
  /// Where examples are spared, the first one is enough.
  std::vector<Conflict> between(unsigned earlier, unsigned later);
  /// Whether threads of one block that differ may touch an element in common, one of them writing:
  /// then the later launch's code has to wait for all threads of the block. Never wrong to say so.
  bool threads_meet(unsigned earlier, unsigned later);
  /// Why blocks of the later launch need all or most of the earlier one's, if they do: the accesses
  /// that say so; `obstacle` is empty if it is seen at a launch as programs make it.
  std::optional<Conflict> with_most(unsigned earlier, unsigned later);
  /// Axes of the grid that accesses of either depend on; along others all blocks do the same.
  Axes axes_of(unsigned earlier, unsigned later);
  /// The same of a block.
  Axes thread_axes_of(unsigned earlier, unsigned later);
  const Footprints& footprints() const { return footprints_; }

 private:
  /// An access of the earlier launch, and one of the later, the order of which matters.
  struct Two {
    std::size_t array, first, second;
  };
  std::vector<Two> pairs_of(unsigned earlier, unsigned later) const;
  bool with_most(const Two& two, const Axes& axes) const;
  Conflict conflict_of(const Two& two) const;
  bool threads_meet(const model::Access& first, const model::Access& second, const Axes& axes);
  Axes axes_of(unsigned earlier, unsigned later, model::Dimension::Kind kind);
  std::optional<Conflict> of(const Two& two, const Axes& axes);
  isl::set apart(const model::Access& first, const model::Access& second, const Axes& axes);
  std::optional<Meeting> meeting(const Two& two, const Axes& axes) const;
  void look_at_shapes(unsigned earlier, unsigned later, std::vector<Conflict>& found) const;
  void look_at_overlaps(unsigned earlier, unsigned later, std::vector<Conflict>& found) const;
  const model::Access* access_of(std::size_t array, unsigned launch, bool writes) const;

  const Joined& joined_;
  model::Instances& instances_;
  const Footprints& footprints_;
  model::ProofLimits& limits_;
  model::Pairs pairs_;
};

}  // namespace gridspan::fusion
