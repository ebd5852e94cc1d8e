// Intrinsics and library functions that give integers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/evaluator.h"
#include "analysis/numbers.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

namespace gridspan::analysis {

using namespace llvm;

Number Evaluator::call(const CallInst& callee) {
  const Function* function = callee.getCalledFunction();
  if (!function) return data(callee, "the result of an indirect call");
  auto pair = [&](bool is_unsigned, auto&& combine) {
    Number a = is_unsigned ? non_negative(callee.getArgOperand(0), callee)
                           : number(callee.getArgOperand(0));
    Number b = is_unsigned ? non_negative(callee.getArgOperand(1), callee)
                           : number(callee.getArgOperand(1));
    return Number{combine(a.value, b.value), together(a.uses, b.uses)};
  };
  auto smaller = [](const isl::pw_aff& a, const isl::pw_aff& b) { return a.min(b); };
  auto larger = [](const isl::pw_aff& a, const isl::pw_aff& b) { return a.max(b); };
  auto absolute = [&] {
    Number a = number(callee.getArgOperand(0));
    return Number{a.value.max(a.value.neg()), a.uses};
  };
  auto symbol = [&](const std::string& name) { return Number{symbols_.value(name), {}}; };
  switch (function->getIntrinsicID()) {
    case Intrinsic::nvvm_read_ptx_sreg_tid_x:
      return symbol(symbols_.thread_index(0));
    case Intrinsic::nvvm_read_ptx_sreg_tid_y:
      return symbol(symbols_.thread_index(1));
    case Intrinsic::nvvm_read_ptx_sreg_tid_z:
      return symbol(symbols_.thread_index(2));
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
      return symbol(symbols_.block_index(0));
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
      return symbol(symbols_.block_index(1));
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
      return symbol(symbols_.block_index(2));
    case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
      return symbol(symbols_.block_dim(0));
    case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
      return symbol(symbols_.block_dim(1));
    case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
      return symbol(symbols_.block_dim(2));
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
      return symbol(symbols_.grid_dim(0));
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
      return symbol(symbols_.grid_dim(1));
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
      return symbol(symbols_.grid_dim(2));
    case Intrinsic::nvvm_read_ptx_sreg_warpsize:
      return {symbols_.constant(32), {}};
    case Intrinsic::nvvm_read_ptx_sreg_laneid:
      return {lane(), {}};
    case Intrinsic::smin:
      return pair(false, smaller);
    case Intrinsic::smax:
      return pair(false, larger);
    case Intrinsic::umin:
      return pair(true, smaller);
    case Intrinsic::umax:
      return pair(true, larger);
    case Intrinsic::abs:
      return absolute();
    case Intrinsic::expect:
      return number(callee.getArgOperand(0));
    default:
      break;
  }
  StringRef name = function->getName();
  if (name == "__nv_min" || name == "__nv_llmin") return pair(false, smaller);
  if (name == "__nv_max" || name == "__nv_llmax") return pair(false, larger);
  if (name == "__nv_umin" || name == "__nv_ullmin") return pair(true, smaller);
  if (name == "__nv_umax" || name == "__nv_ullmax") return pair(true, larger);
  if (name == "__nv_abs" || name == "__nv_llabs") return absolute();
  if (name == "__nv_mul24" || name == "__nv_umul24") {
    Number a = number(callee.getArgOperand(0)), b = number(callee.getArgOperand(1));
    isl::ctx context = symbols_.context();
    bool is_signed = name == "__nv_mul24";
    isl::val limit = power_of_two(context, is_signed ? 23 : 24);
    isl::val minimum = is_signed ? limit.neg() : isl::val::zero(context);
    for (unsigned i = 0; i < 2; ++i)
      require(i ? b : a, callee.getArgOperand(i), callee.getParent(), minimum, limit.sub(1),
              source_point(callee));
    return wrapped({symbols_.multiply(a.value, b.value), together(a.uses, b.uses)}, callee, false);
  }
  return data(callee, "the result of " + (name.empty() ? "a call" : name.str()));
}

}  // namespace gridspan::analysis
