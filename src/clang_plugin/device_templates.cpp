// Walks over what was read.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/device_templates.h"

#include "clang_plugin/visitor.h"

#include "clang/AST/DeclCXX.h"

namespace gridspan::clang_plugin {

using namespace clang;

namespace {

bool is_for_devices(const FunctionDecl& function) {
  return function.hasAttr<CUDAGlobalAttr>() ||
         (function.hasAttr<CUDADeviceAttr>() && !function.hasAttr<CUDAHostAttr>());
}

struct EmptiedTemplates : Visitor {
  explicit EmptiedTemplates(Sema& of) : sema(of) {}

  bool VisitFunctionDecl(FunctionDecl* function) override {
    if (!function->isTemplated() || !is_for_devices(*function) ||
        !function->doesThisDeclarationHaveABody() || function->isConstexpr() ||
        function->getReturnType()->getContainedDeducedType() ||
        isa<CXXConstructorDecl, CXXDestructorDecl>(function))
      return true;
    const SourceLocation end = function->getEndLoc();
    function->setBody(CompoundStmt::Create(sema.Context, {}, FPOptionsOverride(), end, end));
    return true;
  }

  Sema& sema;
};

}  // namespace

void empty_device_templates(Sema& sema, DeclGroupRef read) {
  for (Decl* one : read) EmptiedTemplates(sema).TraverseDecl(one);
}

}  // namespace gridspan::clang_plugin
