// __shared__ variables as nvcc understands them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc leaves objects in shared memory uninitialised, whatever constructors and destructors their
// class has and wherever these may run: `__shared__ dim3 size;`, `__shared__ std::complex<float>
// z;` Clang calls them, or refuses to. So it is told that the variable is another one's alias while
// it looks for an initialiser: then none is made up. One that is written is still refused.
//
// Without -rdc=true clang takes `extern __shared__` for arrays without a length only; for nvcc any
// such variable lies over the block's dynamic memory.
#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/DeclGroup.h"
#include "clang/Sema/Sema.h"

#include <vector>

namespace gridspan::clang_plugin {

class SharedVariables {
 public:
  /// In place of clang's own attribute. `place`: the attribute's.
  void declared(clang::Sema& sema, clang::Decl& declaration, clang::SourceRange place);

  /// What follows the declarator is known: nothing is an alias any more.
  void give_back();

  /// A whole declaration at file scope is known, or an instance of a template. What has no
  /// initialiser in a template is an alias from now on, so that instances are: clang makes code of
  /// these as of any variable.
  void end_declaration(clang::Sema& sema, clang::DeclGroupRef declared);

 private:
  std::vector<clang::VarDecl*> aliases_;
  std::vector<clang::VarDecl*> patterns_;  // in templates
  bool has_instances_ = false;             // there may be some
};

}  // namespace gridspan::clang_plugin
