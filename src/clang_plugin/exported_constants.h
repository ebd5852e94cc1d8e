// Constants in device memory that other files may name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     extern __device__ const int sizes[];                in a header
//     __device__ const int sizes[] = {2, 3, 5};           in one file
//
// Where clang sees the value it moves such a variable to constant memory; files that see the
// declaration alone look for it in device memory. It stays where it is declared.
#pragma once

#include "clang/AST/Decl.h"

#include <vector>

namespace gridspan::clang_plugin {

class ExportedConstants {
 public:
  /// Clang knows its attributes, not yet its initialiser.
  void declared(clang::VarDecl& variable);

  /// All declarations so far have their initialisers, and no code was made of the last.
  void end_declaration();

 private:
  std::vector<clang::VarDecl*> variables_;
};

}  // namespace gridspan::clang_plugin
