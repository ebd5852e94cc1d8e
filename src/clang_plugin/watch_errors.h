// Looks over clang's shoulder at its messages.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "clang_plugin/borrowed_functions.h"
#include "clang_plugin/narrowed_constants.h"
#include "clang_plugin/other_side_calls.h"
#include "clang_plugin/specifiers.h"

#include <string>

namespace clang {
class CompilerInstance;
}  // namespace clang

namespace gridspan::clang_plugin {

/// Writes a line of JSON into `file` for each error that has a cure:
///
///     {"file": "/abs/a.cuh", "offset": 312, "length": 3, "text": ""}
///
/// gridcc changes what clang sees of the file, and starts it again. `sema` points at where clang's
/// analysis will be once it has begun. `specifiers` hears of calls that are not this pass's matter,
/// `calls` and `borrowed` of all, `constants` of warnings.
void watch_errors(clang::CompilerInstance& compiler, const std::string& file,
                  clang::Sema* const& sema, Specifiers& specifiers, OtherSideCalls& calls,
                  BorrowedFunctions& borrowed, NarrowedConstants& constants);

}  // namespace gridspan::clang_plugin
