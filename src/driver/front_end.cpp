// Reading the plug-in's notes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/front_end.h"

#include "driver/files.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/JSON.h>
#include <algorithm>
#include <cstdio>
#include <map>

namespace gridspan::driver {

FrontEndNotes front_end_notes(const Planner& planner, const std::string& stem) {
  if (planner.installation.clang_plugin.empty()) return {};
  return {planner.temporary(stem + ".late"), planner.temporary(stem + ".cures")};
}

std::vector<std::string> front_end_words(const Planner& planner, const FrontEndNotes& notes) {
  const std::string& plugin = planner.installation.clang_plugin;
  if (plugin.empty()) return {};
  const std::string argument = "-fplugin-arg-gridspan-";
  Words words;
  words.add("-fplugin=" + plugin);
  words.add(argument + "headers=" + planner.installation.include_directory);
  if (!notes.late.empty()) words.add(argument + "late=" + notes.late);
  if (!notes.cures.empty()) words.add(argument + "cures=" + notes.cures);
  if (!notes.architectures.empty()) words.add(argument + "architectures=" + notes.architectures);
  return words.take();
}

std::string read_late(const CudaUnit& unit) {
  return read_file(unit.device_notes.late).value_or("") + "\n" +
         read_file(unit.host_notes.late).value_or("");
}

std::vector<Cure> read_cures(std::string_view lines) {
  std::vector<Cure> cures;
  for (llvm::StringRef rest(lines); !rest.empty();) {
    const auto [line, tail] = rest.split('\n');
    rest = tail;
    auto value = llvm::json::parse(line);
    if (!value) {
      llvm::consumeError(value.takeError());
      continue;
    }
    const llvm::json::Object* object = value->getAsObject();
    if (!object) continue;
    const auto file = object->getString("file"), text = object->getString("text");
    const auto offset = object->getInteger("offset"), length = object->getInteger("length");
    if (!file || !text || !offset || !length || *offset < 0 || *length < 0) continue;
    cures.push_back({file->str(), static_cast<std::size_t>(*offset),
                     static_cast<std::size_t>(*length), text->str()});
  }
  return cures;
}

std::string cured(const std::string& text, std::vector<Cure> cures) {
  std::ranges::sort(cures);
  const auto repeated = std::ranges::unique(cures);
  cures.erase(repeated.begin(), repeated.end());
  std::string result;
  std::size_t done = 0;
  for (const Cure& cure : cures) {
    if (cure.offset < done || cure.offset + cure.length > text.size()) continue;
    result.append(text, done, cure.offset - done).append(cure.text);
    done = cure.offset + cure.length;
  }
  return result.append(text, done);
}

bool apply_cures(CudaUnit& unit) {
  std::map<std::string, std::vector<Cure>> by_file;
  for (const std::string& path : {unit.device_notes.cures, unit.host_notes.cures}) {
    if (path.empty()) continue;
    for (Cure& cure : read_cures(read_file(path).value_or("")))
      by_file[cure.file].push_back(std::move(cure));
    std::remove(path.c_str());
  }
  bool changed = false;
  for (auto& [file, cures] : by_file) {
    auto text = unit.overlay.text_of(file);
    if (!text) continue;
    std::string now = cured(*text, std::move(cures));
    if (now == *text) continue;
    unit.overlay.set(file, std::move(now));
    changed = true;
  }
  return changed;
}

}  // namespace gridspan::driver
