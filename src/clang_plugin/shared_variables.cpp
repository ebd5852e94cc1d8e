// The two attributes that a variable gets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/shared_variables.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Sema/SemaCUDA.h"

namespace gridspan::clang_plugin {

using namespace clang;

namespace {

/// A class that clang would call a constructor or destructor of. Of incomplete and abstract ones
/// nobody makes objects.
bool is_made_by_constructor(const ASTContext& context, QualType type) {
  if (type->isDependentType()) return true;
  const CXXRecordDecl* record = context.getBaseElementType(type)->getAsCXXRecordDecl();
  return record && record->hasDefinition() && !record->isAbstract();
}

}  // namespace

void SharedVariables::declared(Sema& sema, Decl& declaration, SourceRange place) {
  auto* variable = dyn_cast<VarDecl>(&declaration);
  if (!variable || isa<ParmVarDecl>(variable) || variable->hasAttr<CUDAConstantAttr>()) {
    sema.Diag(place.getBegin(),
              sema.Diags.getCustomDiagID(DiagnosticsEngine::Error, "this cannot be '__shared__'"));
    return;
  }
  if (variable->hasLocalStorage() &&
      sema.CUDA().DiagIfHostCode(place.getBegin(), diag::err_cuda_host_shared)
          << llvm::to_underlying(sema.CUDA().CurrentTarget()))
    return;
  variable->addAttr(CUDASharedAttr::Create(sema.Context, place));
  if (variable->hasExternalStorage() || !is_made_by_constructor(sema.Context, variable->getType()))
    return;
  variable->addAttr(AliasAttr::CreateImplicit(sema.Context, "gridspan.uninitialised"));
  if (!variable->getDeclContext()->isDependentContext()) aliases_.push_back(variable);
}

void SharedVariables::give_back() {
  for (VarDecl* variable : aliases_) variable->dropAttr<AliasAttr>();
  aliases_.clear();
}

}  // namespace gridspan::clang_plugin
