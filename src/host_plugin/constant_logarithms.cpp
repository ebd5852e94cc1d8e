// Logarithms of constants, as this machine's C library computes them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_plugin/constant_logarithms.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <cfloat>
#include <cmath>
#include <cstring>
#include <optional>

namespace gridspan::host_plugin {

using namespace llvm;

namespace {

/// What logl returns, where this machine's long double is x86_fp80, too.
std::optional<APFloat> logarithm(const APFloat& number) {
#if LDBL_MANT_DIG == 64
  if (&number.getSemantics() == &APFloat::x87DoubleExtended() && number.isFiniteNonZero() &&
      !number.isNegative()) {
    constexpr std::size_t bytes = 10;
    const APInt bits = number.bitcastToAPInt();
    long double value = 0;
    std::memcpy(&value, bits.getRawData(), bytes);
    value = std::log(value);
    std::uint64_t words[2] = {};
    std::memcpy(words, &value, bytes);
    return APFloat(APFloat::x87DoubleExtended(), APInt(80, words));
  }
#endif
  return std::nullopt;
}

}  // namespace

PreservedAnalyses FoldConstantLogarithms::run(Function& function,
                                              FunctionAnalysisManager& analyses) {
  // Code that sets the rounding mode computes them itself.
  if (function.hasFnAttribute(Attribute::StrictFP)) return PreservedAnalyses::all();
  const auto& library = analyses.getResult<TargetLibraryAnalysis>(function);
  bool changed = false;
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    auto* call = dyn_cast<CallInst>(&instruction);
    LibFunc called;
    if (!call || !library.getLibFunc(*call, called) || called != LibFunc_logl) continue;
    const auto* argument = dyn_cast<ConstantFP>(call->getArgOperand(0));
    if (!argument) continue;
    const auto value = logarithm(argument->getValueAPF());
    if (!value) continue;
    call->replaceAllUsesWith(ConstantFP::get(call->getType(), *value));
    call->eraseFromParent();
    changed = true;
  }
  if (!changed) return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

}  // namespace gridspan::host_plugin
