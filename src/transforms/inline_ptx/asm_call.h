// A call of inline assembly: its text with operands named, and what its constraints say.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

#include <string>
#include <vector>

namespace gridspan::transforms::ptx {

/// %0, %1 … in the order of the statement: outputs first.
struct AsmOperand {
  llvm::Type* type = nullptr;
  bool is_output = false;
  llvm::Value* input = nullptr;  // its value, for an output tied to an input the one before
};

struct AsmCall {
  std::string text;  // operands are argument_name(i); immediates are written out
  std::vector<AsmOperand> operands;
  std::string problem;  // why it cannot be read; empty if it can
};

AsmCall read_asm_call(const llvm::CallInst& call);

/// The inline assembly that `instruction` calls, if it holds any text or operand. A statement
/// without both is a fence for the compiler alone and stays as it is.
llvm::CallInst* as_asm_call(llvm::Instruction& instruction);

}  // namespace gridspan::transforms::ptx
