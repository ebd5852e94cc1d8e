// Words of PTX by the architecture that brought them (PTX ISA, "Target ISA notes").
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/inline_needs.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"

#include <algorithm>

namespace gridspan::codegen::ptx {

using namespace llvm;

namespace {

struct Word {
  const char* text;
  unsigned architecture;
};

/// Of fragments, made of mma.sync (src/device_library/gpu/warp_matrix.cpp).
constexpr char product_function[] = "__gridspan_warp_mma_";

constexpr Word words[] = {
    {"ldmatrix", 75},
    {"tanh.approx", 75},
    {"m8n8k16", 75},
    {"m16n8k8", 75},
    {"movmatrix", 75},
    {"tf32", 80},
    {"bf16", 80},
    {"cp.async", 80},
    {"mbarrier", 80},
    {"redux", 80},
    {"createpolicy", 80},
    {"cache_hint", 80},
    {"m16n8k16", 80},
    {"m16n8k32", 80},
    {"m16n8k64", 80},
    {"m16n8k4", 80},
    {"m16n8k128", 80},
    {"m16n8k256", 80},
    {"m8n8k4.row.col.f64", 80},
    {".relu", 80},
    {"min.NaN", 80},
    {"max.NaN", 80},
    {"applypriority", 80},
    {"e4m3", 89},
    {"e5m2", 89},
    {"stmatrix", 90},
    {"wgmma", 90},
    {"cp.async.bulk", 90},
    {"cluster", 90},
    {"griddepcontrol", 90},
    {"elect.sync", 90},
    {"try_wait", 90},
    {"expect_tx", 90},
    {"fence.proxy.async", 90},
    {"mapa", 90},
    {"multimem", 90},
    {"m16n8k8.row.col.f64", 90},
    {"m16n8k16.row.col.f64", 90},
};

}  // namespace

unsigned least_architecture(const CallBase& call) {
  const Value* callee = call.getCalledOperand()->stripPointerCasts();
  if (isa<Function>(callee) && callee->getName().starts_with(product_function)) return 80;
  const auto* inline_ptx = dyn_cast<InlineAsm>(callee);
  if (!inline_ptx) return 0;
  const StringRef text = inline_ptx->getAsmString();
  unsigned least = 0;
  for (const Word& word : words)
    if (text.contains(word.text)) least = std::max(least, word.architecture);
  return least;
}

bool uses_barrier_objects(const Module& module) {
  return any_of(module, [](const Function& function) {
    return function.isDeclaration() && function.getName().starts_with("__gridspan_mbarrier_");
  });
}

std::set<unsigned> least_architectures(const Module& module) {
  std::set<unsigned> found;
  for (const Function& function : module)
    for (const Instruction& instruction : instructions(function))
      if (const auto* call = dyn_cast<CallBase>(&instruction))
        if (const unsigned least = least_architecture(*call); least != 0) found.insert(least);
  return found;
}

}  // namespace gridspan::codegen::ptx
