// Names for functions that are the same in each run of clang over a source.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"

#include <string>

namespace gridspan::clang_plugin {

/// "file:offset:"
inline std::string key_of_place(const clang::SourceManager& sources, clang::SourceLocation place) {
  const auto [file, offset] = sources.getDecomposedExpansionLoc(place);
  const auto entry = sources.getFileEntryRefForID(file);
  return (entry ? entry->getName().str() : "") + ':' + std::to_string(offset) + ':';
}

/// "file:offset:name"; an instance has its template's.
inline std::string key_of(const clang::FunctionDecl& function) {
  return key_of_place(function.getASTContext().getSourceManager(), function.getLocation()) +
         function.getNameAsString();
}

}  // namespace gridspan::clang_plugin
