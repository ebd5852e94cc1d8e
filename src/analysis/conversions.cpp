// Casts between types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/evaluator.h"
#include "analysis/numbers.h"

namespace gridspan::analysis {

using namespace llvm;

Number Evaluator::cast(const CastInst& conversion) {
  const Value* operand = conversion.getOperand(0);
  switch (conversion.getOpcode()) {
    case Instruction::SExt:
      if (!is_integer(operand)) break;
      if (operand->getType()->isIntegerTy(1))  // a mask
        return where(condition(operand), {symbols_.constant(-1), {}});
      return number(operand);
    case Instruction::ZExt:
      if (!is_integer(operand)) break;
      if (operand->getType()->isIntegerTy(1)) return number(operand);
      if (auto* narrow = dyn_cast<TruncInst>(operand);
          narrow && is_integer(narrow->getOperand(0))) {
        Number low = number(narrow->getOperand(0));  // the low bits, whatever the others are
        low.value = low.value.mod(
            power_of_two(symbols_.context(), operand->getType()->getIntegerBitWidth()));
        return low;
      }
      return non_negative(operand, conversion);
    case Instruction::Trunc:
      if (is_integer(operand)) return wrapped(number(operand), conversion, false);
      break;
    case Instruction::BitCast:
      if (is_integer(operand)) return number(operand);
      break;
    case Instruction::FPToSI:
    case Instruction::FPToUI:
      return data(conversion, "a number computed in floating point");
    case Instruction::PtrToInt:
      return data(conversion, "a pointer turned into a number");
    default:
      break;
  }
  return data(conversion, "a conversion that is not followed");
}

}  // namespace gridspan::analysis
