// Reading and changing execution specifiers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/target.h"

#include "abi/other_side.h"

#include "clang/AST/Attr.h"

namespace gridspan::clang_plugin {

using namespace clang;

namespace {

template <class Kind>
bool is_written(const FunctionDecl& function) {
  const auto* attribute = function.getAttr<Kind>();
  return attribute && !attribute->isImplicit();
}

template <class Kind>
void set_attribute(FunctionDecl& function, bool wanted) {
  if (is_written<Kind>(function) == wanted && (wanted || !function.hasAttr<Kind>())) return;
  function.dropAttr<Kind>();
  if (wanted) function.addAttr(Kind::Create(function.getASTContext(), function.getLocation()));
}

/// The mark of a device function (borrowed_functions.h) that is one no more.
void drop_mark(FunctionDecl& function) {
  const auto* section = function.getAttr<SectionAttr>();
  if (section && section->isImplicit() &&
      section->getName().starts_with(abi::device_function_section))
    function.dropAttr<SectionAttr>();
}

}  // namespace

Target written_on(const FunctionDecl& function) {
  return {is_written<CUDAHostAttr>(function), is_written<CUDADeviceAttr>(function),
          is_written<CUDAGlobalAttr>(function)};
}

void set_one(FunctionDecl& function, Target target) {
  // Clang's own attributes of constexpr functions, and of instances of their templates, stay where
  // no specifiers are wanted.
  if (!target.any() && !written_on(function).any()) return;
  set_attribute<CUDAHostAttr>(function, target.host);
  set_attribute<CUDADeviceAttr>(function, target.device);
  if (target.host) drop_mark(function);
}

void set_all(FunctionDecl& function, Target target) {
  for (FunctionDecl* one : function.redecls()) set_one(*one, target);
}

}  // namespace gridspan::clang_plugin
