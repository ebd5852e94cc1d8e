// Grouping architectures, and changing the unit's steps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/editions.h"

#include "driver/ptx_options.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>
#include <algorithm>

namespace gridspan::driver {
namespace {

/// The oldest GPUs that there is PTX for.
constexpr unsigned oldest = 70;

constexpr std::string_view level_word = "-D__CUDA_ARCH__=";

struct Use {
  std::vector<unsigned> values;
  bool is_any = false;
};

Use parse(llvm::StringRef note) {
  Use use;
  for (const llvm::StringRef line : llvm::split(note, '\n')) {
    unsigned value = 0;
    if (line == "any") use.is_any = true;
    if (!line.getAsInteger(10, value)) use.values.push_back(value);
  }
  return use;
}

bool are_alike(unsigned level, unsigned other, const Use& use) {
  const auto reached = [&](unsigned one) {
    return std::ranges::count_if(use.values, [&](unsigned value) { return value <= one * 10; });
  };
  return !use.is_any && reached(level) == reached(other);
}

/// The container's options name what its PTX is for.
std::string with_ptx(const std::string& options, const std::string& ptx) {
  auto value = llvm::json::parse(options);
  if (!value || !value->getAsObject()) {
    if (!value) llvm::consumeError(value.takeError());
    return options;
  }
  (*value->getAsObject())["ptx"] = ptx;
  std::string text;
  llvm::raw_string_ostream(text) << *value;
  return text;
}

}  // namespace

std::vector<Levels> parts_of(const Levels& levels, std::string_view note) {
  const Use use = parse(llvm::StringRef(note.data(), note.size()));
  std::vector<Levels> parts;
  for (const unsigned level : levels)
    if (parts.empty() || !are_alike(parts.back().back(), level, use))
      parts.push_back({level});
    else
      parts.back().push_back(level);
  return parts;
}

Levels with_code(Levels levels) {
  while (levels.size() > 1 && levels[1] <= oldest) levels.erase(levels.begin());
  return levels;
}

codegen::SourceEdition edition_for(const CudaUnit& unit, unsigned level) {
  return {unit.device.bitcode_path + ".sm_" + std::to_string(level), level, 0};
}

CudaUnit unit_of(const CudaUnit& unit, const codegen::SourceEdition& edition) {
  const std::string note = "-fplugin-arg-gridspan-", &stem = edition.bitcode_path;
  CudaUnit made = unit;
  made.reference_path = stem + ".module";
  made.device_notes = {stem + ".late", stem + ".cures", stem + ".architectures"};
  made.host_notes = {};
  made.host_pass.reset();
  made.rule.clear();
  if (!unit.rule.empty()) made.device_rules = {stem + ".d"};
  made.overlay.directory = stem + ".overlay";
  std::vector<std::string> words;
  const std::vector<std::string>& old = unit.device_pass.arguments;
  for (std::size_t i = 0; i < old.size(); ++i) {
    const llvm::StringRef word = old[i];
    const auto names = [&](const std::string& what) { return word.starts_with(note + what + "="); };
    const bool is_for_rule = word == "-MF" || word == "-MT" || word == "-MQ";
    if (is_for_rule || word == "-o") ++i;
    // Times are the last edition's; what it reads joins the unit's rule.
    if (is_for_rule || word == "-o" || word == "-MP" || word.starts_with("-ftime-trace=")) continue;
    if ((word == "-MD" || word == "-MMD") && made.device_rules.empty()) continue;
    if (word.starts_with(level_word))
      words.push_back(std::string(level_word) +
                      std::to_string(GpuArchitecture{edition.level}.macro()));
    else if (names("late"))
      words.push_back(note + "late=" + made.device_notes.late);
    else if (names("cures"))
      words.push_back(note + "cures=" + made.device_notes.cures);
    else if (names("architectures"))
      words.push_back(note + "architectures=" + made.device_notes.architectures);
    else
      words.push_back(word == unit.overlay.description_path() ? made.overlay.description_path()
                                                              : old[i]);
  }
  if (!made.device_rules.empty()) words.insert(words.end(), {"-MF", made.device_rules.front()});
  words.insert(words.end(), {"-o", edition.bitcode_path});
  made.device_pass.arguments = std::move(words);
  return made;
}

void use_editions(CudaUnit& unit, unsigned last, std::vector<codegen::SourceEdition> others) {
  std::ranges::sort(others, {}, &codegen::SourceEdition::level);
  for (std::size_t i = 0; i < others.size(); ++i)
    others[i].below = i + 1 < others.size() ? others[i + 1].level : last;
  codegen::PtxOptions& ptx = unit.device.ptx;
  ptx.level = last;
  ptx.follows_others = !others.empty();
  const std::string text = to_text(ptx);
  unit.device.options_json = with_ptx(unit.device.options_json, text);
  if (unit.relocatable) unit.relocatable->options_json = unit.device.options_json;
  for (std::string& word : unit.device_step.arguments)
    if (word.starts_with("--ptx-for=")) word = "--ptx-for=" + text;
  for (const codegen::SourceEdition& one : others)
    unit.device_step.arguments.push_back("--edition=" + to_text(one));
  unit.device.editions = std::move(others);
}

}  // namespace gridspan::driver
