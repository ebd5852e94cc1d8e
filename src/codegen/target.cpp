// Target selection.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/target.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

namespace gridspan::codegen {

using namespace llvm;

static std::string host_features() {
  SubtargetFeatures features;
  for (const auto& feature : sys::getHostCPUFeatures())
    features.AddFeature(feature.first(), feature.second);
  return features.getString();
}

void initialise_targets() {
  [[maybe_unused]] static const bool done = [] {
    InitializeAllTargetInfos();
    InitializeAllTargets();
    InitializeAllTargetMCs();
    InitializeAllAsmPrinters();
    return true;
  }();
}

std::unique_ptr<TargetMachine> make_target_machine(const DeviceRequest& request,
                                                   std::string& error) {
  initialise_targets();
  std::string triple =
      request.target_triple.empty() ? sys::getDefaultTargetTriple() : request.target_triple;
  const Target* target = TargetRegistry::lookupTarget(triple, error);
  if (!target) return nullptr;
  std::string cpu = request.target_cpu, features;
  if (cpu == "native") {
    cpu = sys::getHostCPUName().str();
    features = host_features();
  }
  if (cpu.empty()) cpu = Triple(triple).isX86() ? "x86-64" : "generic";
  std::unique_ptr<MCSubtargetInfo> subtarget(target->createMCSubtargetInfo(triple, cpu, features));
  if (!subtarget || !subtarget->isCPUStringValid(cpu)) {
    error = "unknown target CPU '" + cpu + "'";
    return nullptr;
  }
  TargetOptions options;
  options.UseInitArray = true;  // of linkers, only ld.bfd still runs what stands in .ctors
  auto level = request.opt_level >= 3 ? CodeGenOptLevel::Aggressive : CodeGenOptLevel::Default;
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      triple, cpu, features, options, request.position_independent ? Reloc::PIC_ : Reloc::Static,
      std::nullopt, level));
}

}  // namespace gridspan::codegen
