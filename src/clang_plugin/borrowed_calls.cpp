// Looks for all calls, and then at those that lead to borrowed functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/borrowed_calls.h"

#include "clang_plugin/borrowed_functions.h"
#include "clang_plugin/target.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Sema/SemaCUDA.h"

#include <map>
#include <set>
#include <vector>

namespace gridspan::clang_plugin {

using namespace clang;

namespace {

struct Call {
  const FunctionDecl* caller;  // null at namespace scope
  SourceLocation place;
};

using Calls = std::map<const FunctionDecl*, std::vector<Call>>;  // by what is called

const FunctionDecl* definition_of(const FunctionDecl& function) {
  const FunctionDecl* definition = nullptr;
  return function.isDefined(definition) ? definition : function.getCanonicalDecl();
}

/// Everything that is called in the source, with what clang adds: destructors of variables, of
/// temporaries, of parts.
class Collector : public RecursiveASTVisitor<Collector> {
 public:
  explicit Collector(Calls& calls) : calls_(calls) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  bool TraverseDecl(Decl* declaration) {
    const auto* function = dyn_cast_or_null<FunctionDecl>(declaration);
    if (!function) return RecursiveASTVisitor::TraverseDecl(declaration);
    return within(*function, [&] { return RecursiveASTVisitor::TraverseDecl(declaration); });
  }
  bool TraverseLambdaExpr(LambdaExpr* lambda) {
    if (!RecursiveASTVisitor::TraverseDecl(lambda->getLambdaClass())) return false;
    return within(*lambda->getCallOperator(), [&] { return TraverseStmt(lambda->getBody()); });
  }

  bool VisitCallExpr(CallExpr* call) {
    const FunctionDecl* called = call->getDirectCallee();
    const auto* member = dyn_cast<MemberExpr>(call->getCallee()->IgnoreParenImpCasts());
    const auto* destructor = dyn_cast_or_null<CXXDestructorDecl>(called);
    const bool is_looked_up =
        member && destructor && destructor->isVirtual() && !member->hasQualifier();
    if (called && !is_looked_up) note(*called, call->getBeginLoc());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr* made) {
    note(*made->getConstructor(), made->getBeginLoc());
    return true;
  }
  bool VisitCXXInheritedCtorInitExpr(CXXInheritedCtorInitExpr* made) {
    note(*made->getConstructor(), made->getBeginLoc());
    return true;
  }
  bool VisitCXXDeleteExpr(CXXDeleteExpr* deleted) {
    note_destructor(deleted->getDestroyedType(), deleted->getBeginLoc(), /*is_looked_up=*/true);
    return true;
  }
  bool VisitCXXBindTemporaryExpr(CXXBindTemporaryExpr* temporary) {
    note(*temporary->getTemporary()->getDestructor(), temporary->getBeginLoc());
    return true;
  }
  bool VisitVarDecl(VarDecl* variable) {
    if (variable->hasLocalStorage() && !isa<ParmVarDecl>(variable))
      note_destructor(variable->getType(), variable->getLocation(), /*is_looked_up=*/false);
    return true;
  }
  bool VisitCXXDestructorDecl(CXXDestructorDecl* destructor) {
    if (destructor->isUserProvided() || !destructor->getParent()->getDefinition()) return true;
    for (const CXXBaseSpecifier& base : destructor->getParent()->bases())
      note_destructor(base.getType(), destructor->getLocation(), /*is_looked_up=*/false);
    for (const FieldDecl* field : destructor->getParent()->fields())
      note_destructor(field->getType(), destructor->getLocation(), /*is_looked_up=*/false);
    return true;
  }

 private:
  template <class Do>
  bool within(const FunctionDecl& function, Do traverse) {
    const FunctionDecl* around = caller_;
    caller_ = &function;
    const bool result = traverse();
    caller_ = around;
    return result;
  }

