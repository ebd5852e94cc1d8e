// The one instance of clang's RecursiveASTVisitor.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/visitor.h"

template class clang::RecursiveASTVisitor<gridspan::clang_plugin::Visitor>;

namespace gridspan::clang_plugin {

using namespace clang;

Visitor::~Visitor() = default;

bool Visitor::TraverseDecl(Decl* declaration) { return Base::TraverseDecl(declaration); }

bool Visitor::TraverseLambdaExpr(LambdaExpr* lambda) { return Base::TraverseLambdaExpr(lambda); }

bool Visitor::TraverseConstructorInitializer(CXXCtorInitializer* initializer) {
  return Base::TraverseConstructorInitializer(initializer);
}

}  // namespace gridspan::clang_plugin
