// Uniting the execution specifiers of a function's declarations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/specifiers.h"

#include "clang_plugin/function_keys.h"
#include "clang_plugin/kernel_rules.h"

#include "clang/AST/Attr.h"
#include "clang/Lex/Lexer.h"
#include "clang/Sema/SemaCUDA.h"
#include "clang/Sema/TemplateDeduction.h"
#include "llvm/Support/raw_ostream.h"

#include <fstream>
#include <optional>

namespace gridspan::clang_plugin {

using namespace clang;

namespace {

/// Walks over the tokens behind a declaration as they stand in its file.
class TokensBehind {
 public:
  TokensBehind(const FunctionDecl& function, SourceLocation place)
      : sources_(function.getASTContext().getSourceManager()),
        language_(function.getASTContext().getLangOpts()),
        place_(sources_.getExpansionRange(place).getEnd()) {}

  std::optional<tok::TokenKind> next() {
    const auto token = Lexer::findNextToken(place_, sources_, language_);
    if (!token) return std::nullopt;
    place_ = token->getLocation();
    return token->getKind();
  }

 private:
  const SourceManager& sources_;
  const LangOptions& language_;
  SourceLocation place_;
};

/// Does a body follow? clang will know only later.
bool will_have_body(const FunctionDecl& function) {
  constexpr int most_tokens = 200;
  TokensBehind tokens(function, function.getEndLoc());
  int depth = 0;
  for (int i = 0; i < most_tokens; ++i) {
    const auto kind = tokens.next();
    if (!kind) return false;
    if (*kind == tok::l_paren) ++depth;
    if (*kind == tok::r_paren) --depth;
    if (depth > 0) continue;
    if (*kind == tok::l_brace || *kind == tok::colon) return true;
    if (*kind == tok::semi || *kind == tok::equal || *kind == tok::comma) return false;
  }
  return false;
}

/// `f<int>(int)`
bool is_template_id(const FunctionDecl& function) {
  return TokensBehind(function, function.getNameInfo().getEndLoc()).next() == tok::less;
}

/// `template <> int f(int)`
bool has_empty_template_list(const FunctionDecl& function) {
  const unsigned count = function.getNumTemplateParameterLists();
  // NOLINTNEXTLINE(readability-container-size-empty): a TemplateParameterList has no empty()
  return count != 0 && function.getTemplateParameterList(count - 1)->size() == 0;
}

bool is_in_class_template(const FunctionDecl& function) {
  return function.getDeclContext()->isRecord() && function.getDeclContext()->isDependentContext();
}

bool may_take_as_many(const FunctionDecl& one, const FunctionDecl& other) {
  const auto has_pack = [](const FunctionDecl& function) {
    return llvm::any_of(function.parameters(),
                        [](const ParmVarDecl* parameter) { return parameter->isParameterPack(); });
  };
  return one.getNumParams() == other.getNumParams() || has_pack(one) || has_pack(other);
}

/// What a specialisation gets, and its friends.
struct Primary {
  FunctionTemplateDecl* declaration;
  Target target;
};

/// The template that `function` specialises, as far as names, numbers and types of parameters tell.
std::optional<Primary> primary_of(Sema& sema, const FunctionDecl& function) {
  std::optional<Primary> found;
  for (NamedDecl* named :
       function.getDeclContext()->getRedeclContext()->lookup(function.getDeclName())) {
    auto* candidate = dyn_cast<FunctionTemplateDecl>(named);
    if (!candidate || !may_take_as_many(*candidate->getTemplatedDecl(), function)) continue;
    const Target target = written_on(*candidate->getTemplatedDecl());
    if (found && found->target == target) continue;
    sema::TemplateDeductionInfo info(function.getLocation());
    FunctionDecl* specialisation = nullptr;
    const bool is_dependent = function.getType()->isDependentType();
    const bool fits = !is_dependent && sema.DeduceTemplateArguments(
                                           candidate, nullptr, function.getType(), specialisation,
                                           info) == TemplateDeductionResult::Success;
    if (!found || fits) found = Primary{candidate, target};
  }
  return found;
}

/// Has clang compiled it, a call of it, or an instance? (It notes no calls that it refused.)
bool is_in_use(const FunctionDecl& function) {
  if (function.getASTContext().getDiagnostics().hasErrorOccurred()) return true;
  if (function.isReferenced() || function.isUsed() || function.isDefined()) return true;
  if (const FunctionTemplateDecl* pattern = function.getDescribedFunctionTemplate())
    if (pattern->isReferenced() || pattern->spec_begin() != pattern->spec_end()) return true;
  const auto* scope = dyn_cast<CXXRecordDecl>(function.getDeclContext());
  const ClassTemplateDecl* around = scope ? scope->getDescribedClassTemplate() : nullptr;
  return around && around->spec_begin() != around->spec_end();
}

}  // namespace

void Specifiers::use_file(const std::string& late_file) {
  late_file_ = late_file;
  std::ifstream file(late_file);
  for (std::string line; std::getline(file, line);) {
    if (calls_.read(line) || borrowed_.read(line)) continue;
    const std::size_t blank = line.find(' ');
    const llvm::StringRef letters = llvm::StringRef(line).substr(0, blank);
    if (line.ends_with(':'))
      other_side_.insert(line.substr(blank + 1));
    else
      late_[line.substr(blank + 1)] = {{letters.contains('H'), letters.contains('D')},
                                       letters.contains('I')};
  }
}

void Specifiers::write_late() const {
  if (late_file_.empty() || !(has_new_late_ || calls_.has_news() || borrowed_.has_news())) return;
  std::ofstream file(late_file_);
  for (const auto& [key, late] : late_)
    file << (late.target.host ? "H" : "") << (late.target.device ? "D" : "")
         << (late.is_inline ? "I" : "") << ' ' << key << '\n';
  for (const std::string& key : other_side_) file << "HD " << key << '\n';
  calls_.write(file);
  borrowed_.write(file);
}

void Specifiers::note_if_late(const FunctionDecl& earlier, Target target) {
  if (late_file_.empty() || !is_in_use(earlier)) return;
  Target& noted = late_[key_of(*earlier.getFirstDecl())].target;
  if (noted == target) return;
  noted = target;
  has_new_late_ = true;
}

namespace {

/// Guides, and functions that only ask whether their types fit: `static auto test(int) ->
/// decltype(...)`. The calls in their types are not made, so that no side may refuse them.
template <class HasBody>
bool is_never_called(const FunctionDecl& function, HasBody has_body) {
  if (isa<CXXDeductionGuideDecl>(function)) return true;
  const auto* member = dyn_cast<CXXMethodDecl>(&function);
  return member && member->isStatic() && member->getDescribedFunctionTemplate() &&
         !written_on(function).any() && !has_body(function);
}

}  // namespace

void Specifiers::refused_candidate(const Sema& sema, SourceLocation place,
                                   CUDAFunctionTarget called, CUDAFunctionTarget caller) {
  using Side = CUDAFunctionTarget;
  const bool is_kernels = caller == Side::Device || caller == Side::Global;
  const bool is_others = sema.getLangOpts().CUDAIsDevice
                             ? caller == Side::Host && called == Side::Device
                             : is_kernels && called == Side::Host;
  const SourceManager& sources = sema.getSourceManager();
  if (late_file_.empty() || !is_others || own_.contain(sources, place)) return;
  // Those of a system's headers have no specifiers that one pass sees.
  if (sources.isInSystemHeader(place)) return;
  has_new_late_ |= other_side_.insert(key_of_place(sources, place)).second;
}

void Specifiers::refused_operand(Sema& sema, QualType type) {
  CXXRecordDecl* record = type->getAsCXXRecordDecl();
  const FunctionDecl* caller = sema.getCurFunctionDecl(/*AllowLambda=*/true);
  if (!record || !caller) return;
  for (OverloadedOperatorKind kind : {OO_Plus, OO_Minus, OO_Tilde, OO_Exclaim, OO_Star})
    for (DeclContext* scope :
         {static_cast<DeclContext*>(record), record->getEnclosingNamespaceContext()})
      for (NamedDecl* named :
           scope->lookup(sema.getASTContext().DeclarationNames.getCXXOperatorName(kind)))
        if (FunctionDecl* one = named->getAsFunction())
          refused_candidate(sema, one->getLocation(), sema.CUDA().IdentifyTarget(one),
                            sema.CUDA().IdentifyTarget(caller));
}

/// Clang wants `inline` before the definition; nvcc and its host compiler take it behind, too.
void Specifiers::note_late_inline(const FunctionDecl& function, const FunctionDecl& earlier) {
  const FunctionDecl* definition = nullptr;
  if (late_file_.empty() || !function.isInlined() || !earlier.isDefined(definition) ||
      definition->isInlined())
    return;
  late_[key_of(*earlier.getFirstDecl())].is_inline = true;
  has_new_late_ = true;
}

void Specifiers::declared(Sema& sema, FunctionDecl& function) {
  const LangOptions& language = sema.getLangOpts();
  give_back();
  see_first_headers(sema);
  if (is_never_called(function, will_have_body)) {
    set_one(function, {true, true});
    return;
  }
  unite_declarations(sema, function);
  calls_.name(function);
  borrowed_.declared(function, language.CUDAIsDevice);
  const Target target = written_on(function);
  if (target.global) check_kernel(sema, function);
  // nvcc lets a function of both sides that calls host functions be, as long as no kernel reaches
  // it. So does clang if it need not make code for it: nobody else can call it.
  if (language.CUDAIsDevice && target.host && target.device && !function.isInlined() &&
      will_have_body(function)) {
    if (language.GPURelocatableDeviceCode)
      for_other_files_.push_back(&function);
    else
      function.setImplicitlyInline();
  }
}

/// With -rdc other files might call a function of both sides. One that cannot be compiled for the
/// device is left to the host.
void Specifiers::refused_call(Sema& sema, SourceLocation place) {
  if (late_file_.empty()) return;
  const SourceManager& sources = sema.getSourceManager();
  const auto at = [&](SourceLocation one) { return sources.getExpansionLoc(one); };
  const FunctionDecl* current = sema.getCurFunctionDecl(/*AllowLambda=*/true);
  for (FunctionDecl* one : for_other_files_) {
    const bool is_caller =
        current ? one == current
                : sources.isPointWithin(at(place), at(one->getBeginLoc()), at(one->getEndLoc()));
    if (!is_caller) continue;
    bool& is_inline = late_[key_of(*one->getFirstDecl())].is_inline;
    has_new_late_ |= !is_inline;
    is_inline = true;
  }
}

void Specifiers::see_first_headers(Sema& sema) {
  if (!has_seen_headers_)
    see_functions(*sema.getASTContext().getTranslationUnitDecl(), sema.getLangOpts().CUDAIsDevice);
  has_seen_headers_ = true;
}

void Specifiers::see_functions(DeclContext& scope, bool is_device_pass) {
  for (Decl* one : scope.decls()) {
    if (auto* pattern = dyn_cast<ClassTemplateDecl>(one)) one = pattern->getTemplatedDecl();
    if (isa<NamespaceDecl, LinkageSpecDecl, CXXRecordDecl>(one))
      see_functions(*cast<DeclContext>(one), is_device_pass);
    if (auto* function = one->getAsFunction()) {
      if (calls_.is_asked_about(*function) ||
          is_never_called(*function, [](const FunctionDecl& known) {
            return known.doesThisDeclarationHaveABody();
          }))
        set_one(*function, {true, true});
      borrowed_.declared(*function, is_device_pass);
    }
  }
}

void Specifiers::unite_declarations(Sema& sema, FunctionDecl& function) {
  if (!function.getDeclName() || isa<CXXDeductionGuideDecl>(function)) return;
  sources_ = &sema.getSourceManager();
  if (own_.contain(*sources_, function.getLocation())) return;
  if (!late_.empty())
    if (auto known = late_.find(key_of(function)); known != late_.end()) {
      set_one(function, written_on(function) | known->second.target);
      if (known->second.is_inline) function.setImplicitlyInline();
    }
  const bool is_asked_about = calls_.is_asked_about(function);
  if (is_asked_about && will_have_body(function)) function.setImplicitlyInline();  // no code of it
  if (is_asked_about || other_side_.contains(key_of_place(*sources_, function.getLocation())))
    set_one(function, {true, true});
  if (written_on(function).global) return;  // nvcc wants it on all or none
  unite_with_predecessors(sema, function);
  const bool is_template = function.getDescribedFunctionTemplate() != nullptr;
  const bool is_friend = function.getFriendObjectKind() != Decl::FOK_None;
  if (!is_template &&
      (has_empty_template_list(function) || (is_friend && is_template_id(function))))
    unite_with_template(sema, function);
  if (is_friend && function.getLexicalDeclContext()->isDependentContext()) befriend(function);
}

void Specifiers::unite_with_predecessors(Sema& sema, FunctionDecl& function) {
  for (NamedDecl* named :
       function.getDeclContext()->getRedeclContext()->lookup(function.getDeclName())) {
    FunctionDecl* earlier = named->getAsFunction();
    if (!earlier || earlier == &function || own_.contain(*sources_, earlier->getLocation()))
      continue;
    if (sema.IsOverload(&function, earlier, /*UseMemberUsingDeclRules=*/false,
                        /*ConsiderCudaAttrs=*/false))
      continue;
    note_late_inline(function, *earlier);
    unite(sema, function, *earlier);
  }
  for (FunctionDecl* earlier : friends_)
    if (earlier->getDeclName() == function.getDeclName() &&
        earlier->getDeclContext()->Equals(function.getDeclContext()) &&
        !function.getDescribedFunctionTemplate() == !earlier->getDescribedFunctionTemplate() &&
        may_take_as_many(function, *earlier))
      unite(sema, function, *earlier);
}

void Specifiers::unite(Sema& sema, FunctionDecl& function, FunctionDecl& earlier) {
  borrowed_.redeclared(function, earlier, sema.getLangOpts().CUDAIsDevice);
  const Target here = written_on(function), there = written_on(earlier);
  if (!late_file_.empty() && borrowed_.was_taken_wrongly(function, earlier)) {
    late_[key_of(*earlier.getFirstDecl())].target = here;
    has_new_late_ = true;
  }
  if (here == there || there.global) return;
  // For clang two functions, one for each side. nvcc refuses that.
  if (earlier.isDefined() && will_have_body(function)) return;
  Target both = here | there;
  if (is_in_class_template(function)) {
    // As nvcc does it: instances are declared by the class.
    if (there.device)
      both = there;
    else if (here.device)
      both = {true, true};
  }
  set_one(function, both);
  if (both == there) return;
  note_if_late(earlier, both);
  set_all(earlier, both);
}

/// Clang wants a specialisation to have exactly its template's specifiers. Where it adds some, the
/// template lends its name.
void Specifiers::unite_with_template(Sema& sema, FunctionDecl& function) {
  const auto primary = primary_of(sema, function);
  if (!primary || primary->target.global ||
      own_.contain(*sources_, primary->declaration->getLocation()))
    return;
  Target both = written_on(function) | primary->target;
  FunctionTemplateDecl& pattern = *primary->declaration;
  for (FunctionDecl* known : pattern.specializations())
    if (known->getType().getCanonicalType() == function.getType().getCanonicalType()) {
      both = both | written_on(*known);
      set_all(*known, both);
    }
  set_one(function, both);
  if (both == primary->target) return;
  for (FunctionDecl* one : pattern.getTemplatedDecl()->redecls()) {
    lent_.emplace_back(one, one->hasAttrs() ? one->getAttrs() : AttrVec());
    set_one(*one, both);
  }
}

void Specifiers::give_back() {
  for (const auto& [function, attributes] : lent_) {
    function->dropAttrs();
    if (!attributes.empty()) function->setAttrs(attributes);
  }
  lent_.clear();
}

/// A friend of a class template gets what functions of its name have.
void Specifiers::befriend(FunctionDecl& function) {
  if (will_have_body(function)) return;
  friends_.push_back(&function);
  for (NamedDecl* named :
       function.getDeclContext()->getRedeclContext()->lookup(function.getDeclName())) {
    FunctionDecl* earlier = named->getAsFunction();
    const bool fits =
        earlier && earlier != &function &&
        !function.getDescribedFunctionTemplate() == !earlier->getDescribedFunctionTemplate() &&
        may_take_as_many(function, *earlier);
    if (!fits || own_.contain(*sources_, earlier->getLocation())) continue;
    const Target target = written_on(*earlier);
    if (!target.global) set_one(function, written_on(function) | target);
  }
}

}  // namespace gridspan::clang_plugin
