// Names of a unit: which are private, which are defined, which are missing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/link_unit.h"

#include "support/readable_name.h"
#include "transforms/builtin_variables.h"
#include "transforms/dynamic_shared.h"
#include "transforms/intrinsics.h"

#include "llvm/IR/Constants.h"

namespace gridspan::codegen {

using namespace llvm;

std::string private_suffix(unsigned number) { return "." + std::to_string(number); }

namespace {

/// Code that uses a static variable before the host code that names it refers to it without the
/// suffix, as if it were another file's: clang settles the suffix only at the host's use.
void join_externalised(Module& module) {
  SmallVector<std::pair<GlobalValue*, GlobalValue*>> pairs;
  for (GlobalValue& value : module.global_values()) {
    StringRef base = support::without_unit_suffix(value.getName());
    if (base.size() == value.getName().size() || value.isDeclaration()) continue;
    GlobalValue* other = module.getNamedValue(base);
    if (other && other->isDeclaration()) pairs.emplace_back(other, &value);
  }
  for (auto [declaration, definition] : pairs) {
    declaration->replaceAllUsesWith(
        ConstantExpr::getPointerBitCastOrAddrSpaceCast(definition, declaration->getType()));
    declaration->eraseFromParent();
  }
}

void make_private_names_unique(Module& module, unsigned number) {
  const std::string suffix = private_suffix(number);
  for (GlobalValue& value : module.global_values())
    if (value.hasName() && (value.hasLocalLinkage() || transforms::is_dynamic_shared(value)))
      value.setName(value.getName() + suffix);
}

bool is_missing(const GlobalValue& value) {
  if (!value.isDeclarationForLinker() || value.use_empty()) return false;
  if (value.hasExternalWeakLinkage() || transforms::is_builtin_variable(value)) return false;
  if (transforms::is_dynamic_shared(value) || value.getName().starts_with("llvm.")) return false;
  return !isa<Function>(value) || !transforms::is_device_service(value.getName());
}

void collect_names(LinkUnit& unit) {
  for (const GlobalValue& value : unit.module->global_values()) {
    if (value.hasLocalLinkage() || value.hasAppendingLinkage()) continue;
    if (is_missing(value))
      unit.undefined.insert(value.getName());
    else if (!value.isDeclarationForLinker())
      (value.isWeakForLinker() ? unit.weak : unit.strong).insert(value.getName());
  }
}

}  // namespace

LinkUnit make_link_unit(std::string origin, bool required, std::unique_ptr<Module> module,
                        unsigned number) {
  join_externalised(*module);
  make_private_names_unique(*module, number);
  LinkUnit unit{std::move(origin), required, std::move(module), {}, {}, {}};
  for (GlobalVariable& variable : unit.module->globals()) variable.removeDeadConstantUsers();
  for (Function& function : *unit.module) function.removeDeadConstantUsers();
  collect_names(unit);
  return unit;
}

}  // namespace gridspan::codegen
