// Accesses as the code makes them: a base, a byte offset, when it happens.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "analysis/budget.h"
#include "analysis/evaluator.h"

namespace gridspan::analysis {

struct RawAccess {
  Base base;
  model::OrNull<isl::pw_aff> offset;  // bytes; its domain is part of when the access happens
  model::OrNull<isl::set> domain;
  Uses uses;
  model::AccessKind kind = model::AccessKind::read;
  model::ReductionOp op = model::ReductionOp::none;
  unsigned bytes = 0;
  bool unbounded = false;    // how far it reaches is not known (memcpy of unknown length, ...)
  bool same_value = false;   // write: the same at every block and thread of a launch
  std::string stored_value;  // then: what it is, if it has a name
  bool is_volatile = false;
  bool is_shared = false;  // in shared memory
  long array_bytes = 0;    // of a shared or constant variable, as declared; 0: not known
  std::string type;        // "float", "int", ...
  model::SourcePoint where;
  std::string reason;  // why unbounded
};

/// All accesses of the function to memory that outlives a thread; what the budget does not allow to
/// be understood is unbounded. Adds to the kernel what else a person must know: barriers, remarks.
std::vector<RawAccess> find_accesses(llvm::Function& function, Evaluator& evaluator, Budget& budget,
                                     model::Kernel& kernel);

}  // namespace gridspan::analysis
