// What the device compiler has to say to the user, collected until the driver prints it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Instruction.h"

#include <string>
#include <vector>

namespace gridspan::transforms {

/// A place in the user's source; line 0 when the code carries no line information.
struct SourceLine {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
};

/// Where the user wrote `location` (for inlined code: the innermost place). Relative file names
/// stay as clang recorded them.
SourceLine source_line(const llvm::DebugLoc& location);
SourceLine source_line(const llvm::Instruction& instruction);
SourceLine source_line(const llvm::Function& function);

/// A place in the code that uses `value`; line 0 if only initial values of variables do.
SourceLine line_of_use(const llvm::Value& value);

/// "file:line" for one-line reasons; the function's name where no line is known.
std::string to_string(const SourceLine& place);

/// One limit of ours that the user's code meets: reported like a compiler error.
struct UserError {
  SourceLine where;
  std::string text;
};

using UserErrors = std::vector<UserError>;

/// Why something was not done that would have made the code faster.
struct Reason {
  SourceLine where;
  std::string text;
};

}  // namespace gridspan::transforms
