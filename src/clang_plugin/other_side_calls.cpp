// Which of clang's errors are about such calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/other_side_calls.h"

#include "abi/other_side.h"
#include "clang_plugin/function_keys.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Sema/SemaCUDA.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <ostream>

namespace gridspan::clang_plugin {

using namespace clang;

namespace {

constexpr llvm::StringRef called_mark = "called ", asked_mark = "asked ", place_mark = "place ";

/// The function in which clang has kept the error until it knew that it compiles it.
const FunctionDecl* deferring_function(Sema& sema, const Diagnostic& error) {
  for (const auto& [function, errors] : sema.DeviceDeferredDiags)
    for (const PartialDiagnosticAt& one : errors)
      if (one.first == error.getLocation() && one.second.getDiagID() == error.getID())
        return function;
  return nullptr;
}

bool are_all_in(const std::set<std::string>& found, const std::set<std::string>& known) {
  return std::includes(known.begin(), known.end(), found.begin(), found.end());
}

std::string label_of(const FunctionDecl& function) {
  const PresumedLoc place =
      function.getASTContext().getSourceManager().getPresumedLoc(function.getLocation());
  std::string label(abi::other_side_prefix);
  label += function.getQualifiedNameAsString();
  if (place.isValid())
    label += (" (" + llvm::sys::path::filename(place.getFilename()) + ":" +
              llvm::Twine(place.getLine()) + ")")
                 .str();
  return label;
}

}  // namespace

bool OtherSideCalls::read(llvm::StringRef line) {
  if (line.consume_front(called_mark)) return called_.insert(line.str()).second;
  if (line.consume_front(asked_mark)) return asked_.insert(line.str()).second;
  if (line.consume_front(place_mark)) return places_.insert(line.str()).second;
  return false;
}

bool OtherSideCalls::has_news() const {
  return !has_others_ && !is_open_ &&
         !(are_all_in(found_called_, called_) && are_all_in(found_asked_, asked_));
}

void OtherSideCalls::write(std::ostream& file) const {
  std::set<std::string> called = called_, asked = asked_, places = places_;
  if (has_news()) {
    called.insert(found_called_.begin(), found_called_.end());
    asked.insert(found_asked_.begin(), found_asked_.end());
    places.insert(found_places_.begin(), found_places_.end());
  }
  for (const std::string& key : called) file << called_mark.str() << key << '\n';
  for (const std::string& key : asked) file << asked_mark.str() << key << '\n';
  for (const std::string& key : places) file << place_mark.str() << key << '\n';
}

void OtherSideCalls::begin(DiagnosticsEngine& engine) const {
  if (!called_.empty())
    engine.setSeverity(diag::err_ref_bad_target, diag::Severity::Ignored, SourceLocation());
}

/// "reference to __host__ function 'f' in __host__ __device__ function", of one that clang has
/// looked through to the end.
bool OtherSideCalls::may_be(Sema& sema, const Diagnostic& error, bool is_device) {
  using Side = CUDAFunctionTarget;
  const auto side = [&](unsigned argument) { return static_cast<Side>(error.getRawArg(argument)); };
  const bool is_variable = error.getRawArg(1) != 0;
  // Clang looks into the host functions that such a call would come to.
  if (is_device && !is_variable && side(3) == Side::Host && side(0) == Side::Device) return true;
  if (is_variable || side(3) != Side::HostDevice ||
      side(0) != (is_device ? Side::Host : Side::Device) || sema.getCurFunctionDecl(true))
    return false;
  const auto* called = dyn_cast<FunctionDecl>(reinterpret_cast<NamedDecl*>(error.getRawArg(2)));
  if (!called || called->isImplicit()) return false;
  // The host has those, in part (borrowed_bodies.h).
  if (!is_device && isa<CXXConstructorDecl, CXXDestructorDecl>(called)) return false;
  const FunctionDecl* caller = is_device ? nullptr : deferring_function(sema, error);
  if (!is_device && !(caller && caller->isTemplateInstantiation())) return false;
  found_called_.insert(key_of(*called));
  if (is_device)
    found_places_.insert(key_of_place(sema.getSourceManager(), error.getLocation()) +
                         called->getNameAsString());
  sema.getDiagnostics().setErrorLimit(0);
  return true;
}

void OtherSideCalls::settle() {
  has_others_ |= is_open_;
  is_open_ = false;
  candidates_.clear();
}

void OtherSideCalls::heard_error(Sema& sema, const Diagnostic& error) {
  settle();
  is_open_ = error.getID() != diag::err_ref_bad_target ||
             !may_be(sema, error, sema.getLangOpts().CUDAIsDevice);
}

/// "candidate function not viable: call to __host__ function from __global__ function"
void OtherSideCalls::heard_candidate(const Sema& sema, const Diagnostic& note) {
  if (!sema.isUnevaluatedContext()) return;
  found_asked_.insert(key_of_place(sema.getSourceManager(), note.getLocation()));
  is_open_ = false;
}

void OtherSideCalls::warn(Sema& sema) const {
  DiagnosticsEngine& engine = sema.getDiagnostics();
  if (engine.getIgnoreAllWarnings()) return;
  const unsigned warning = engine.getCustomDiagID(
      DiagnosticsEngine::Warning,
      "calling a __host__ function(\"%0\") from a __host__ __device__ function is not allowed; a "
      "kernel that comes here will end with an error");
  SourceManager& sources = sema.getSourceManager();
  for (llvm::StringRef place : places_) {
    const auto [rest, name] = place.rsplit(':');
    const auto [file, number] = rest.rsplit(':');
    const auto entry = sources.getFileManager().getOptionalFileRef(file);
    unsigned offset = 0;
    if (!entry || number.getAsInteger(10, offset)) continue;
    engine.Report(sources.getComposedLoc(sources.translateFile(*entry), offset), warning) << name;
  }
}

bool OtherSideCalls::is_asked_about(const FunctionDecl& function) const {
  return !asked_.empty() &&
         asked_.contains(
             key_of_place(function.getASTContext().getSourceManager(), function.getLocation()));
}

void OtherSideCalls::name(FunctionDecl& function) const {
  if (!called_.empty() && !function.hasAttr<AsmLabelAttr>() && called_.contains(key_of(function)))
    function.addAttr(AsmLabelAttr::CreateImplicit(function.getASTContext(), label_of(function),
                                                  /*IsLiteralLabel=*/true));
}

void OtherSideCalls::name_in(Decl& declaration) const {
  if (called_.empty()) return;
  if (FunctionDecl* function = declaration.getAsFunction()) name(*function);
  if (isa<NamespaceDecl, LinkageSpecDecl, CXXRecordDecl>(declaration))
    for (Decl* one : cast<DeclContext>(declaration).decls()) name_in(*one);
}

}  // namespace gridspan::clang_plugin
