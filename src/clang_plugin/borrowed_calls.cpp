// Looks for all calls, and then at those that lead to borrowed functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/borrowed_calls.h"

#include "clang_plugin/borrowed_functions.h"
#include "clang_plugin/target.h"
#include "clang_plugin/visitor.h"

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
  bool makes_part = false;  // of the object that is made
  bool is_name = false;     // its address, maybe
  bool is_implied = false;  // by a conversion, or by passing a value
};

using Calls = std::map<const FunctionDecl*, std::vector<Call>>;  // by what is called

const FunctionDecl* definition_of(const FunctionDecl& function) {
  const FunctionDecl* definition = nullptr;
  return function.isDefined(definition) ? definition : function.getCanonicalDecl();
}

/// Everything that is called in the source, with what clang adds: destructors of variables, of
/// temporaries, of parts.
class Collector : public Visitor {
 public:
  explicit Collector(Calls& calls) : calls_(calls) {}

  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool shouldVisitImplicitCode() const override { return true; }

  bool TraverseDecl(Decl* declaration) override {
    const auto* function = dyn_cast_or_null<FunctionDecl>(declaration);
    if (!function) return Visitor::TraverseDecl(declaration);
    return within(*function, [&] { return Visitor::TraverseDecl(declaration); });
  }
  bool TraverseLambdaExpr(LambdaExpr* lambda) override {
    if (!Visitor::TraverseDecl(lambda->getLambdaClass())) return false;
    return within(*lambda->getCallOperator(), [&] { return TraverseStmt(lambda->getBody()); });
  }

  bool TraverseConstructorInitializer(CXXCtorInitializer* initializer) override {
    find_parts(initializer->getInit());
    return Visitor::TraverseConstructorInitializer(initializer);
  }

