// Names for functions that are the same in each run of clang over a source.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"

#include <string>

namespace gridspan::clang_plugin {

/// "file:offset:"
inline std::string key_of_place(const clang::SourceManager& sources, clang::SourceLocation place) {
  const auto [file, offset] = sources.getDecomposedExpansionLoc(place);
  const auto entry = sources.getFileEntryRefForID(file);
  return (entry ? entry->getName().str() : "") + ':' + std::to_string(offset) + ':';
}

/// Clang's names of constructors and destructors hold the template's arguments.
inline std::string name_for_key(const clang::FunctionDecl& function) {
  if (!llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(function))
    return function.getNameAsString();
  const auto* record = llvm::cast<clang::CXXMethodDecl>(function).getParent();
  return (llvm::isa<clang::CXXDestructorDecl>(function) ? "~" : "") + record->getNameAsString();
}

/// "file:offset:name"; an instance has its template's.
inline std::string key_of(const clang::FunctionDecl& function) {
  return key_of_place(function.getASTContext().getSourceManager(), function.getLocation()) +
         name_for_key(function);
}

}  // namespace gridspan::clang_plugin
