// Predicates: a set or a range check, and that its parameters fit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/predicates.h"

#include "codegen/footprints.h"
#include "codegen/launch_values.h"
#include "codegen/range_check.h"

#include <functional>
#include <string>

namespace gridspan::codegen {

using namespace llvm;
using model::Assumption;

namespace {

/// isl operations for one predicate.
constexpr unsigned long predicate_limit = 200'000;
/// A condition with more cases is answered by intervals alone.
constexpr unsigned most_cases = 24;

using Body = std::function<Value*(IRBuilder<>&, LaunchValues&)>;

Function* declare_predicate(Module& module, const Twine& name) {
  LLVMContext& context = module.getContext();
  auto* type = FunctionType::get(Type::getInt1Ty(context), {PointerType::get(context, 0)}, false);
  Function* function = Function::Create(type, GlobalValue::InternalLinkage, name, module);
  function->addRetAttr(Attribute::ZExt);
  mark_as_launch_code(*function);
  return function;
}

/// bool name(values) { return body && the parameters used fit; }; null if `body` cannot be written.
Function* try_predicate(Module& module, const model::Kernel& kernel, const Twine& name,
                        const Body& body) {
  Function* function = declare_predicate(module, name);
  bool written = false;
  try {
    if (kernel.context.is_null()) throw Unwritable("no context");
    written = model::within_limit(kernel.context.ctx(), predicate_limit, [&] {
      LaunchValues values(kernel, *function);
      IRBuilder<> builder(values.start());
      Value* result = body(builder, values);
      builder.CreateRet(builder.CreateAnd(values.fit(), result));
      values.close();
    });
  } catch (const Unwritable&) {
  } catch (const isl::exception& error) {
    tell_isl_error(error, "a condition", kernel.name);
  }
  if (written) return function;
  function->eraseFromParent();
  return nullptr;
}

Function* make_false(Module& module, const Twine& name) {
  Function* function = declare_predicate(module, name);
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "entry", function));
  builder.CreateRet(builder.getFalse());
  return function;
}

Value* condition_code(IRBuilder<>& builder, LaunchValues& values, const model::Kernel& kernel,
                      const isl::set& condition) {
  IslCode code(
      builder, [&](const std::string& parameter) { return values(parameter); }, kernel.context);
  return code.condition(condition);
}

Function* try_condition(Module& module, const model::Kernel& kernel, const isl::set& condition,
                        const Twine& name) {
  return try_predicate(module, kernel, name, [&](IRBuilder<>& builder, LaunchValues& values) {
    return condition_code(builder, values, kernel, condition);
  });
}

Function* try_range(Module& module, const model::Kernel& kernel, const Assumption& assumption,
                    const Twine& name) {
  return try_predicate(module, kernel, name, [&](IRBuilder<>& builder, LaunchValues& values) {
    return range_check(builder, values, kernel, assumption);
  });
}

/// The exact condition where it is short; null if there is no such.
Function* try_exact_range(Module& module, const model::Kernel& kernel, const Assumption& assumption,
                          const Twine& name) {
  return try_predicate(module, kernel, name, [&](IRBuilder<>& builder, LaunchValues& values) {
    const isl::set bad = launches_out_of_range(kernel, assumption);
    if (bad.n_basic_set() > most_cases) throw Unwritable("too many cases");
    if (kernel.context.is_subset(bad)) throw Unwritable("never");
    return builder.CreateNot(condition_code(builder, values, kernel, bad));
  });
}

/// Launches that come near 64-bit limits are no reason to look for the exact condition, on which
/// isl may spend a tenth of a second: intervals tell the others.
bool is_wide(const Assumption& assumption) {
  return std::stod(assumption.minimum) <= -0x1p62 && std::stod(assumption.maximum) >= 0x1p62;
}

/// bool name(values) { return a(values) || b(values); }
Function* either(Module& module, const model::Kernel& kernel, Function* a, Function* b,
                 const Twine& name) {
  return try_predicate(module, kernel, name, [&](IRBuilder<>& builder, LaunchValues&) {
    Value* values = builder.GetInsertBlock()->getParent()->getArg(0);
    Value* first = builder.CreateCall(a, {values});
    return builder.CreateOr(first, builder.CreateCall(b, {values}));
  });
}

}  // namespace

Function* make_condition(Module& module, const model::Kernel& kernel,
                         const model::OrNull<isl::set>& condition, const Twine& name) {
  if (!condition.is_null())
    if (Function* function = try_condition(module, kernel, condition, name)) return function;
  return make_false(module, name);
}

Function* make_assumption(Module& module, const model::Kernel& kernel, const Assumption& assumption,
                          const Twine& name) {
  if (assumption.kind == Assumption::Kind::holds)
    return make_condition(module, kernel, assumption.condition, name);
  if (assumption.domain.is_null() || assumption.value.is_null()) return make_false(module, name);
  Function* intervals = try_range(module, kernel, assumption, name + ".intervals");
  if (intervals && is_wide(assumption)) return intervals;
  Function* exact = try_exact_range(module, kernel, assumption, name + ".exact");
  if (exact && intervals) return either(module, kernel, exact, intervals, name);
  if (exact || intervals) return exact ? exact : intervals;
  return make_false(module, name);
}

Function* make_fit(Module& module, const model::Kernel& kernel, const FitNeeds& numbers,
                   const Twine& name) {
  bool always = false;
  Function* function =
      try_predicate(module, kernel, name, [&](IRBuilder<>& builder, LaunchValues& values) {
        for (const std::string& parameter : numbers.names) values(parameter);
        for (const auto& [factor, value] : numbers.products) values.check_product(factor, value);
        always = isa<ConstantInt>(values.fit());
        return builder.getTrue();
      });
  if (!function) return make_false(module, name);
  if (!always) return function;
  function->eraseFromParent();
  return nullptr;
}

}  // namespace gridspan::codegen
