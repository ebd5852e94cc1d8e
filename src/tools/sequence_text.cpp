// Numbers of steps, names of arguments, and what keeps launches apart.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/sequence_text.h"

#include "support/readable_name.h"
#include "tools/fusion_report.h"
#include "tools/phrases.h"

#include <algorithm>

namespace gridspan::tools {
namespace {

using support::Between;
using support::LaunchSequence;
using support::LaunchStep;
using support::Neighbours;
using support::SequenceValue;

std::string place_text(const support::SourcePlace& place) {
  return place.line == 0 ? place.file : place.file + ":" + std::to_string(place.line);
}

std::string joined(const std::vector<std::string>& texts) {
  std::string text;
  for (std::size_t i = 0; i < texts.size(); ++i)
    text += (i == 0 ? "" : i + 1 == texts.size() ? " and " : ", ") + texts[i];
  return text;
}

const ExplainedKernel* kernel_of(const LaunchStep& step,
                                 const std::vector<ExplainedModule>& modules) {
  if (step.kernel.empty()) return nullptr;
  for (const ExplainedModule& module : modules)
    for (const ExplainedKernel& kernel : module.kernels)
      if (kernel.name == step.kernel) return &kernel;
  return nullptr;
}

std::string name_of(const LaunchStep& step, const ExplainedKernel* kernel) {
  switch (step.kind) {
    case LaunchStep::Kind::copy:
      return "a copy inside the device";
    case LaunchStep::Kind::fill:
      return "a fill";
    default:
      if (step.kernel.empty()) return "a kernel that is known only when the program runs";
      return kernel ? signature(*kernel) : support::readable_name(step.kernel);
  }
}

StepText step_text(const LaunchSequence& sequence, const LaunchStep& step,
                   const ExplainedKernel* kernel) {
  StepText text;
  for (int loop = step.loop; loop >= 0; loop = sequence.loops[loop].outer) ++text.depth;
  text.what = name_of(step, kernel);
  if (step.kind == LaunchStep::Kind::cooperative) text.what += ", cooperative";
  text.place = place_text(step.place);
  for (const support::SourcePlace& call : step.from)
    text.place += ", called at " + place_text(call);
  if (!step.always) text.when = "sometimes";
  return text;
}

std::string order_text(const LaunchSequence& sequence, const Neighbours& pair) {
  std::string text = std::to_string(pair.first + 1) + ", then " + std::to_string(pair.second + 1);
  if (pair.turn >= 0) {
    text += " in the next turn";
    if (sequence.steps[pair.first].loop != pair.turn)
      text += " of the loop at " + place_text(sequence.loops[pair.turn].place);
  } else if (!pair.always) {
    text += " sometimes";
  }
  return text;
}

std::string argument_name(const LaunchStep& step, const ExplainedKernel* kernel, unsigned index) {
  constexpr const char* of_copies[] = {"to", "from", "bytes"};
  constexpr const char* of_fills[] = {"to", "byte", "bytes"};
  if (!step.is_launch() && index < std::size(of_copies))
    return (step.kind == LaunchStep::Kind::copy ? of_copies : of_fills)[index];
  const bool is_known = kernel && kernel->model && index < kernel->model->argument_names.size() &&
                        !kernel->model->argument_names[index].empty();
  return is_known ? kernel->model->argument_names[index] : "argument " + std::to_string(index + 1);
}

/// "the same n; its out is the other's in".
std::string arguments_text(const ExplainedNeighbours& two) {
  std::vector<std::string> same, renamed;
  for (const auto& [i, j] : two.pair.equal_arguments) {
    // Constants are often equal without meaning anything.
    const bool is_constant = two.first_step().arguments[i].kind == SequenceValue::Kind::constant;
    const std::string first = argument_name(two.first_step(), two.first, i);
    const std::string second = argument_name(two.second_step(), two.second, j);
    if (first == second)
      same.push_back(first);
    else if (!is_constant)
      renamed.push_back(first + " is the second's " + second);
  }
  std::string text = same.empty() ? "" : "the same " + joined(same);
  if (!renamed.empty()) text += (text.empty() ? "" : "; ") + joined(renamed);
  return text;
}

std::string shape_text(const ExplainedNeighbours& two) {
  if (!two.first_step().is_launch() || !two.second_step().is_launch()) return "";
  if (two.pair.same_grid && two.pair.same_block) return "the same grid and block";
  if (two.pair.same_block) return "the same block; the grids may differ";
  return two.pair.same_grid ? "the same grid; the blocks may differ"
                            : "grids and blocks may differ";
}

/// The name, and what it does to launches around it.
struct Obstacle {
  std::string text, hint;
};

Obstacle obstacle(const Between& between) {
  const std::string name =
      between.name.empty() ? "a call through a pointer" : support::readable_name(between.name);
  switch (between.kind) {
    case Between::Kind::free:
      return {name + " waits", "free memory behind the last launch, or with cudaFreeAsync"};
    case Between::Kind::event:
      return {name + " may take a time",
              "create the event with cudaEventDisableTiming, or measure all launches at once"};
    case Between::Kind::stream:
      return {name + " orders streams or devices", ""};
    case Between::Kind::query:
      return {name + " asks whether something is done", "ask behind the last launch"};
    case Between::Kind::wait:
      return {name + " waits", "leave the wait out if the host needs no result there"};
    case Between::Kind::host_copy:
      return {name + " copies to or from the host",
              "copy behind the last launch, or say cudaMemcpyDeviceToDevice"};
    case Between::Kind::host_function:
      return {name + " has the host called", ""};
    case Between::Kind::graph:
      return {name + " launches or records a graph", ""};
    case Between::Kind::call:
      break;
  }
  return {name + " may do anything", "move the call behind the launches, if that can be"};
}

std::string stream_text(const ExplainedNeighbours& two) {
  if (two.pair.same_stream) return "";
  const auto is_constant = [](const LaunchStep& step) {
    return step.stream.kind == SequenceValue::Kind::constant;
  };
  return is_constant(two.first_step()) && is_constant(two.second_step())
             ? "their streams differ"
             : "their streams may differ";
}

PairText pair_text(const ExplainedNeighbours& two) {
  PairText text;
  text.order = order_text(two.sequence, two.pair);
  std::vector<std::string> apart, hints;
  for (const Between& between : two.pair.between) {
    const Obstacle found = obstacle(between);
    apart.push_back(found.text + " at " + place_text(between.place));
    if (!found.hint.empty() && std::ranges::find(hints, found.hint) == hints.end())
      hints.push_back(found.hint);
  }
  text.is_sometimes = two.pair.open && !apart.empty() && two.pair.same_stream;
  if (const std::string streams = stream_text(two); !streams.empty()) {
    apart.push_back(streams);
    hints.push_back("launch them on one stream");
  }
  text.apart = joined(apart);
  text.together = "nothing keeps them apart";
  const bool moves = !two.first_step().is_launch() || !two.second_step().is_launch();
  const auto divider = fusion::divider(two.sequence, two.pair);
  if (text.apart.empty() && two.pair.always && divider && !moves)
    text.apart = divider->text + " (" + place_text(divider->place) + ")";
  if (text.apart.empty() && moves)
    text.facts.emplace_back("copies and fills inside the device join chains when the program runs");
  if (!hints.empty()) text.hint = hints.front();
  std::string facts = shape_text(two);
  if (const std::string arguments = arguments_text(two); !arguments.empty())
    facts += (facts.empty() ? "" : "; ") + arguments;
  if (!facts.empty()) text.facts.push_back(facts);
  return text;
}

/// " (a.cu:3, a.cu:8)", as far as they are known.
std::string places_text(const FusionVerdict& verdict) {
  std::string text;
  for (const model::SourcePoint* where : {&verdict.first, &verdict.second})
    if (where->line != 0)
      text += (text.empty() ? " (" : ", ") + where->file + ":" + std::to_string(where->line);
  return text.empty() ? text : text + ")";
}

/// "2 to 4": numbers of the steps.
std::string group_text(const FusionVerdict& verdict) {
  return std::to_string(verdict.steps.front() + 1) + " to " +
         std::to_string(verdict.steps.back() + 1);
}

/// What the verdict says of two steps that follow one another in it.
void add_verdict(const FusionVerdict& verdict, bool is_last, PairText& pair) {
  using Kind = FusionVerdict::Kind;
  if (verdict.kind == Kind::apart) {
    pair.apart = verdict.reason + places_text(verdict);
    pair.is_sometimes = false;
    if (!verdict.hint.empty()) pair.hint = verdict.hint;
    return;
  }
  if (verdict.kind == Kind::useless) {
    pair.together = "nothing to be gained";
    pair.facts.emplace_back("in another order they would move as many bytes");
    if (!verdict.reason.empty())
      pair.facts.push_back("no one kernel: " + verdict.reason + places_text(verdict));
    return;
  }
  const bool is_kernel = verdict.kind == Kind::one_kernel;
  pair.together = is_kernel ? "could be one kernel" : "could be a chain";
  const std::string of_group = verdict.steps.size() > 2 ? group_text(verdict) + " " : "";
  if (is_last && !verdict.bytes.empty())
    pair.facts.push_back(of_group + (is_kernel ? "as one kernel: " : "as a chain: ") +
                         verdict.bytes);
  if (is_last && verdict.is_carried)
    pair.facts.emplace_back("the program carries this kernel, and uses it where it is faster");
  if (!verdict.reason.empty())
    pair.facts.push_back("no one kernel: " + verdict.reason + places_text(verdict));
  if (!verdict.hint.empty()) pair.hint = verdict.hint;
}

void add_verdicts(const LaunchSequence& sequence, const std::vector<FusionVerdict>& verdicts,
                  std::vector<PairText>& pairs) {
  for (const FusionVerdict& verdict : verdicts)
    for (std::size_t i = 0; i + 1 < verdict.steps.size(); ++i)
      for (std::size_t at = 0; at < pairs.size(); ++at) {
        const Neighbours& pair = sequence.neighbours[at];
        if (pair.first == verdict.steps[i] && pair.second == verdict.steps[i + 1] &&
            pair.turn == verdict.turn)
          add_verdict(verdict, i + 2 == verdict.steps.size(), pairs[at]);
      }
}

/// Outer loops first, each in front of its first step.
std::vector<LoopText> loops_text(const LaunchSequence& sequence) {
  std::vector<LoopText> loops;
  std::vector<bool> is_told(sequence.loops.size());
  for (std::size_t i = 0; i < sequence.steps.size(); ++i) {
    std::vector<int> around;
    for (int loop = sequence.steps[i].loop; loop >= 0; loop = sequence.loops[loop].outer)
      around.insert(around.begin(), loop);
    for (std::size_t depth = 0; depth < around.size(); ++depth) {
      if (is_told[around[depth]]) continue;
      is_told[around[depth]] = true;
      loops.push_back(
          {static_cast<unsigned>(depth), i, place_text(sequence.loops[around[depth]].place)});
    }
  }
  return loops;
}

}  // namespace

std::vector<const LaunchSequence*> told_sequences(const ExplainedModule& module) {
  std::vector<const LaunchSequence*> told;
  for (const LaunchSequence& sequence : module.sequences)
    if (!sequence.neighbours.empty()) told.push_back(&sequence);
  return told;
}

SequenceText sequence_text(const LaunchSequence& sequence,
                           const std::vector<ExplainedModule>& modules) {
  SequenceText text;
  text.title = support::readable_name(sequence.function);
  if (const std::string place = place_text(sequence.place); !place.empty())
    text.title += " at " + place;
  text.loops = loops_text(sequence);
  std::vector<const ExplainedKernel*> kernels;
  for (const LaunchStep& step : sequence.steps) {
    kernels.push_back(kernel_of(step, modules));
    text.steps.push_back(step_text(sequence, step, kernels.back()));
  }
  for (const Neighbours& pair : sequence.neighbours)
    text.pairs.push_back(pair_text({sequence, pair, kernels[pair.first], kernels[pair.second]}));
  add_verdicts(sequence, fusion_verdicts(sequence, modules), text.pairs);
  return text;
}

}  // namespace gridspan::tools
