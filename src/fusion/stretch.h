// Launches of host code that follow one another without anything between that they would have to
// wait for. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fusion/launch.h"
#include "support/launch_sequences.h"

#include <functional>
#include <optional>
#include <vector>

namespace gridspan::fusion {

/// Steps of a sequence, each the next one after the one before it, always or sometimes.
struct Stretch {
  std::vector<unsigned> steps;
  int turn = -1;  // of two steps: the loop in whose next turn the second is
};

/// Why no group has both steps of a pair, or nothing: the first thing between them that ends one,
/// another stream, a step that is no launch, or one that is only sometimes there.
struct Divider {
  std::string text;
  support::SourcePlace place;
};
std::optional<Divider> divider(const support::LaunchSequence& sequence,
                               const support::Neighbours& pair);

/// The longest stretches of two steps or more, then pairs across the turn of a loop; at most
/// `most_launches` steps each. Pairs with a divider are in none.
std::vector<Stretch> stretches(const support::LaunchSequence& sequence);

/// The same of steps that follow one another on some way, if not always.
std::vector<Stretch> likely_stretches(const support::LaunchSequence& sequence);

/// The model of a kernel by its mangled name; null: there is none.
using ModelOf = std::function<const model::Kernel*(const std::string&)>;

/// The launches of a stretch, equal values under equal numbers. Empty where a kernel has no model,
/// or another number of arguments.
std::vector<Launch> launches_of(const support::LaunchSequence& sequence, const Stretch& stretch,
                                const ModelOf& model_of);

}  // namespace gridspan::fusion
