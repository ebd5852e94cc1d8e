// The text of one inline PTX statement, taken apart.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     "{ .reg .pred p;            open, declaration
//        setp.lt.s32 p, %1, 5;    instruction
//     @p add.s32 %0, %1, 1; }"    instruction with a guard, close
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gridspan::transforms::ptx {

struct Operand {
  enum class Kind {
    name,     // register, special register, operand of the asm statement, label
    integer,  // immediate
    real,     // 0f…, 0d… or decimal
    vector,   // { a, b }
    pair,     // d|p
    address,  // [ base + offset ]
    sink,     // _
  };
  Kind kind = Kind::sink;
  std::string name;
  bool negated = false;  // !p
  std::uint64_t integer = 0;
  double real = 0;
  std::int64_t offset = 0;     // of an address
  std::vector<Operand> parts;  // of a vector, of a pair, the base of an address
};

struct Instruction {
  std::optional<Operand> guard;  // @p, @!p
  std::string opcode;            // add.cc.u32
  std::vector<Operand> operands;
};

struct Statement {
  enum class Kind { instruction, label, declaration, open, close };
  Kind kind = Kind::instruction;
  Instruction instruction;
  std::string label;
  std::string type;                // of declared registers: "b32"
  std::vector<std::string> names;  // declared registers
};

/// Names of asm operands: argument_name(2) stands for %2. No PTX name looks like that.
std::string argument_name(unsigned index);

/// The statements of `text`, in which operands are called by argument_name. On a syntax error
/// nothing, and `problem` says what was not understood.
std::optional<std::vector<Statement>> parse(std::string_view text, std::string& problem);

}  // namespace gridspan::transforms::ptx
