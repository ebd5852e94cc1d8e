// Numbers of steps and loops are places in their lists.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/sequence_json.h"

#include "tools/fusion_report.h"

#include <nlohmann/json.hpp>

namespace gridspan::tools {
namespace {

using OrderedJson = nlohmann::ordered_json;
using support::SequenceValue;

/// As models have them; columns are not known.
std::string place_json(const support::SourcePlace& place) {
  return place.file + ":" + std::to_string(place.line) + ":0";
}

OrderedJson number_or_null(int index) { return index < 0 ? OrderedJson() : OrderedJson(index); }

/// 256, "v3", null.
OrderedJson value_json(const SequenceValue& value) {
  if (value.kind == SequenceValue::Kind::constant) return value.number;
  if (value.kind == SequenceValue::Kind::value) return "v" + std::to_string(value.number);
  return nullptr;
}

template <class Values>
OrderedJson values_json(const Values& values) {
  OrderedJson json = OrderedJson::array();
  for (const SequenceValue& value : values) json.push_back(value_json(value));
  return json;
}

OrderedJson step_json(const support::LaunchStep& step) {
  OrderedJson json = {{"kind", support::to_text(step.kind)},
                      {"where", place_json(step.place)},
                      {"loop", number_or_null(step.loop)},
                      {"always", step.always}};
  for (const support::SourcePlace& call : step.from) json["from"].push_back(place_json(call));
  if (step.is_launch()) {
    json["kernel"] = step.kernel.empty() ? OrderedJson() : OrderedJson(step.kernel);
    json["grid"] = values_json(step.grid);
    json["block"] = values_json(step.block);
    json["shared"] = value_json(step.shared);
  }
  json["stream"] = value_json(step.stream);
  json["arguments"] = values_json(step.arguments);
  return json;
}

OrderedJson pair_json(const support::Neighbours& pair) {
  OrderedJson json = {{"first", pair.first},
                      {"second", pair.second},
                      {"turn", number_or_null(pair.turn)},
                      {"always", pair.always},
                      {"open", pair.open},
                      {"equal_arguments", pair.equal_arguments},
                      {"same_grid", pair.same_grid},
                      {"same_block", pair.same_block},
                      {"same_shared", pair.same_shared},
                      {"same_stream", pair.same_stream},
                      {"between", OrderedJson::array()}};
  for (const support::Between& between : pair.between)
    json["between"].push_back({{"kind", support::to_text(between.kind)},
                               {"name", between.name},
                               {"where", place_json(between.place)}});
  return json;
}

const char* kind_json(FusionVerdict::Kind kind) {
  switch (kind) {
    case FusionVerdict::Kind::one_kernel:
      return "one_kernel";
    case FusionVerdict::Kind::chain:
      return "chain";
    case FusionVerdict::Kind::useless:
      return "useless";
    case FusionVerdict::Kind::apart:
      return "apart";
  }
  return "";
}

OrderedJson verdict_json(const FusionVerdict& verdict) {
  OrderedJson json = {{"kind", kind_json(verdict.kind)}, {"carried", verdict.is_carried},
                      {"steps", verdict.steps},          {"turn", number_or_null(verdict.turn)},
                      {"bytes", verdict.bytes},          {"reason", verdict.reason},
                      {"where", OrderedJson::array()},   {"hint", verdict.hint}};
  for (const model::SourcePoint* where : {&verdict.first, &verdict.second})
    if (where->line != 0) json["where"].push_back(place_json({where->file, where->line}));
  return json;
}

OrderedJson sequence_json(const support::LaunchSequence& sequence,
                          const std::vector<ExplainedModule>& modules) {
  OrderedJson json = {{"function", sequence.function}, {"where", place_json(sequence.place)},
                      {"loops", OrderedJson::array()}, {"steps", OrderedJson::array()},
                      {"fresh", OrderedJson::array()}, {"derived", OrderedJson::array()},
                      {"apart", OrderedJson::array()}, {"neighbours", OrderedJson::array()}};
  for (const auto& loop : sequence.loops)
    json["loops"].push_back(
        {{"outer", number_or_null(loop.outer)}, {"where", place_json(loop.place)}});
  for (const auto& [one, other] : sequence.apart)
    json["apart"].push_back({"v" + std::to_string(one), "v" + std::to_string(other)});
  for (const support::LaunchStep& step : sequence.steps) json["steps"].push_back(step_json(step));
  for (const std::uint64_t value : sequence.fresh)
    json["fresh"].push_back("v" + std::to_string(value));
  for (const auto& derived : sequence.derived) {
    OrderedJson from = OrderedJson::array();
    for (const std::uint64_t value : derived.from) from.push_back("v" + std::to_string(value));
    json["derived"].push_back({{"value", "v" + std::to_string(derived.value)}, {"from", from}});
  }
  for (const support::Neighbours& pair : sequence.neighbours)
    json["neighbours"].push_back(pair_json(pair));
  json["fusion"] = OrderedJson::array();
  for (const FusionVerdict& verdict : fusion_verdicts(sequence, modules))
    json["fusion"].push_back(verdict_json(verdict));
  return json;
}

}  // namespace

OrderedJson sequences_json(const std::vector<ExplainedModule>& modules) {
  OrderedJson json = OrderedJson::array();
  for (const ExplainedModule& module : modules)
    for (const support::LaunchSequence& sequence : module.sequences)
      json.push_back(sequence_json(sequence, modules));
  return json;
}

}  // namespace gridspan::tools
