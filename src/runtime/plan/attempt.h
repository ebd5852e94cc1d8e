// A way to cut a launch, and what its parts touch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/plan/bound_launch.h"
#include "runtime/plan/cut.h"
#include "runtime/plan/footprints.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gridspan::runtime {

/// One set of one array of the launch.
struct SetUse {
  const BoundArray* bound;
  const abi::ModelSet* set;
  std::size_t buffer;                 // index into Attempt::buffers
  std::vector<SetFootprint> touched;  // by part
  std::vector<regions::Box> hulls;    // by part
  bool merged = false;                // parts' changes are found by comparison
  bool reduced = false;               // parts update private copies

  /// The boxes hold what blocks `blocks`, which are part `part`, touch, and nothing else.
  bool is_exact(std::size_t part, const BlockBox& blocks) const;
  /// For a person.
  std::string name() const;
};

struct Attempt {
  std::vector<CutPart> parts;
  std::vector<VirtualBuffer*> buffers;
  std::vector<regions::View> views;  // by buffer
  std::vector<SetUse> uses;
};

/// What `parts` of the launch touch. The launch outlives the attempt.
Attempt touch(const BoundLaunch& launch, std::vector<CutPart> parts);

inline bool is_write(abi::SetKind kind) { return kind != abi::SetKind::read; }

/// Whether some part touches through `a` what another touches through `b`; "yes" when telling would
/// take too long.
bool conflict(const Attempt& attempt, const SetUse& a, const SetUse& b);

}  // namespace gridspan::runtime
