// Rewriting what stands in the brackets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/array_bounds.h"

#include "clang_plugin/scan.h"
#include "clang_plugin/visitor.h"

namespace gridspan::clang_plugin {

using namespace clang;

namespace {

/// Whether classes have only constants of that name.
class MembersOfName : public Visitor {
 public:
  MembersOfName(ASTContext& context, std::string_view name) : name_(name) {
    TraverseDecl(context.getTranslationUnitDecl());
  }
  bool are_constants() const { return constants_ > 0 && others_ == 0; }

  bool VisitEnumConstantDecl(EnumConstantDecl* one) override {
    if (is_it(*one) && one->getDeclContext()->getParent()->isRecord()) ++constants_;
    return true;
  }
  bool VisitVarDecl(VarDecl* one) override {
    if (is_it(*one) && one->isStaticDataMember())
      ++(one->isConstexpr() || one->getType().isConstQualified() ? constants_ : others_);
    return true;
  }
  bool VisitFieldDecl(FieldDecl* one) override {
    if (is_it(*one)) ++others_;
    return true;
  }

 private:
  bool is_it(const NamedDecl& one) const {
    return one.getIdentifier() && one.getName() == StringRef(name_.data(), name_.size());
  }

  std::string_view name_;
  unsigned constants_ = 0, others_ = 0;
};

/// Of `object.member` or `object->member`: where the object's name begins and the member's ends.
struct Access {
  std::size_t begin, end;
  std::string_view object, member;
  bool is_pointer;
};

/// The next one at `at` or behind; objects that have to be looked for themselves are none.
std::optional<Access> next_access(std::string_view text, std::size_t at) {
  for (; at < text.size(); ++at) {
    const bool is_pointer = text.substr(at, 2) == "->";
    if (!is_pointer && text[at] != '.') continue;
    const std::size_t end_of_object = skip_blanks_back(text, at);
    const std::size_t begin = word_back(text, end_of_object);
    const std::size_t member = skip_blanks(text, at + (is_pointer ? 2 : 1));
    std::size_t end = member;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string_view before = text.substr(0, skip_blanks_back(text, begin));
    const bool is_simple = begin < end_of_object && member < end &&
                           std::isdigit(static_cast<unsigned char>(text[begin])) == 0 &&
                           !before.ends_with(".") && !before.ends_with("->") &&
                           !before.ends_with("::");
    if (is_simple)
      return Access{begin, end, text.substr(begin, end_of_object - begin),
                    text.substr(member, end - member), is_pointer};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Edit> bound_of_class(const Complaint& complaint) {
  const SourceText& written = complaint.written;
  if (written.text.substr(written.at, 1) != "[") return std::nullopt;
  const std::size_t behind = behind_brackets(written.text, written.at, '[', ']');
  if (behind == nowhere) return std::nullopt;
  const std::size_t begin = written.at + 1;
  const std::string_view bound = written.text.substr(begin, behind - 1 - begin);
  std::string changed;
  std::size_t done = 0;
  while (const auto access = next_access(bound, done)) {
    if (!MembersOfName(complaint.context, access->member).are_constants()) return std::nullopt;
    changed += bound.substr(done, access->begin - done);
    changed += "gridspan_class_of<decltype(";
    changed += access->is_pointer ? "*" : "";
    changed += access->object;
    changed += ")>::type::";
    changed += access->member;
    done = access->end;
  }
  if (done == 0) return std::nullopt;
  changed += bound.substr(done);
  return written.replace(begin, behind - 1, std::move(changed));
}

}  // namespace gridspan::clang_plugin
