// Constants in braces that do not fit: `int x{3.5}`.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In device code nvcc warns of them. What the host gets is for its host compiler to judge, and for
// g++ it is an error, though not in instances of templates.
#pragma once

#include "clang/Basic/Diagnostic.h"
#include "clang/Sema/Sema.h"

#include <string>
#include <utility>
#include <vector>

namespace gridspan::clang_plugin {

class NarrowedConstants {
 public:
  /// True if the warning is to be an error, which has been noted.
  bool heard_warning(clang::Sema& sema, const clang::Diagnostic& warning);

  /// Says what has been noted. Not while clang is saying something else.
  void tell(clang::Sema& sema);

 private:
  std::vector<std::pair<clang::SourceLocation, std::string>> noted_;
};

}  // namespace gridspan::clang_plugin
