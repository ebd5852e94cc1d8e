// Source places of instructions and functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/diagnostics.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"

namespace gridspan::transforms {

using namespace llvm;

/// The name as the user wrote it: clang records the working directory apart.
static std::string file_name(const DIScope& scope) { return scope.getFilename().str(); }

SourceLine source_line(const DebugLoc& location) {
  if (!location) return {};
  const DILocation& place = *location;
  return {file_name(*place.getScope()), place.getLine(), place.getColumn()};
}

SourceLine source_line(const Instruction& instruction) {
  if (SourceLine place = source_line(instruction.getDebugLoc()); place.line != 0) return place;
  return instruction.getFunction() ? source_line(*instruction.getFunction()) : SourceLine{};
}

SourceLine source_line(const Function& function) {
  if (const DISubprogram* subprogram = function.getSubprogram())
    return {file_name(*subprogram), subprogram->getLine(), 0};
  return {};
}

SourceLine line_of_use(const Value& value) {
  for (const User* user : value.users()) {
    const auto* instruction = dyn_cast<Instruction>(user);
    const SourceLine place = instruction ? source_line(*instruction) : line_of_use(*user);
    if (place.line != 0) return place;
  }
  return {};
}

std::string to_string(const SourceLine& place) {
  if (place.line == 0) return "unknown line";
  return place.file + ":" + std::to_string(place.line);
}

}  // namespace gridspan::transforms
