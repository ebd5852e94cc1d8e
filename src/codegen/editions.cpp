// Comparing models, and making PTX of what has the same.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/editions.h"

#include "analysis/analyse.h"
#include "codegen/device_bitcode.h"
#include "codegen/ptx/obstacles.h"
#include "model/isl.h"
#include "model/text.h"
#include "transforms/device_launches.h"
#include "transforms/inline_ptx/inline_ptx.h"
#include "transforms/kernels.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <memory>
#include <utility>

namespace gridspan::codegen {

using namespace llvm;
using ptx::Reasons;

namespace {

/// Places, and texts for people, which name places, tell apart what stands in different lines and
/// does the same. Of values that are stored it matters which are equal.
void keep_accesses_only(model::Kernel& kernel) {
  std::map<std::string, std::string> values = {{"", ""}};
  kernel.where = {};
  kernel.barriers = kernel.static_shared = 0;
  for (model::Dimension& one : kernel.dimensions) one.where = {};
  for (model::Assumption& one : kernel.assumptions) one.where = {}, one.text.clear();
  for (model::Remark& one : kernel.remarks) one.where = {}, one.text.clear();
  for (model::AxisSplit& one : kernel.axes) {
    one.reason_where = one.race_where = {};
    one.reason.clear();
    one.race.clear();
  }
  kernel.rung_reason.clear();
  for (model::Array& array : kernel.arrays)
    for (model::Access& one : array.accesses) {
      one.where = one.reason_where = {};
      one.reason.clear();
      one.stored_value =
          values.try_emplace(one.stored_value, std::to_string(values.size())).first->second;
    }
}

std::vector<analysis::KernelEntry> entries_of(Module& module) {
  std::vector<analysis::KernelEntry> entries;
  for (const transforms::KernelDeclaration& kernel : transforms::find_kernels(module))
    entries.push_back({kernel.function->getName().str(), kernel.max_threads, kernel.min_blocks});
  return entries;
}

/// Of kernels that access other elements than `accesses` says, or of all.
Reasons differences(Module& module, const std::map<std::string, std::string>& accesses) {
  Reasons reasons;
  const std::vector<analysis::KernelEntry> entries = entries_of(module);
  transforms::UserErrors errors;
  settle_language(module, errors);
  transforms::lower_inline_ptx(module, errors);
  transforms::lower_device_launches(module, errors);
  std::map<std::string, std::string> found;
  const model::IslContext isl;
  if (errors.empty()) found = access_texts(analysis::analyse(module, entries, isl.get()));
  for (const analysis::KernelEntry& entry : entries) {
    const auto here = std::as_const(found).find(entry.name), later = accesses.find(entry.name);
    if (!errors.empty())
      reasons[entry.name] = errors.front().text;
    else if (here == found.end() || later == accesses.end() || here->second != later->second)
      reasons[entry.name] = "what it reads and writes differs";
  }
  return reasons;
}

}  // namespace

std::map<std::string, std::string> access_texts(std::vector<model::Kernel> kernels) {
  std::map<std::string, std::string> texts;
  for (model::Kernel& kernel : kernels) {
    keep_accesses_only(kernel);
    const std::string name = kernel.name;
    texts[name] = model::to_text({"", {std::move(kernel)}});
  }
  return texts;
}

void add_edition(const SourceEdition& edition, PtxOptions options,
                 const std::map<std::string, std::string>& accesses, const KernelKnowledge& known,
                 PtxCode& code) {
  const std::string whom = "those before sm_" + std::to_string(edition.below) + ": ";
  LLVMContext context;
  SMDiagnostic problem;
  auto file = MemoryBuffer::getFile(edition.bitcode_path);
  const std::unique_ptr<Module> module =
      file ? read_device_bitcode(**file, problem, context) : nullptr;
  if (!module) return;
  const std::unique_ptr<Module> analysed = CloneModule(*module);
  const Reasons reasons = differences(*analysed, accesses);
  for (const auto& [kernel, why] : reasons) code.earlier.emplace(kernel, whom + why);
  ptx::leave_out(*module, reasons);
  std::string bitcode;
  raw_string_ostream stream(bitcode);
  WriteBitcodeToFile(*module, stream);

  options.level = edition.level;
  options.below = edition.below;
  options.follows_others = false;
  PtxCode made = make_ptx(bitcode, options, known, inner_stages("ptx"));
  for (const auto& [kernel, why] : made.left_out) code.earlier.emplace(kernel, whom + why);
  made.texts.insert(made.texts.end(), std::make_move_iterator(code.texts.begin()),
                    std::make_move_iterator(code.texts.end()));
  code.texts = std::move(made.texts);
}

}  // namespace gridspan::codegen
