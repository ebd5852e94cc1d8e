// Which GPUs PTX is written for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/gpu_target.h"

#include "codegen/ptx/inline_needs.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/ErrorHandling.h"

#include <algorithm>

namespace gridspan::codegen::ptx {

using namespace llvm;

namespace {

constexpr char triple[] = "nvptx64-nvidia-cuda";
/// The oldest GPU, and the newest that LLVM 19 knows and whose features later GPUs keep.
constexpr unsigned portable = 70, newest = 90;

/// Versions of PTX: for the oldest GPUs what drivers of 2022 (CUDA 11.8) read, and for the newest
/// those of the first year they were there (CUDA 12.0). PTX that the program brings may be newer.
const char* features(unsigned architecture, bool inline_ptx) {
  if (inline_ptx) return "+ptx84";
  return architecture < newest ? "+ptx78" : "+ptx80";
}

}  // namespace

bool has_inline_ptx(const Module& module) {
  for (const Function& function : module)
    for (const Instruction& instruction : instructions(function)) {
      const auto* call = dyn_cast<CallBase>(&instruction);
      const auto* text = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
      if (text && !text->getAsmString().empty()) return true;
    }
  return false;
}

std::vector<unsigned> architectures(unsigned level, const Module& module) {
  // The default level has nothing that the oldest GPU lacks, but for what only PTX has names for.
  constexpr unsigned default_level = 75;
  unsigned least = std::clamp(level, portable, newest);
  if (least == default_level && !has_inline_ptx(module)) least = portable;
  std::set<unsigned> all = {least, newest};
  for (const unsigned needed : least_architectures(module))
    if (needed > least && needed < newest) all.insert(needed);
  return {all.begin(), all.end()};
}

std::unique_ptr<TargetMachine> make_gpu(unsigned architecture, unsigned opt_level,
                                        bool inline_ptx) {
  std::string error;
  const Target* target = TargetRegistry::lookupTarget(triple, error);
  if (!target) report_fatal_error(Twine(error));
  const auto level = opt_level == 0 ? CodeGenOptLevel::Less : CodeGenOptLevel::Aggressive;
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      triple, "sm_" + std::to_string(architecture), features(architecture, inline_ptx),
      TargetOptions(), Reloc::PIC_, std::nullopt, level));
}

}  // namespace gridspan::codegen::ptx
