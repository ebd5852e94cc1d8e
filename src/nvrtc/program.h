// What an nvrtcProgram is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <vector>

struct _nvrtcProgram {
  struct Header {
    std::string name;
    std::string text;
  };
  /// The address of a kernel or variable, as C++, and its name in the module once it is compiled.
  struct NameExpression {
    std::string text;
    std::string lowered{};
  };

  std::string source;
  std::string name;
  std::vector<Header> headers{};
  std::vector<NameExpression> expressions{};

  // Of nvrtcCompileProgram.
  bool was_compiled = false;
  std::string log{};
  std::string module{};
  std::string text{};  // of the module
};
