// Walks over clang's tree. RecursiveASTVisitor is a template of some 8 CPU seconds for each class
// that derives from it; this is the one class that does, and others override its functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "clang/AST/RecursiveASTVisitor.h"

namespace gridspan::clang_plugin {

/// Each Visit function returns whether the walk goes on. Parents come before their children.
class Visitor : public clang::RecursiveASTVisitor<Visitor> {
 public:
  using Base = clang::RecursiveASTVisitor<Visitor>;

  Visitor() = default;
  virtual ~Visitor();
  Visitor(const Visitor&) = delete;
  Visitor& operator=(const Visitor&) = delete;

  virtual bool shouldVisitTemplateInstantiations() const { return false; }
  virtual bool shouldVisitImplicitCode() const { return false; }

  virtual bool TraverseDecl(clang::Decl* declaration);
  virtual bool TraverseLambdaExpr(clang::LambdaExpr* lambda);
  virtual bool TraverseConstructorInitializer(clang::CXXCtorInitializer* initializer);

  virtual bool VisitCXXDestructorDecl(clang::CXXDestructorDecl*) { return true; }
  virtual bool VisitEnumConstantDecl(clang::EnumConstantDecl*) { return true; }
  virtual bool VisitFieldDecl(clang::FieldDecl*) { return true; }
  virtual bool VisitFunctionDecl(clang::FunctionDecl*) { return true; }
  virtual bool VisitFunctionTemplateDecl(clang::FunctionTemplateDecl*) { return true; }
  virtual bool VisitVarDecl(clang::VarDecl*) { return true; }

  virtual bool VisitCallExpr(clang::CallExpr*) { return true; }
  virtual bool VisitCXXBindTemporaryExpr(clang::CXXBindTemporaryExpr*) { return true; }
  virtual bool VisitCXXConstructExpr(clang::CXXConstructExpr*) { return true; }
  virtual bool VisitCXXDeleteExpr(clang::CXXDeleteExpr*) { return true; }
  virtual bool VisitCXXInheritedCtorInitExpr(clang::CXXInheritedCtorInitExpr*) { return true; }
  virtual bool VisitCXXNewExpr(clang::CXXNewExpr*) { return true; }
  virtual bool VisitCXXThrowExpr(clang::CXXThrowExpr*) { return true; }
  virtual bool VisitDeclRefExpr(clang::DeclRefExpr*) { return true; }
  virtual bool VisitExplicitCastExpr(clang::ExplicitCastExpr*) { return true; }
  virtual bool VisitInitListExpr(clang::InitListExpr*) { return true; }
  virtual bool VisitReturnStmt(clang::ReturnStmt*) { return true; }
};

}  // namespace gridspan::clang_plugin

extern template class clang::RecursiveASTVisitor<gridspan::clang_plugin::Visitor>;
