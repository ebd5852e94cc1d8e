// Marks as sections: attributes that clang hands to the code of all variants of a destructor.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/host_destructors.h"

#include "abi/other_side.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Stmt.h"

namespace gridspan::clang_plugin {

using namespace clang;

static bool is_of_host(const CXXDestructorDecl& destructor) {
  return !destructor.hasAttr<CUDADeviceAttr>() && !destructor.isDeleted();
}

static void mark(CXXDestructorDecl& destructor, std::string_view section) {
  if (!destructor.hasAttr<SectionAttr>())
    destructor.addAttr(SectionAttr::CreateImplicit(destructor.getASTContext(), section));
}

static bool is_marked(const CXXDestructorDecl& destructor) {
  const auto* section = destructor.getAttr<SectionAttr>();
  return section && section->getName() == llvm::StringRef(abi::host_destructor_section);
}

void HostDestructors::defined(CXXRecordDecl& record) {
  records_.push_back(&record);
  CXXDestructorDecl* destructor = record.getDestructor();
  if (destructor && destructor->isUserProvided() && is_of_host(*destructor))
    mark(*destructor, abi::host_destructor_section);
}

void HostDestructors::end(ASTContext& context) const {
  for (const CXXRecordDecl* record : records_) {
    CXXDestructorDecl* destructor = record->getDestructor();
    if (!destructor || !is_of_host(*destructor)) continue;
    if (!destructor->isUserProvided()) {
      mark(*destructor, abi::unwritten_section);
      continue;
    }
    const FunctionDecl* body = nullptr;
    if (!is_marked(*destructor) || !destructor->hasBody(body)) continue;
    const SourceLocation end = body->getEndLoc();
    const_cast<FunctionDecl*>(body)->setBody(
        CompoundStmt::Create(context, {}, FPOptionsOverride(), end, end));
  }
}

}  // namespace gridspan::clang_plugin
