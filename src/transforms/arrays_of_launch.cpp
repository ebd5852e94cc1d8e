// Looks at the attributes of a kernel's arguments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/arrays_of_launch.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Argument.h"
#include "llvm/IR/GlobalValue.h"

namespace gridspan::transforms {

using namespace llvm;

bool is_in_argument(const Value& pointer) {
  const auto* argument = dyn_cast<Argument>(getUnderlyingObject(&pointer));
  return argument && argument->hasByValAttr();
}

bool may_be_one_array(const Value& x, const Value& y) {
  const auto has_memory_of_its_own = [](const Value& one) {
    const auto* argument = dyn_cast<Argument>(&one);
    return argument && (argument->hasNoAliasAttr() || argument->hasByValAttr());
  };
  if (&x == &y) return true;
  return !(isa<GlobalValue>(x) && isa<GlobalValue>(y)) && !has_memory_of_its_own(x) &&
         !has_memory_of_its_own(y);
}

}  // namespace gridspan::transforms
