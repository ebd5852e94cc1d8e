// Which functions are borrowed, and what is changed of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/borrowed_functions.h"

#include "abi/other_side.h"
#include "clang_plugin/function_keys.h"
#include "clang_plugin/target.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Sema/SemaCUDA.h"

#include <ostream>

namespace gridspan::clang_plugin {

using namespace clang;

namespace {

constexpr llvm::StringRef borrowed_mark = "borrowed ";

void mark(FunctionDecl& function, std::string_view section) {
  if (function.hasAttr<SectionAttr>()) return;
  const bool is_of_this_file =
      function.getStorageClass() == SC_Static || function.isInAnonymousNamespace();
  std::string name(section);
  if (is_of_this_file) name += abi::of_this_file;
  function.addAttr(SectionAttr::CreateImplicit(function.getASTContext(), name));
}

void lend(FunctionDecl& function) {
  set_one(function, {true, true});
  mark(function, abi::borrowed_section);
  // Clang would leave the table of virtual functions to the file that has the body of the first.
  const auto* method = dyn_cast<CXXMethodDecl>(&function);
  if (method && method->isVirtualAsWritten()) function.setInlineSpecified(true);
}

bool is_special_member(const CXXMethodDecl& method) {
  return isa<CXXConstructorDecl, CXXDestructorDecl>(method) || method.isCopyAssignmentOperator() ||
         method.isMoveAssignmentOperator();
}

bool is_one_sided(const FunctionDecl& function) {
  const Target target = written_on(function);
  return !target.global && (target.is_host_only() || target.is_device_only());
}

/// Those of a class that somebody wrote for one side.
template <class Do>
void for_one_sided_members(const CXXRecordDecl& record, Do act) {
  for (Decl* one : record.decls()) {
    if (auto* pattern = dyn_cast<FunctionTemplateDecl>(one)) one = pattern->getTemplatedDecl();
    const auto* method = dyn_cast<CXXMethodDecl>(one);
    if (method && method->isUserProvided() && is_special_member(*method) && is_one_sided(*method))
      act(*method);
  }
}

/// One with the same parameters for the other side.
bool has_host_twin(const CXXMethodDecl& member) {
  const auto* constructor = dyn_cast<CXXConstructorDecl>(&member);
  return constructor && llvm::any_of(constructor->getParent()->ctors(), [&](const auto* other) {
           return other != constructor && other->isUserProvided() &&
                  !written_on(*other).is_device_only() &&
                  other->getASTContext().hasSameType(other->getType(), constructor->getType());
         });
}

}  // namespace

bool BorrowedFunctions::read(llvm::StringRef line) {
  return line.consume_front(borrowed_mark) && known_.insert(line.str()).second;
}

void BorrowedFunctions::write(std::ostream& file) const {
  for (const std::set<std::string>* keys : {&known_, &found_})
    for (const std::string& key : *keys) file << borrowed_mark.str() << key << '\n';
}

void BorrowedFunctions::learn(const std::string& key) {
  if (!known_.contains(key)) has_news_ |= found_.insert(key).second;
}

/// The members of bases and fields that members which nobody wrote would call.
void BorrowedFunctions::learn_parts(CXXRecordDecl& record, std::set<const CXXRecordDecl*>& seen) {
  CXXRecordDecl* whole = record.getDefinition();
  if (!whole || whole->isDependentType() || !seen.insert(whole).second) return;
  const auto learn_part = [&](QualType type) {
    CXXRecordDecl* part = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (!part || !part->getDefinition()) return;
    for_one_sided_members(*part->getDefinition(),
                          [&](const CXXMethodDecl& member) { learn(key_of(member)); });
    learn_parts(*part, seen);
  };
  for (const CXXBaseSpecifier& base : whole->bases()) learn_part(base.getType());
  for (const FieldDecl* field : whole->fields()) learn_part(field->getType());
  const CXXDestructorDecl* destructor = whole->getDestructor();
  if (destructor && destructor->isVirtual() && destructor->isUserProvided() &&
      is_one_sided(*destructor))
    learn(key_of(*destructor));
}

void BorrowedFunctions::learn_argument(const Diagnostic& error, unsigned index,
                                       std::set<const CXXRecordDecl*>& seen) {
  CXXRecordDecl* record = nullptr;
  if (error.getArgKind(index) == DiagnosticsEngine::ak_qualtype) {
    const QualType type =
        QualType::getFromOpaquePtr(reinterpret_cast<void*>(error.getRawArg(index)));
    if (!type.isNull()) record = type.getNonReferenceType()->getAsCXXRecordDecl();
  } else if (error.getArgKind(index) == DiagnosticsEngine::ak_nameddecl) {
    auto* named = reinterpret_cast<NamedDecl*>(error.getRawArg(index));
    record = dyn_cast_or_null<CXXRecordDecl>(named);
    const auto* method = dyn_cast_or_null<CXXMethodDecl>(named);
    if (method && is_special_member(*method))
      record = const_cast<CXXRecordDecl*>(method->getParent());
  }
  if (record) learn_parts(*record, seen);
}

void BorrowedFunctions::heard_error(Sema& sema, const Diagnostic& error) {
  using Side = CUDAFunctionTarget;
  std::set<const CXXRecordDecl*> seen;
  for (unsigned i = 0; i < error.getNumArgs(); ++i) learn_argument(error, i, seen);
  if (sema.getLangOpts().CUDAIsDevice || error.getID() != diag::err_ref_bad_target) return;
  // A device function that the host names.
  const auto side = [&](unsigned argument) { return static_cast<Side>(error.getRawArg(argument)); };
  const auto* called = dyn_cast<FunctionDecl>(reinterpret_cast<NamedDecl*>(error.getRawArg(2)));
  if (!called || called->isImplicit() || side(0) != Side::Device) return;
  const bool may_make_part = isa<CXXConstructorDecl, CXXDestructorDecl>(called);
  if (side(3) == Side::Host || (may_make_part && side(3) == Side::HostDevice))
    learn(key_of(*called));
}

bool BorrowedFunctions::may_be_unused(const FunctionDecl& function) {
  return function.isInlined() || function.isTemplateInstantiation() ||
         !function.isExternallyVisible();
}

/// Of overloads clang names the places only. Both passes look at what the host names.
void BorrowedFunctions::heard_candidate(Sema& sema, const Diagnostic& note) {
  const FunctionDecl* around = sema.getCurFunctionDecl(/*AllowLambda=*/true);
  const auto side = around ? sema.CUDA().IdentifyTarget(around) : CUDAFunctionTarget::Host;
  // The standard library's own overloads and instances would not bear the change.
  const bool is_by_unused = sema.getLangOpts().CUDAIsDevice && around &&
                            side == CUDAFunctionTarget::Device && may_be_unused(*around) &&
                            !sema.getSourceManager().isInSystemHeader(note.getLocation());
  if (note.getLocation().isInvalid() || !(side == CUDAFunctionTarget::Host || is_by_unused)) return;
  learn(key_of_place(sema.getSourceManager(), note.getLocation()));
  if (is_by_unused) sema.getDiagnostics().setErrorLimit(0);
}

void BorrowedFunctions::heard_conversion(const Diagnostic& said) {
  for (unsigned i = 0; i < said.getNumArgs(); ++i) {
    if (said.getArgKind(i) != DiagnosticsEngine::ak_qualtype) continue;
    const QualType type = QualType::getFromOpaquePtr(reinterpret_cast<void*>(said.getRawArg(i)));
    const CXXRecordDecl* record =
        type.isNull() ? nullptr : type.getNonReferenceType()->getAsCXXRecordDecl();
    if (!record || !record->getDefinition()) continue;
    for_one_sided_members(*record->getDefinition(), [&](const CXXMethodDecl& member) {
      if (isa<CXXConstructorDecl, CXXDestructorDecl>(member) &&
          written_on(member).is_device_only() && !has_host_twin(member))
        learn(key_of(member));
    });
  }
}

bool BorrowedFunctions::is_wanted(const FunctionDecl& function) const {
  return any() && (known_.contains(key_of(function)) ||
                   known_.contains(key_of_place(function.getASTContext().getSourceManager(),
                                                function.getLocation())));
}

void BorrowedFunctions::declared(FunctionDecl& function, bool is_device_pass) {
  const Target target = written_on(function);
  if (target.global || (target.host && target.device)) return;
  const bool is_others = is_device_pass ? target.is_host_only() : target.is_device_only();
  if (is_wanted(function) && is_others) {
    lend(function);
  } else if (is_wanted(function)) {
    if (!target.any()) without_specifiers_.insert(&function);
    set_one(function, {true, true});
  } else if (is_others && !is_device_pass) {
    mark(function, abi::device_function_section);
  }
}

void BorrowedFunctions::redeclared(FunctionDecl& function, const FunctionDecl& earlier,
                                   bool is_device_pass) {
  if (is_wanted(function)) learn(key_of(*earlier.getFirstDecl()));  // from the first on
  if (!is_borrowed(earlier)) return;
  const Target target = written_on(function);
  if (is_device_pass ? target.device : target.host) return;
  lend(function);
}

bool BorrowedFunctions::was_taken_wrongly(const FunctionDecl& function,
                                          const FunctionDecl& earlier) const {
  return without_specifiers_.contains(&earlier) && written_on(function).is_device_only();
}

bool BorrowedFunctions::is_borrowed(const Decl& declaration) {
  const FunctionDecl* function = declaration.getAsFunction();
  const auto* section = function ? function->getAttr<SectionAttr>() : nullptr;
  return section && section->isImplicit() && section->getName().starts_with(abi::borrowed_section);
}

}  // namespace gridspan::clang_plugin
