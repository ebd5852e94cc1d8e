// Finds accesses that surely go to shared memory, and those that surely do not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/shared_scope.h"

#include "transforms/context.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

enum class Where { shared, outside, anywhere };

Where where_is(const Value* object) {
  if (is_marker(object, Marker::shared) || is_marker(object, Marker::dynamic_shared))
    return Where::shared;
  if (isa<Argument>(object) || is_marker(object, Marker::symbol)) return Where::outside;
  return Where::anywhere;
}

Where place_of(const Value* pointer) {
  SmallVector<const Value*> objects;
  getUnderlyingObjects(pointer, objects);
  const Where place = where_is(objects.front());
  const bool agree = all_of(objects, [&](const Value* one) { return where_is(one) == place; });
  return agree ? place : Where::anywhere;
}

void add(Instruction& access, unsigned kind, MDNode* scope) {
  access.setMetadata(kind, MDNode::concatenate(access.getMetadata(kind), scope));
}

}  // namespace

void tell_shared_apart(Function& kernel) {
  SmallVector<std::pair<Instruction*, Where>> accesses;
  bool has_shared = false, has_outside = false;
  for (Instruction& instruction : instructions(kernel)) {
    const Value* address = getLoadStorePointerOperand(&instruction);
    if (!address) continue;
    const Where place = place_of(address);
    if (place == Where::anywhere) continue;
    (place == Where::shared ? has_shared : has_outside) = true;
    accesses.emplace_back(&instruction, place);
  }
  if (!has_shared || !has_outside) return;
  LLVMContext& context = kernel.getContext();
  MDBuilder builder(context);
  MDNode* domain = builder.createAnonymousAliasScopeDomain("memory");
  MDNode* shared = MDNode::get(context, builder.createAnonymousAliasScope(domain, "shared"));
  MDNode* outside = MDNode::get(context, builder.createAnonymousAliasScope(domain, "outside"));
  for (auto [access, place] : accesses) {
    const bool is_shared = place == Where::shared;
    add(*access, LLVMContext::MD_alias_scope, is_shared ? shared : outside);
    add(*access, LLVMContext::MD_noalias, is_shared ? outside : shared);
  }
}

}  // namespace gridspan::transforms
