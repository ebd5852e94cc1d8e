// The list, out of clang 19's warnings that are errors by default.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/leniency.h"

#include "clang/Basic/DiagnosticSema.h"

namespace gridspan::clang_plugin {

using namespace clang;

void warn_only(DiagnosticsEngine& engine) {
  for (const unsigned one :
       {diag::ext_init_list_type_narrowing, diag::ext_init_list_variable_narrowing,
        diag::ext_init_list_constant_narrowing, diag::ext_return_missing_expr,
        diag::warn_return_missing_expr})
    // Unless the user has told clang not to speak of it at all.
    if (engine.getDiagnosticLevel(one, SourceLocation()) == DiagnosticsEngine::Error)
      // From an error clang goes to a warning by this detour only.
      for (const auto severity : {diag::Severity::Ignored, diag::Severity::Warning})
        engine.setSeverity(one, severity, SourceLocation());
}

}  // namespace gridspan::clang_plugin