  bool VisitInitListExpr(InitListExpr* list) override {
    if (!list->isSemanticForm()) return true;
    for (const Expr* part : list->inits())  // one that is written as a temporary is judged as such
      if (part && !isa<CXXFunctionalCastExpr, CXXTemporaryObjectExpr>(part->IgnoreImplicit()))
        find_parts(part);  // none where the program has an error
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr* named) override {
    if (const auto* function = dyn_cast<FunctionDecl>(named->getDecl()))
      calls_[definition_of(*function)].push_back(
          {caller_, named->getBeginLoc(), /*makes_part=*/false, /*is_name=*/true});
    return true;
  }
  bool VisitCallExpr(CallExpr* call) override {
    for (const Expr* argument : call->arguments()) find_passed(argument);
    const FunctionDecl* called = call->getDirectCallee();
    const auto* member = dyn_cast<MemberExpr>(call->getCallee()->IgnoreParenImpCasts());
    const auto* destructor = dyn_cast_or_null<CXXDestructorDecl>(called);
    const bool is_looked_up =
        member && destructor && destructor->isVirtual() && !member->hasQualifier();
    if (called && !is_looked_up) note(*called, call->getBeginLoc());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr* made) override {
    for (const Expr* argument : made->arguments()) find_passed(argument);
    const bool is_written =
        written_.contains(made) || (isa<CXXTemporaryObjectExpr>(made) && !passed_.contains(made));
    note(*made->getConstructor(), made->getBeginLoc(), parts_.contains(made), !is_written);
    return true;
  }
  bool VisitReturnStmt(ReturnStmt* statement) override {
    find_passed(statement->getRetValue());
    return true;
  }
  bool VisitExplicitCastExpr(ExplicitCastExpr* cast) override {
    if (!passed_.contains(cast)) find_written(cast->getSubExpr());
    return true;
  }
  bool VisitCXXThrowExpr(CXXThrowExpr* thrown) override {
    find_written(thrown->getSubExpr());
    return true;
  }
  bool VisitCXXNewExpr(CXXNewExpr* made) override {
    find_written(made->getInitializer());
    return true;
  }
  bool VisitCXXInheritedCtorInitExpr(CXXInheritedCtorInitExpr* made) override {
    note(*made->getConstructor(), made->getBeginLoc(), /*makes_part=*/true);
    return true;
  }
  bool VisitCXXDeleteExpr(CXXDeleteExpr* deleted) override {
    note_destructor(deleted->getDestroyedType(), deleted->getBeginLoc(), /*is_looked_up=*/true);
    return true;
  }
  bool VisitCXXBindTemporaryExpr(CXXBindTemporaryExpr* temporary) override {
    const Expr* made = temporary->getSubExpr();
    const bool is_written =
        written_.contains(temporary) ||
        (isa<CXXTemporaryObjectExpr, ExplicitCastExpr>(made) && !passed_.contains(made));
    note(*temporary->getTemporary()->getDestructor(), temporary->getBeginLoc(),
         parts_.contains(temporary), !is_written);
    return true;
  }
  bool VisitVarDecl(VarDecl* variable) override {
    if (isa<ParmVarDecl>(variable))
      find_passed(variable->getInit());
    else if (!variable->getType()->isReferenceType())
      find_written(variable->getInit());
    if (variable->hasLocalStorage() && !isa<ParmVarDecl>(variable))
      note_destructor(variable->getType(), variable->getLocation(), /*is_looked_up=*/false);
    return true;
  }
  bool VisitCXXDestructorDecl(CXXDestructorDecl* destructor) override {
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

  /// The constructor that makes a base, a member or an element in place, whatever is around it.
  void find_parts(const Expr* value) {
    if (!value) return;
    if (const auto* default_value = dyn_cast<CXXDefaultInitExpr>(value))
      return find_parts(default_value->getExpr());
    if (const auto* loop = dyn_cast<ArrayInitLoopExpr>(value))
      return find_parts(loop->getSubExpr());
    find(value, parts_);
  }
  /// What a variable, new, throw or a cast makes.
  void find_written(const Expr* value) { find(value, written_); }
  /// Into `found` the constructor and the temporary that make a value, whatever is around them.
  void find(const Expr* value, llvm::DenseSet<const Expr*>& found) {
    if (!value) return;
    if (const auto* all = dyn_cast<ExprWithCleanups>(value)) return find(all->getSubExpr(), found);
    if (const auto* cast = dyn_cast<CastExpr>(value)) return find(cast->getSubExpr(), found);
    if (const auto* kept = dyn_cast<MaterializeTemporaryExpr>(value))
      return find(kept->getSubExpr(), found);
    if (const auto* temporary = dyn_cast<CXXBindTemporaryExpr>(value)) {
      found.insert(temporary);
      find(temporary->getSubExpr(), found);
    } else if (const auto* made = dyn_cast<CXXConstructExpr>(value)) {
      found.insert(made);
      if (made->isElidable()) find(made->getArg(0), found);
    }
  }
  /// The cast or constructor, as written, of an argument or result that is a value: it makes the
  /// parameter.
  void find_passed(const Expr* value) {
    while (value) {
      if (isa<ExplicitCastExpr, CXXTemporaryObjectExpr>(value)) {
        passed_.insert(value);
        return;
      }
      if (const auto* all = dyn_cast<ExprWithCleanups>(value))
        value = all->getSubExpr();
      else if (const auto* temporary = dyn_cast<CXXBindTemporaryExpr>(value))
        value = temporary->getSubExpr();
      else
        return;
    }
  }

  void note(const FunctionDecl& called, SourceLocation place, bool makes_part = false,
            bool is_implied = false) {
    calls_[definition_of(called)].push_back(
        {caller_, place, makes_part, /*is_name=*/false, is_implied});
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
  llvm::DenseSet<const Expr*> parts_, written_, passed_;
};

class CallCheck {
 public:
  explicit CallCheck(Sema& sema) : sema_(sema), is_device_pass_(sema.getLangOpts().CUDAIsDevice) {
    Collector(calls_).TraverseDecl(sema.Context.getTranslationUnitDecl());
  }

  void run() {
    for (const auto& [called, calls] : calls_)
      if (BorrowedFunctions::is_borrowed(*called))
        for (const Call& call : calls)
          if (!call.is_name) look_at(*called, call);
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
    if (!call.caller || ((call.makes_part || call.is_implied) && !is_device_pass_)) return;
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
    std::set<const FunctionDecl*> seen;
    if (is_device_pass_ ? is_for_device_only(*call.caller) && is_reached(*call.caller, seen)
                        : is_judged_for_host(*call.caller))
      refuse(called, call);
  }

  /// Nvcc does not look at device functions of this file that nobody uses.
  bool is_reached(const FunctionDecl& function, std::set<const FunctionDecl*>& seen) {
    const auto* method = dyn_cast<CXXMethodDecl>(&function);
    if (!is_for_device_only(function) || !BorrowedFunctions::may_be_unused(function) ||
        (method && method->isVirtual()))
      return sema_.CUDA().IdentifyTarget(&function) != CUDAFunctionTarget::Host;
    const FunctionDecl* definition = definition_of(function);
    if (!seen.insert(definition).second) return false;
    const auto found = calls_.find(definition);
    return found != calls_.end() && llvm::any_of(found->second, [&](const Call& call) {
             return !call.caller || is_reached(*call.caller, seen);
           });
  }

  bool is_for_device_only(const FunctionDecl& caller) {
    const CUDAFunctionTarget side = sema_.CUDA().IdentifyTarget(&caller);
    return side == CUDAFunctionTarget::Device || side == CUDAFunctionTarget::Global;
  }
  /// Nvcc looks at functions for both sides, too.
  bool is_judged_for_host(const FunctionDecl& caller) {
    return !is_for_device_only(caller) && !BorrowedFunctions::is_borrowed(caller) &&
           !caller.isTemplateInstantiation();
  }

  /// Who calls it, or what calls it that nobody wrote.
  void find_users(const FunctionDecl& called, Users& users, std::set<const FunctionDecl*>& seen) {
    const FunctionDecl* definition = definition_of(called);
    if (!seen.insert(definition).second) return;
    const auto found = calls_.find(definition);
    if (found == calls_.end()) return;
    for (const Call& call : found->second) {
      if (call.is_name) continue;
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
    engine.Report(call.place, error)
        << (is_device_pass_ ? "__host__" : "__device__") << called.getDeclName()
        << words_for(sema_.CUDA().IdentifyTarget(call.caller));
  }

  static llvm::StringRef words_for(CUDAFunctionTarget side) {
    switch (side) {
      case CUDAFunctionTarget::Global:
        return "__global__";
      case CUDAFunctionTarget::Device:
        return "__device__";
      case CUDAFunctionTarget::HostDevice:
        return "__host__ __device__";
      default:
        return "__host__";
    }
  }

  Sema& sema_;
  bool is_device_pass_;
  Calls calls_;
  std::set<unsigned> refused_;
};

}  // namespace

void check_borrowed_calls(Sema& sema) { CallCheck(sema).run(); }

}  // namespace gridspan::clang_plugin
