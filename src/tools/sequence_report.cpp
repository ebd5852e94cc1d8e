// A list of steps, then of pairs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/sequence_report.h"

#include "tools/sequence_text.h"
#include "tools/svg.h"

namespace gridspan::tools {
namespace {

std::string steps_text(const SequenceText& sequence, const Paint& paint) {
  std::string text;
  const auto line = [&](unsigned depth, const std::string& content) {
    text += std::string(4 + 2 * depth, ' ') + content + "\n";
  };
  auto loop = sequence.loops.begin();
  for (std::size_t i = 0; i < sequence.steps.size(); ++i) {
    for (; loop != sequence.loops.end() && loop->before == i; ++loop)
      line(loop->depth, "loop at " + loop->place);
    const StepText& step = sequence.steps[i];
    line(step.depth, std::to_string(i + 1) + ". " + step.what +
                         (step.when.empty() ? "" : ", " + step.when) +
                         paint.faint("  at " + step.place));
  }
  return text;
}

std::string apart_text(const PairText& pair) {
  if (pair.apart.empty()) return pair.together;
  return (pair.is_sometimes ? "sometimes kept apart: " : "kept apart: ") + pair.apart;
}

std::string pair_line(const PairText& pair, const Paint& paint) {
  std::string text = "    " + paint.name(pair.order) + ": " +
                     (pair.apart.empty()  ? paint.good(apart_text(pair))
                      : pair.is_sometimes ? paint.notice(apart_text(pair))
                                          : paint.bad(apart_text(pair))) +
                     "\n";
  for (const std::string& fact : pair.facts) text += "        " + fact + "\n";
  if (!pair.hint.empty()) text += "        hint: " + pair.hint + "\n";
  return text;
}

std::string steps_html(const SequenceText& sequence) {
  std::string rows;
  const auto row = [&](unsigned depth, const std::string& number, const std::string& what,
                       const std::string& soft) {
    rows += "<tr><td>" + number + "</td><td style=\"padding-left:" + std::to_string(1 + 2 * depth) +
            "em\">" + what + "</td><td class=\"soft\">" + escaped(soft) + "</td></tr>\n";
  };
  auto loop = sequence.loops.begin();
  for (std::size_t i = 0; i < sequence.steps.size(); ++i) {
    for (; loop != sequence.loops.end() && loop->before == i; ++loop)
      row(loop->depth, "", "loop", loop->place);
    const StepText& step = sequence.steps[i];
    row(step.depth, std::to_string(i + 1),
        "<code>" + escaped(step.what) + "</code>" + (step.when.empty() ? "" : ", " + step.when),
        step.place);
  }
  return "<table class=\"facts\">\n" + rows + "</table>\n";
}

std::string pair_html(const PairText& pair) {
  std::string text = escaped(apart_text(pair));
  for (const std::string& fact : pair.facts)
    text += "<br><span class=\"soft\">" + escaped(fact) + "</span>";
  if (!pair.hint.empty())
    text += "<br><span class=\"soft\">hint: " + escaped(pair.hint) + "</span>";
  return "<tr><td>" + escaped(pair.order) + "</td><td class=\"" +
         (pair.apart.empty() || pair.is_sometimes ? "yes" : "no") + "\">" + text + "</td></tr>\n";
}

}  // namespace

std::string sequence_report(const ExplainedModule& module,
                            const std::vector<ExplainedModule>& modules, const Paint& paint) {
  std::string text;
  for (const support::LaunchSequence* one : told_sequences(module)) {
    const SequenceText sequence = sequence_text(*one, modules);
    text += "\n  " + paint.bold("launches in " + sequence.title) + "\n";
    text += steps_text(sequence, paint) + "\n";
    for (const PairText& pair : sequence.pairs) text += pair_line(pair, paint);
  }
  return text;
}

std::string sequence_html(const std::vector<ExplainedModule>& modules) {
  std::string cards;
  for (const ExplainedModule& module : modules)
    for (const support::LaunchSequence* one : told_sequences(module)) {
      const SequenceText sequence = sequence_text(*one, modules);
      cards += "<section class=\"card\">\n<h2>Launches in " + escaped(sequence.title) + "</h2>\n" +
               steps_html(sequence) + "<table class=\"facts\">\n";
      for (const PairText& pair : sequence.pairs) cards += pair_html(pair);
      cards += "</table>\n</section>\n";
    }
  return cards;
}

}  // namespace gridspan::tools
