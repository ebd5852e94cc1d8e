// Looks through all scopes for variables of devices, and through their initialisers for arrays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/device_variables.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Sema/SemaCUDA.h"
#include "llvm/ADT/STLExtras.h"

namespace gridspan::clang_plugin {

using namespace clang;
using llvm::all_of;
using llvm::any_of;

namespace {

class VariableCheck {
 public:
  explicit VariableCheck(Sema& sema) : sema_(sema) {}

  void look_into(const DeclContext& scope) {
    for (Decl* one : scope.noload_decls()) look_at(*one);
  }

 private:
  void look_at(Decl& one);
  void look_at_variable(VarDecl& variable);
  bool has_open_end(const Expr& init);
  bool does_nothing(const Expr& init, SourceLocation place);
  bool is_made_by_code(VarDecl& variable);
  bool is_undone_by_code(const VarDecl& variable);

  template <class Template>
  void look_at_instances(Template& pattern) {
    for (auto* instance : pattern.specializations()) look_at(*instance);
  }

  Sema& sema_;
};

void VariableCheck::look_at(Decl& one) {
  if (auto* variable = dyn_cast<VarDecl>(&one)) return look_at_variable(*variable);
  if (auto* pattern = dyn_cast<FunctionTemplateDecl>(&one)) return look_at_instances(*pattern);
  if (auto* pattern = dyn_cast<ClassTemplateDecl>(&one)) return look_at_instances(*pattern);
  if (auto* pattern = dyn_cast<VarTemplateDecl>(&one)) return look_at_instances(*pattern);
  if (auto* scope = dyn_cast<DeclContext>(&one); scope && !scope->isDependentContext())
    look_into(*scope);
}

/// An array of which some elements are not named, and what makes these is no constant: clang does
/// not look there.
bool VariableCheck::has_open_end(const Expr& init) {
  const auto* list = dyn_cast<InitListExpr>(init.IgnoreImplicit());
  if (!list) return false;
  const Expr* rest = list->hasArrayFiller() ? list->getArrayFiller() : nullptr;
  if (rest && !isa<InitListExpr>(rest->IgnoreImplicit()) &&
      !rest->isConstantInitializer(sema_.Context, false))
    return true;
  return (rest && has_open_end(*rest)) ||
         any_of(list->inits(), [&](const Expr* part) { return part && has_open_end(*part); });
}

/// Leaves zeros: constructors that do nothing, and no values. With values beside them clang would
/// run code for all of it.
bool VariableCheck::does_nothing(const Expr& init, SourceLocation place) {
  const Expr* made = init.IgnoreImplicit();
  if (isa<ImplicitValueInitExpr>(made)) return true;
  if (const auto* call = dyn_cast<CXXConstructExpr>(made))
    return sema_.CUDA().isEmptyConstructor(place, call->getConstructor());
  const auto* list = dyn_cast<InitListExpr>(made);
  if (!list) return false;
  if (list->hasArrayFiller() && !does_nothing(*list->getArrayFiller(), place)) return false;
  return all_of(list->inits(),
                [&](const Expr* part) { return part && does_nothing(*part, place); });
}

bool VariableCheck::is_made_by_code(VarDecl& variable) {
  const Expr* init = variable.getInit();
  return init && !init->isValueDependent() && has_open_end(*init) && !variable.evaluateValue() &&
         !does_nothing(*init, variable.getLocation());
}

bool VariableCheck::is_undone_by_code(const VarDecl& variable) {
  if (!variable.getType()->isArrayType()) return false;
  const CXXRecordDecl* element =
      sema_.Context.getBaseElementType(variable.getType())->getAsCXXRecordDecl();
  return element && element->hasDefinition() &&
         !sema_.CUDA().isEmptyDestructor(variable.getLocation(), element->getDestructor());
}

void VariableCheck::look_at_variable(VarDecl& variable) {
  const bool is_of_device =
      variable.hasAttr<CUDADeviceAttr>() || variable.hasAttr<CUDAConstantAttr>();
  if (!is_of_device || variable.hasAttr<CUDASharedAttr>() || variable.isInvalidDecl() ||
      !variable.hasGlobalStorage() ||
      variable.isThisDeclarationADefinition() != VarDecl::Definition ||
      variable.getType()->isDependentType())
    return;
  if (!is_made_by_code(variable) && !is_undone_by_code(variable)) return;
  sema_.Diag(variable.getLocation(), diag::err_dynamic_var_init);
  variable.setInvalidDecl();
}

}  // namespace

void check_device_variables(Sema& sema) {
  VariableCheck(sema).look_into(*sema.Context.getTranslationUnitDecl());
}

}  // namespace gridspan::clang_plugin
