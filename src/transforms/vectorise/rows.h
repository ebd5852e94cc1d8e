// Several rows of threads at once: what they have in common is computed, and loaded, once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, around the loop over vectors of one row:     After, in front of it:
//
//     for (t, y = ...; t < last; next row)               while `rows` whole rows are left
//       for (v = 0; v < run; v += lanes)                   for (v = 0; v < run; v += lanes)
//         threads(y, v)                                      threads(y ... y + rows - 1, v)
//
// Each instruction that depends on the row is written once for each row, one after the other, the
// others once for all. Branches must not depend on the row, but for those that hand over to the
// general version: one row's fails for all, and each starts that vector again by itself.
#pragma once

#include "transforms/vectorise/thread_body.h"

namespace gridspan::transforms {

/// The fast version of the loop over vectors in a region's loop over rows.
struct RowVectors {
  llvm::BasicBlock* row;     // computes how many threads the row has; branches to `header`
  llvm::BasicBlock* header;  // of the loop over vectors; branches to `part` if one is not whole
  llvm::BasicBlock* part;    // null: there is none
  llvm::BasicBlock* latch;   // branches to `header` or `done`
  llvm::BasicBlock* done;
  llvm::BasicBlock* general;  // the general version's first block; null: there is none
  llvm::PHINode* index;       // in `header`
  llvm::Value* count;         // threads in the row
  llvm::Value* whole;         // of them in whole vectors
  unsigned lanes;             // of a vector
  unsigned registers;         // the target has for vectors
  RowChoice choice;
};

/// Writes the loop over groups of rows if it is worthwhile. Every value is in SSA form.
bool jam_rows(const RowVectors& vectors);

}  // namespace gridspan::transforms
