// Which GPUs PTX is written for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/gpu_target.h"

#include "codegen/ptx/inline_needs.h"
#include "codegen/ptx/part_kernels.h"
#include "transforms/kernels.h"

#include "llvm/ADT/STLExtras.h"
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

/// Bytes of parameters that every version of PTX allows.
constexpr std::uint64_t usual_parameters = 4352;

/// Versions of PTX: for the oldest GPUs what drivers of 2022 (CUDA 11.8) read, and for the newest
/// those of the first year they were there (CUDA 12.0), or what the code needs.
std::string features(unsigned architecture, unsigned least_version) {
  return "+ptx" + std::to_string(std::max(architecture < newest ? 78u : 80u, least_version));
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

unsigned least_version(Module& module) {
  if (has_inline_ptx(module)) return 84;
  const bool has_large = any_of(transforms::find_kernels(module), [](const auto& kernel) {
    return parameter_bytes(*kernel.function) + part_bytes > usual_parameters;
  });
  return has_large ? 81 : 0;
}

std::vector<unsigned> architectures(const PtxOptions& options, const Module& module) {
  // The default level has nothing that the oldest GPU lacks, but for what only PTX has names for.
  constexpr unsigned default_level = 75;
  unsigned least = std::max(options.level, portable);
  if (!options.follows_others) {
    least = std::min(least, newest);
    if (least == default_level && !has_inline_ptx(module)) least = portable;
  }
  std::set<unsigned> all = {least, std::max(least, newest)};
  for (const unsigned needed : least_architectures(module))
    if (needed > least && needed < newest) all.insert(needed);
  if (options.below != 0) all.erase(all.lower_bound(options.below), all.end());
  return {all.begin(), all.end()};
}

std::unique_ptr<TargetMachine> make_gpu(unsigned architecture, unsigned opt_level,
                                        unsigned least_version) {
  std::string error;
  const Target* target = TargetRegistry::lookupTarget(triple, error);
  if (!target) report_fatal_error(Twine(error));
  const auto level = opt_level == 0 ? CodeGenOptLevel::Less : CodeGenOptLevel::Aggressive;
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      triple, "sm_" + std::to_string(std::min(architecture, newest)),
      features(architecture, least_version), TargetOptions(), Reloc::PIC_, std::nullopt, level));
}

}  // namespace gridspan::codegen::ptx
