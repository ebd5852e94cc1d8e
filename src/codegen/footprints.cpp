// Footprint functions, within limits: exact, or as loose as it takes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/footprints.h"

#include "codegen/footprint_writer.h"
#include "codegen/loop_overlap.h"

#include "llvm/ADT/ScopeExit.h"

#include <algorithm>
#include <functional>

namespace gridspan::codegen {

using namespace llvm;
using model::AccessSet;

namespace {

/// isl operations for one footprint, and once more for a box around it.
constexpr unsigned long footprint_limit = 200'000;
/// ... where a box around it would make a may-write of a must-write.
constexpr unsigned long exact_operation_limit = 300'000;

bool has_loops(const AccessSet& set) {
  return std::ranges::any_of(set.pieces, [](const auto& piece) { return !piece.loops.empty(); });
}

Function* declare_footprint(Module& module, const Twine& name) {
  LLVMContext& context = module.getContext();
  Type* pointer = PointerType::get(context, 0);
  auto* type = FunctionType::get(Type::getVoidTy(context), {pointer, pointer, pointer}, false);
  Function* function = Function::Create(type, GlobalValue::InternalLinkage, name, module);
  mark_as_launch_code(*function);
  return function;
}

/// model::within_limit, taken off what the module has.
bool within(unsigned long limit, const model::Kernel& kernel, model::Allowance& allowance,
            const std::function<void()>& work) {
  unsigned long done = 0;
  const auto spend = make_scope_exit([&] { allowance.spend(done * model::weight_of(kernel)); });
  return model::within_limit(kernel.context.ctx(), limit, work, &done);
}

/// Null function: beyond limits or bounds.
Footprint try_footprint(Module& module, const model::Kernel& kernel, const AccessSet& set,
                        const model::Array& array, const Twine& name, Precision precision,
                        model::Allowance& allowance, FitNeeds& needs) {
  Function* function = declare_footprint(module, name);
  Footprint result;
  try {
    const unsigned long limit =
        allowance.share(precision == Precision::exact ? exact_operation_limit : footprint_limit);
    const bool done = within(limit, kernel, allowance, [&] {
      FootprintWriter writer(*function, kernel, set, array, precision);
      writer.write();
      result.exact = writer.exact();
      result.overlap = !writer.apart();
      needs.add(writer.needs());
    });
    if (done) result.function = function;
  } catch (const Unwritable&) {
  } catch (const isl::exception& error) {
    tell_isl_error(error, "a footprint", kernel.name);
  }
  if (!result.function) function->eraseFromParent();
  return result;
}

bool boxes_may_overlap(const model::Kernel& kernel, const AccessSet& set,
                       model::Allowance& allowance) {
  bool overlap = true;
  try {
    within(allowance.share(footprint_limit), kernel, allowance,
           [&] { overlap = loops_may_overlap(kernel, set); });
  } catch (const isl::exception& error) {
    tell_isl_error(error, "the overlap of boxes", kernel.name);
  }
  return overlap;
}

}  // namespace

void mark_as_launch_code(Function& function) {
  function.addFnAttr(Attribute::Cold);
  function.addFnAttr(Attribute::NoInline);
  function.addFnAttr(Attribute::NoUnwind);
  function.addFnAttr(Attribute::OptimizeForSize);
}

Footprint make_footprint(Module& module, const model::Kernel& kernel, const AccessSet& set,
                         const model::Array& array, const Twine& name, model::Allowance& allowance,
                         FitNeeds& needs) {
  if (set.unbounded || kernel.context.is_null()) return {};
  const bool must = set.kind == model::SetKind::must_write;
  for (Precision precision :
       {must ? Precision::exact : Precision::loose, Precision::pieces, Precision::one_box}) {
    Footprint result = try_footprint(module, kernel, set, array, name, precision, allowance, needs);
    if (!result.function) continue;
    // Boxes around disjoint images may still have elements in common.
    result.overlap |=
        has_loops(set) && (!result.exact || boxes_may_overlap(kernel, set, allowance));
    return result;
  }
  return {};
}

}  // namespace gridspan::codegen
