// The two attributes that a variable gets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/shared_variables.h"

#include "clang_plugin/visitor.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Sema/SemaCUDA.h"

namespace gridspan::clang_plugin {

using namespace clang;

namespace {

/// Clang's own lookup leaves out what is of the other side.
bool has_default_constructor(Sema& sema, CXXRecordDecl& record) {
  return llvm::any_of(sema.LookupConstructors(&record), [](const NamedDecl* found) {
    const auto* constructor = dyn_cast<CXXConstructorDecl>(found->getAsFunction());
    return constructor && constructor->isDefaultConstructor() && !constructor->isDeleted() &&
           constructor->getAccess() == AS_public;
  });
}

/// A class that clang would call a constructor or destructor of; a template's instance is made for
/// the question. What nobody can make objects of is left to clang, which says why.
bool is_made_by_constructor(Sema& sema, QualType type, SourceLocation place) {
  if (type->isDependentType()) return true;
  const QualType element = sema.Context.getBaseElementType(type);
  CXXRecordDecl* record = element->getAsCXXRecordDecl();
  return record && sema.isCompleteType(place, element) && !record->isAbstract() &&
         has_default_constructor(sema, *record);
}

void make_alias(VarDecl& variable, ASTContext& context) {
  variable.addAttr(AliasAttr::CreateImplicit(context, "gridspan.uninitialised"));
}

/// Clang makes no class for a variable that it takes for an alias: its size would be unknown.
struct CompleteTypes : Visitor {
  explicit CompleteTypes(Sema& of) : sema(of) {}
  bool VisitVarDecl(VarDecl* variable) override {
    if (variable->hasAttr<CUDASharedAttr>() && !variable->getType()->isDependentType())
      sema.isCompleteType(variable->getLocation(),
                          sema.Context.getBaseElementType(variable->getType()));
    return true;
  }
  Sema& sema;
};

}  // namespace

void SharedVariables::declared(Sema& sema, Decl& declaration, SourceRange place) {
  auto* variable = dyn_cast<VarDecl>(&declaration);
  DiagnosticsEngine& told = sema.Diags;
  if (!variable || isa<ParmVarDecl>(variable)) {
    sema.Diag(place.getBegin(),
              told.getCustomDiagID(DiagnosticsEngine::Warning,
                                   "'__shared__' only applies to variables; it is ignored"));
    return;
  }
  if (variable->hasAttr<CUDAConstantAttr>()) {
    sema.Diag(place.getBegin(),
              told.getCustomDiagID(DiagnosticsEngine::Error,
                                   "a variable is '__constant__' or '__shared__', not both"));
    return;
  }
  if (variable->hasLocalStorage() &&
      sema.CUDA().DiagIfHostCode(place.getBegin(), diag::err_cuda_host_shared)
          << llvm::to_underlying(sema.CUDA().CurrentTarget()))
    return;
  variable->addAttr(CUDASharedAttr::Create(sema.Context, place));
  if (variable->hasExternalStorage() ||
      !is_made_by_constructor(sema, variable->getType(), place.getBegin()))
    return;
  make_alias(*variable, sema.Context);
  aliases_.push_back(variable);
  if (variable->getDeclContext()->isDependentContext()) patterns_.push_back(variable);
}

void SharedVariables::give_back() {
  for (VarDecl* variable : aliases_) variable->dropAttr<AliasAttr>();
  aliases_.clear();
}

void SharedVariables::end_declaration(Sema& sema, DeclGroupRef declared) {
  for (VarDecl* variable : patterns_)
    if (!variable->hasInit()) {
      make_alias(*variable, variable->getASTContext());
      has_instances_ = true;
    }
  patterns_.clear();
  if (!has_instances_) return;
  for (Decl* one : declared) CompleteTypes(sema).TraverseDecl(one);
}

}  // namespace gridspan::clang_plugin
