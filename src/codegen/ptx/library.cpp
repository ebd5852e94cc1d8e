// Linking what GPUs lack.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/device_library.h"
#include "codegen/ptx/prepare.h"

#include "llvm/IR/Function.h"

namespace gridspan::codegen::ptx {

using namespace llvm;

static bool is_open(const Module& module) {
  return any_of(module, [](const Function& function) {
    return function.isDeclaration() && !function.isIntrinsic() && !function.use_empty();
  });
}

/// Subnormal floats are flushed in all of a function or none of it.
static void flush_alike(Module& module, ArrayRef<Function*> before) {
  StringRef name = "denormal-fp-math-f32";
  const bool flush = any_of(before, [&](const Function* function) {
    return function->getFnAttribute(name).getValueAsString().contains("preserve-sign");
  });
  if (!flush) return;
  for (Function& function : module)
    if (!function.isDeclaration()) function.addFnAttr(name, "preserve-sign,preserve-sign");
}

std::optional<std::string> link_library(Module& module, const std::string& libdevice) {
  SmallVector<Function*> own;
  for (Function& function : module)
    if (!function.isDeclaration()) own.push_back(&function);
  if (!libdevice.empty())
    if (auto problem = link_library_file(module, libdevice)) return problem;
  if (is_open(module))
    if (auto problem = link_library_file(module, library_path("device_library_gpu.bc")))
      return problem;
  flush_alike(module, own);
  return std::nullopt;
}

}  // namespace gridspan::codegen::ptx
