// Writes the headers' functions anew.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/word_functions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"

#include <string>

namespace gridspan::codegen::ptx {

using namespace llvm;

namespace {

struct WordFunction {
  StringRef name;  // as mangled, without _Z
  StringRef instruction;
};

/// LLVM 19 has intrinsics for few of these.
constexpr WordFunction known[] = {
    {"6__dp4aiii", "dp4a.s32.s32"},
    {"6__dp4ajjj", "dp4a.u32.u32"},
    {"9__dp2a_loiii", "dp2a.lo.s32.s32"},
    {"9__dp2a_lojjj", "dp2a.lo.u32.u32"},
    {"9__dp2a_hiiii", "dp2a.hi.s32.s32"},
    {"9__dp2a_hijjj", "dp2a.hi.u32.u32"},
    {"11__byte_permjjj", "prmt.b32"},
    {"12__vabsdiffu4jj", "vabsdiff4.u32.u32.u32"},
    {"8__vsadu4jj", "vabsdiff4.u32.u32.u32.add"},
};

/// Empty: not known.
StringRef instruction_of(StringRef name) {
  if (!name.consume_front("_ZL") && !name.consume_front("_Z")) return {};
  const auto* found = find_if(known, [&](const WordFunction& one) { return one.name == name; });
  return found == std::end(known) ? StringRef() : found->instruction;
}

/// All take three words; the third of two is 0.
void write(Function& function, StringRef instruction) {
  const GlobalValue::LinkageTypes linkage = function.getLinkage();
  function.deleteBody();
  function.setLinkage(linkage);
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "entry", &function));
  SmallVector<Value*> operands(make_pointer_range(function.args()));
  operands.resize(3, builder.getInt32(0));
  Type* const word = builder.getInt32Ty();
  InlineAsm* const text = InlineAsm::get(FunctionType::get(word, {word, word, word}, false),
                                         (instruction + " $0, $1, $2, $3;").str(), "=r,r,r,r",
                                         /*hasSideEffects=*/false);
  builder.CreateRet(builder.CreateCall(text, operands));
}

}  // namespace

void use_word_instructions(Module& module) {
  for (Function& function : module)
    if (!function.isDeclaration())
      if (const StringRef instruction = instruction_of(function.getName()); !instruction.empty())
        write(function, instruction);
}

}  // namespace gridspan::codegen::ptx
