// Managed variables are memory that every call knows, from the moment their module is there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module's variables get their places at its first use. Programs hand the addresses of managed
// ones to calls before that, and get them from libraries that they open. Registration must not
// start anything, so it leaves a note, and the next call finds the places.
#pragma once

#include <atomic>

namespace gridspan::runtime {

struct Runtime;

/// How often managed variables have come, and how many of these times have been looked after.
struct ManagedNotes {
  std::atomic<unsigned> made{0};
  std::atomic<unsigned> done{0};
};
inline constinit ManagedNotes managed_notes;

/// Some managed variables have no place (any more).
inline void note_managed_variables() { managed_notes.made.fetch_add(1); }

/// Enters the managed variables of all modules into the allocation table. Their modules' other
/// variables come with them.
void place_managed_variables(Runtime& state);

/// The same if there is something to do: what every call can afford.
inline void place_new_managed_variables(Runtime& state) {
  if (managed_notes.made.load(std::memory_order_acquire) !=
      managed_notes.done.load(std::memory_order_acquire)) [[unlikely]]
    place_managed_variables(state);
}

}  // namespace gridspan::runtime
