// The groups of clang's warnings that nvcc judges otherwise.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/leniency.h"

#include <llvm/ADT/StringRef.h>

namespace gridspan::driver {
namespace {

/// Out of clang 19's warnings that are errors by default, those that nvcc 13 with g++ 12 takes, at
/// least in device code. The others are errors there, too, or would do something else (an object
/// with a constructor passed to `...` is a trap for clang).
constexpr llvm::StringLiteral taken[] = {
    "elaborated-enum-class",        // enum class E x;
    "enum-constexpr-conversion",    // constexpr E x = E(77);
    "gnu-array-member-paren-init",  // S() : array({1, 2}) {}
    "increment-bool",               // b++
    "invalid-constexpr",            // constexpr float f(float x) { return sqrtf(x); }
    "missing-template-arg-list-after-template-kw",  // x.template f(3)
};

}  // namespace

std::vector<std::string> lenient_flags() {
  std::vector<std::string> flags;
  for (llvm::StringRef group : taken) flags.push_back("-Wno-error=" + group.str());
  // Nobody warns of `register` in C++17, "%d"NAME, `#pragma unroll (4)`. Sections are marks of ours
  // (clang_plugin/borrowed_functions.h), which not all declarations of a function have.
  flags.insert(flags.end(), {"-Wno-register", "-Wno-reserved-user-defined-literal",
                             "-Wno-cuda-compat", "-Wno-section"});
  return flags;
}

}  // namespace gridspan::driver
