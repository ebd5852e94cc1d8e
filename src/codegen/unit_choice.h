// Which units take part in a device link, and what keeps them from it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects named on the command line are all linked. Of a library's members, the linker that makes
// the program later takes those whose *host* code it needs, and the device link cannot know them.
// So every member is linked that can be: it is left out if a name it needs is defined nowhere, or
// if it defines what another one before it does. Host code of a member that was left out does not
// link either.
#pragma once

#include "codegen/link_unit.h"

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace gridspan::codegen {

/// A name that stands in the way of unit `unit`.
struct LinkObstacle {
  enum class Kind { undefined, defined_twice } kind;
  unsigned unit;
  std::string name;
  unsigned other = 0;  // defined_twice: the unit that has the first definition
};

struct UnitChoice {
  std::vector<unsigned> linked;        // in the order given
  std::vector<LinkObstacle> errors;    // of units that are required, or needed by those
  std::vector<LinkObstacle> left_out;  // one for each other unit that is not linked
};

UnitChoice choose_units(llvm::ArrayRef<LinkUnit> units);

}  // namespace gridspan::codegen