  void note(const FunctionDecl& called, SourceLocation place) {
    calls_[definition_of(called)].push_back({caller_, place});
  }
  void note_destructor(QualType type, SourceLocation place, bool is_looked_up) {
    if (type.isNull() || type->isDependentType()) return;
    const CXXRecordDecl* record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    const CXXDestructorDecl* destructor =
        record && record->hasDefinition() ? record->getDestructor() : nullptr;
    if (destructor && !(is_looked_up && destructor->isVirtual())) note(*destructor, place);
  }

  Calls& calls_;
  const FunctionDecl* caller_ = nullptr;
};

class Check {
 public:
  explicit Check(Sema& sema) : sema_(sema), is_device_pass_(sema.getLangOpts().CUDAIsDevice) {
    Collector(calls_).TraverseDecl(sema.Context.getTranslationUnitDecl());
  }

  void run() {
    for (const auto& [called, calls] : calls_)
      if (BorrowedFunctions::is_borrowed(*called))
        for (const Call& call : calls) look_at(*called, call);
  }

 private:
  struct Users {
    std::vector<Call> devices;
    bool has_host = false;
  };

  static bool nobody_wrote(const FunctionDecl& function) {
    const auto* method = dyn_cast<CXXMethodDecl>(&function);
    return method && !method->isUserProvided() && (method->isDefaulted() || method->isImplicit()) &&
           !isa<CXXConversionDecl>(method);
  }

  void look_at(const FunctionDecl& called, const Call& call) {
    if (!call.caller) return;
    if (nobody_wrote(*call.caller)) {
      const auto* method = cast<CXXMethodDecl>(call.caller);
      if (!is_device_pass_ || method->isVirtual()) return;
      Users users;
      std::set<const FunctionDecl*> seen;
      find_users(*call.caller, users, seen);
      if (!users.has_host)
        for (const Call& user : users.devices) refuse(called, user);
      return;
    }
    if (is_device_pass_ ? is_for_device_only(*call.caller) : is_for_host_only(*call.caller))
      refuse(called, call);
  }

  bool is_for_device_only(const FunctionDecl& caller) {
    const CUDAFunctionTarget side = sema_.CUDA().IdentifyTarget(&caller);
    return side == CUDAFunctionTarget::Device || side == CUDAFunctionTarget::Global;
  }
  bool is_for_host_only(const FunctionDecl& caller) {
    return sema_.CUDA().IdentifyTarget(&caller) == CUDAFunctionTarget::Host &&
           !caller.isTemplateInstantiation();
  }

  /// Who calls it, or what calls it that nobody wrote.
  void find_users(const FunctionDecl& called, Users& users, std::set<const FunctionDecl*>& seen) {
    const FunctionDecl* definition = definition_of(called);
    if (!seen.insert(definition).second) return;
    const auto found = calls_.find(definition);
    if (found == calls_.end()) return;
    for (const Call& call : found->second) {
      if (call.caller && nobody_wrote(*call.caller))
        find_users(*call.caller, users, seen);
      else if (call.caller && is_for_device_only(*call.caller))
        users.devices.push_back(call);
      else
        users.has_host = true;
    }
  }

  void refuse(const FunctionDecl& called, const Call& call) {
    if (!refused_.insert(call.place.getRawEncoding()).second) return;
    DiagnosticsEngine& engine = sema_.getDiagnostics();
    const unsigned error = engine.getCustomDiagID(DiagnosticsEngine::Error,
                                                  "reference to %0 function %1 in %2 function");
    const bool is_kernel = call.caller->hasAttr<CUDAGlobalAttr>();
    engine.Report(call.place, error)
        << (is_device_pass_ ? "__host__" : "__device__") << called.getDeclName()
        << (is_kernel         ? "__global__"
            : is_device_pass_ ? "__device__"
                              : "__host__");
  }

  Sema& sema_;
  bool is_device_pass_;
  Calls calls_;
  std::set<unsigned> refused_;
};

}  // namespace

void check_borrowed_calls(Sema& sema) { Check(sema).run(); }

}  // namespace gridspan::clang_plugin
