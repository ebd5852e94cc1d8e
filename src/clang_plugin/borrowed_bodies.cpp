// Empties bodies, and forgets what clang found wrong in them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/borrowed_bodies.h"

#include "clang_plugin/borrowed_functions.h"
#include "clang_plugin/visitor.h"

#include "clang/AST/DeclCXX.h"

namespace gridspan::clang_plugin {

using namespace clang;

namespace {

struct Emptied : Visitor {
  explicit Emptied(Sema& of) : sema(of) {}

  bool shouldVisitTemplateInstantiations() const override { return true; }

  bool VisitFunctionDecl(FunctionDecl* function) override {
    if (!keeps_initialisers(*function) || !function->doesThisDeclarationHaveABody()) return true;
    const SourceLocation end = function->getEndLoc();
    function->setBody(CompoundStmt::Create(sema.Context, {}, FPOptionsOverride(), end, end));
    sema.DeviceDeferredDiags.erase(function);
    return true;
  }

  Sema& sema;
};

}  // namespace

bool keeps_initialisers(const Decl& declaration) {
  return isa<CXXConstructorDecl, CXXDestructorDecl>(declaration) &&
         BorrowedFunctions::is_borrowed(declaration);
}

void leave_bodies_out(Sema& sema, DeclGroupRef read) {
  for (Decl* one : read) Emptied(sema).TraverseDecl(one);
}

}  // namespace gridspan::clang_plugin
