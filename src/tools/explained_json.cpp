// Merging of models and CPU facts into one JSON text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/explained_json.h"

#include "model/text.h"
#include "tools/phrases.h"
#include "tools/sequence_json.h"

#include <nlohmann/json.hpp>

namespace gridspan::tools {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson value_json(const support::FactValue& value) {
  return std::visit(
      [](const auto& known) -> OrderedJson {
        if constexpr (std::is_same_v<std::decay_t<decltype(known)>, std::monostate>)
          return nullptr;
        else
          return known;
      },
      value);
}

/// Without what is empty.
bool is_empty_text(const OrderedJson& value) {
  return value.is_string() && value.get_ref<const std::string&>().empty();
}

OrderedJson cpu_json(const support::KernelFacts& facts) {
  OrderedJson json = OrderedJson::object();
  for (std::size_t i = 0; i < support::fact_count; ++i) {
    const support::FactKey key(i);
    OrderedJson value = value_json(facts.value(key));
    const bool is_empty =
        value.is_null() || is_empty_text(value) || (value.is_array() && value.empty());
    if (!key.fact().shown.empty() && !is_empty)
      json[std::string(key.fact().shown)] = std::move(value);
  }
  return json;
}

model::Kernel without_model(const ExplainedKernel& explained) {
  model::Kernel kernel;
  kernel.name = explained.name;
  kernel.readable = explained.readable;
  kernel.rung_reason = "the object carries no model";
  if (explained.cpu) kernel.where = place_of(explained);
  return kernel;
}

}  // namespace

std::string explained_json(const std::vector<ExplainedModule>& modules, const std::string& source) {
  model::Module merged;
  merged.source = source;
  std::vector<const support::KernelFacts*> facts;
  for (const ExplainedModule& module : modules)
    for (const ExplainedKernel& kernel : module.kernels) {
      merged.kernels.push_back(kernel.model ? *kernel.model : without_model(kernel));
      facts.push_back(kernel.cpu ? &*kernel.cpu : nullptr);
    }
  OrderedJson json = OrderedJson::parse(model::to_text(merged));
  for (std::size_t i = 0; i < facts.size(); ++i)
    if (facts[i]) json["kernels"][i]["cpu"] = cpu_json(*facts[i]);
  if (OrderedJson sequences = sequences_json(modules); !sequences.empty())
    json["sequences"] = std::move(sequences);
  return json.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace gridspan::tools
