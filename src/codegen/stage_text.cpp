// The table of stages for people.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/stage_text.h"

#include <cstdio>

namespace gridspan::codegen {

namespace {

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size() + 1), ' ');
  return text;
}

void add_word(std::string& list, std::string_view word) {
  if (!list.empty()) list += ", ";
  list += word;
}

std::string forms_text(unsigned forms) {
  static constexpr std::pair<Stage::Form, const char*> names[] = {
      {Stage::cpu, "CPU"},
      {Stage::footprints, "footprints"},
      {Stage::ptx, "PTX"},
      {Stage::recording, "recording"},
      {Stage::specialised, "specialised"}};
  if (forms == Stage::all) return "all";
  std::string text;
  for (const auto& [form, name] : names)
    if ((forms & form) != 0) add_word(text, name);
  return text;
}

std::string data_text(std::uint32_t data) {
  std::string text;
  for (const DataName& one : data_names())
    if ((data & one.data) != 0) add_word(text, one.name);
  return text;
}

/// How they begin.
std::string sentences_text(std::uint64_t facts) {
  std::string text;
  for (const support::Sentence& sentence : support::sentences)
    if ((facts & sentence.key.bit()) != 0 && !sentence.begins.empty())
      add_word(text, "'" + std::string(sentence.begins) + "...'");
  return text;
}

void add_note(std::string& notes, std::string_view what, std::string_view value) {
  if (value.empty()) return;
  notes += notes.empty() ? "" : "; ";
  notes += what;
  notes += value;
}

std::string notes_text(const Stage& stage) {
  std::string notes;
  add_note(notes, "for ", forms_text(stage.of));
  add_note(notes, "needs ", data_text(stage.needs));
  add_note(notes, "gives ", data_text(stage.gives));
  if (stage.optimises) add_note(notes, "", "not at -O0");
  add_note(notes, "--without=", stage.without);
  add_note(notes, "explain: ", sentences_text(stage.records));
  return notes;
}

std::string time_text(const StageTimes& times, const Stage& stage) {
  const auto time = times[stage];
  if (time.count() == 0) return std::string(10, ' ');
  char text[32];
  std::snprintf(text, sizeof text, "%9.2f ",
                std::chrono::duration<double, std::milli>(time).count());
  return text;
}

}  // namespace

std::string stages_text(const StageTimes* times) {
  constexpr std::size_t name_width = 26;
  const Stages all = pipeline();
  std::string text;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Stage& stage = all[i];
    if (stage.kind == Stage::Kind::phase) {
      text +=
          (i == 0 ? "" : "\n") + std::string(stage.name) + ": " + std::string(stage.does) + "\n";
      continue;
    }
    if (times) text += time_text(*times, stage);
    const std::string name(2 * depth(all, i) + 2, ' ');
    text += padded(name + std::string(stage.name), name_width) + std::string(stage.does) + " (" +
            notes_text(stage) + ")\n";
  }
  return text;
}

}  // namespace gridspan::codegen
