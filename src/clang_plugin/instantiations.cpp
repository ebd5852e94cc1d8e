// Adding its template's specifiers to an explicit instantiation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/instantiations.h"

#include "clang_plugin/scan.h"
#include "clang_plugin/visitor.h"

#include "clang/Basic/DiagnosticSema.h"

namespace gridspan::clang_plugin {

using namespace clang;

namespace {

/// The function template at a place.
class Search : public Visitor {
 public:
  explicit Search(SourceLocation place) : place_(place) {}

  bool VisitFunctionTemplateDecl(FunctionTemplateDecl* one) override {
    if (one->getLocation() == place_) found = one->getTemplatedDecl();
    return !found;
  }

  const FunctionDecl* found = nullptr;

 private:
  SourceLocation place_;
};

std::string specifiers_of(const FunctionDecl& function) {
  std::string text;
  if (function.hasAttr<CUDAHostAttr>()) text += " __attribute__((host))";
  if (function.hasAttr<CUDADeviceAttr>()) text += " __attribute__((device))";
  return text;
}

}  // namespace

std::optional<Edit> specifiers_of_instantiation(const Complaint& complaint) {
  if (complaint.error != diag::err_explicit_instantiation_not_known) return std::nullopt;
  Search search(complaint.diagnostic.getLocation());
  search.TraverseDecl(complaint.context.getTranslationUnitDecl());
  const SourceText& written = complaint.written;
  constexpr std::string_view keyword = "template";
  const std::size_t at = written.text.rfind(keyword, written.at);
  if (!search.found || at == nowhere) return std::nullopt;
  std::string specifiers = specifiers_of(*search.found);
  if (specifiers.empty()) return std::nullopt;
  const std::size_t end = at + keyword.size();
  return written.replace(end, end, std::move(specifiers));
}

}  // namespace gridspan::clang_plugin
