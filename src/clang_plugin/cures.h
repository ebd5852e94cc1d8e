// What nvcc accepts and clang does not, where clang's error tells how to write it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "clang_plugin/edit.h"

#include "clang/Basic/Diagnostic.h"

#include <optional>

namespace clang {
class ASTContext;
class Preprocessor;
}  // namespace clang

namespace gridspan::clang_plugin {

/// An error, or a note that belongs to it.
struct Complaint {
  const clang::Diagnostic& diagnostic;
  clang::ASTContext& context;
  clang::Preprocessor& preprocessor;
  unsigned error;      // its number
  bool in_template;    // whatever is said there is not known in full
  SourceText written;  // where the error is; of a macro's expansion: in its definition
};

using Cure = std::optional<Edit> (*)(const Complaint&);

/// The table: which of clang's messages have a cure. Null for all others.
Cure cure_of(unsigned diagnostic);

}  // namespace gridspan::clang_plugin
