// Linking of relocatable units with LLVM's linker, after names are settled.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/device_linker.h"

#include "codegen/device_bitcode.h"
#include "codegen/unit_choice.h"
#include "support/readable_name.h"
#include "transforms/diagnostics.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

namespace gridspan::codegen {

using namespace llvm;

namespace {

constexpr char ftz_flag[] = "nvvm-reflect-ftz";

transforms::SourceLine place_of(const GlobalValue& value) {
  if (value.isDeclaration()) return transforms::line_of_use(value);
  const auto* function = dyn_cast<Function>(&value);
  return function ? transforms::source_line(*function) : transforms::SourceLine();
}

std::string described(const GlobalValue& value) {
  std::string kind = isa<Function>(value) ? "function" : "variable";
  return "device " + kind + " '" + support::readable_name(value.getName()) + "'";
}

class DeviceLink {
 public:
  explicit DeviceLink(std::vector<Diagnostic>& diagnostics) : diagnostics_(diagnostics) {
    context_.setDiagnosticHandlerCallBack(
        [](const DiagnosticInfo* info, void* self) {
          if (info->getSeverity() != DS_Error) return;
          std::string text;
          raw_string_ostream stream(text);
          DiagnosticPrinterRawOStream printer(stream);
          info->print(printer);
          static_cast<DeviceLink*>(self)->fail("device link: " + text);
        },
        this);
  }

  std::optional<LinkedDeviceCode> run(const std::vector<RelocatableUnit>& units) {
    for (const RelocatableUnit& unit : units)
      if (!read(unit)) return std::nullopt;
    UnitChoice choice = choose_units(units_);
    for (const LinkObstacle& obstacle : choice.errors) report(obstacle);
    if (!choice.errors.empty()) return std::nullopt;
    LinkedDeviceCode code;
    for (const LinkObstacle& obstacle : choice.left_out)
      code.left_out.push_back(units_[obstacle.unit].origin + ": " + text_of(obstacle));
    if (!same_spaces(choice.linked) || !link(choice.linked)) return std::nullopt;
    for (unsigned unit : choice.linked) code.linked.push_back({unit, private_suffix(unit)});
    raw_string_ostream stream(code.bitcode);
    WriteBitcodeToFile(*linked_, stream);
    return code;
  }

 private:
  void fail(const std::string& text) {
    diagnostics_.push_back({Diagnostic::Kind::error, "", 0, 0, text});
  }

  bool read(const RelocatableUnit& unit) {
    SMDiagnostic problem;
    auto module =
        read_device_bitcode(MemoryBufferRef(unit.bitcode, unit.origin), problem, context_);
    if (!module) {
      fail("'" + unit.origin + "': " + problem.getMessage().str());
      return false;
    }
    const auto number = static_cast<unsigned>(units_.size());
    units_.push_back(make_link_unit(unit.origin, unit.required, std::move(module), number));
    return true;
  }

  std::string text_of(const LinkObstacle& obstacle) const {
    const LinkUnit& unit = units_[obstacle.unit];
    const std::string what = described(*unit.module->getNamedValue(obstacle.name));
    if (obstacle.kind == LinkObstacle::Kind::undefined)
      return "undefined reference to " + what + " in '" + unit.origin + "'";
    return "multiple definition of " + what + " in '" + unit.origin + "'; first defined in '" +
           units_[obstacle.other].origin + "'";
  }

  void report(const LinkObstacle& obstacle) {
    const auto place = place_of(*units_[obstacle.unit].module->getNamedValue(obstacle.name));
    diagnostics_.push_back(
        {Diagnostic::Kind::error, place.file, place.line, place.column, text_of(obstacle)});
  }

  /// `extern __device__` in one file and `__constant__` in another do not go together.
  bool same_spaces(ArrayRef<unsigned> chosen) {
    StringMap<std::pair<unsigned, unsigned>> seen;  // name → address space, unit
    bool good = true;
    for (unsigned number : chosen)
      for (const GlobalVariable& variable : units_[number].module->globals()) {
        if (variable.hasLocalLinkage() || variable.hasAppendingLinkage()) continue;
        const unsigned space = variable.getAddressSpace();
        auto [at, first] = seen.try_emplace(variable.getName(), space, number);
        if (first || at->getValue().first == space) continue;
        fail(described(variable) + " is declared with another memory space in '" +
             units_[number].origin + "' than in '" + units_[at->getValue().second].origin + "'");
        good = false;
      }
    return good;
  }

  /// The flag says whether -ftz was given. Functions carry that themselves; of files that differ
  /// the linked module says no.
  void take_ftz(Module& module) {
    NamedMDNode* flags = module.getModuleFlagsMetadata();
    if (!flags) return;
    SmallVector<MDNode*> others;
    for (MDNode* flag : flags->operands()) {
      const auto* name = dyn_cast<MDString>(flag->getOperand(1));
      if (!name || name->getString() != ftz_flag) {
        others.push_back(flag);
        continue;
      }
      const auto* value = mdconst::extract<ConstantInt>(flag->getOperand(2));
      all_flush_ = all_flush_ && !value->isZero();
    }
    flags->clearOperands();
    for (MDNode* flag : others) flags->addOperand(flag);
  }

  bool link(ArrayRef<unsigned> chosen) {
    linked_ = std::make_unique<Module>("", context_);
    std::string sources;
    for (unsigned number : chosen) {
      Module& module = *units_[number].module;
      sources += (sources.empty() ? "" : ", ") + module.getSourceFileName();
      take_ftz(module);
      linked_->setTargetTriple(module.getTargetTriple());
      linked_->setDataLayout(module.getDataLayout());
      if (Linker::linkModules(*linked_, std::move(units_[number].module))) return false;
    }
    linked_->setSourceFileName(sources);
    if (!chosen.empty()) linked_->addModuleFlag(Module::Override, ftz_flag, all_flush_ ? 1 : 0);
    return true;
  }

  std::vector<Diagnostic>& diagnostics_;
  LLVMContext context_;
  std::vector<LinkUnit> units_;
  std::unique_ptr<Module> linked_;
  bool all_flush_ = true;
};

}  // namespace

std::optional<LinkedDeviceCode> link_device_code(const std::vector<RelocatableUnit>& units,
                                                 std::vector<Diagnostic>& diagnostics) {
  return DeviceLink(diagnostics).run(units);
}

}  // namespace gridspan::codegen
