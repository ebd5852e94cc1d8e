// From a shaped access to the model's access relation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "analysis/shape.h"

namespace gridspan::analysis {

/// Says that nothing could be found out in time.
void leave_unbounded(const RawAccess& raw, const Shape& shape, Symbols& symbols,
                     model::Access& access);

/// Fills `access` (kind, bytes, ... are set from `raw`): the relation from the kernel's dimensions
/// to subscripts, with data projected out; `exact` or the reason why not; or `unbounded`. A shared
/// or constant variable is touched somewhere within it, if nothing more is known. False if what it
/// says relies on nothing.
bool build_relation(const RawAccess& raw, const ShapedAccess& shaped, const Shape& shape,
                    Symbols& symbols, model::Access& access);

}  // namespace gridspan::analysis
