// Reading facts and models out of containers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/explained.h"

#include "abi/relocatable.h"
#include "model/text.h"
#include "support/readable_name.h"
#include "support/take.h"
#include "tools/containers.h"
#include "tools/elf_sections.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace gridspan::tools {
namespace {

using Json = nlohmann::json;

std::string text(const Json& object, const char* key) {
  auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::vector<std::string> texts(const Json& list) {
  std::vector<std::string> texts;
  for (const Json& one : list)
    if (one.is_string()) texts.push_back(one.get<std::string>());
  return texts;
}

/// Not known where it is of no type that facts have.
support::FactValue fact_of(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_unsigned()) return json.get<std::uint64_t>();
  if (json.is_string()) return json.get<std::string>();
  if (json.is_array()) return texts(json);
  return {};
}

/// "gpu.x": x in the object "gpu". Facts that this version does not know are left out.
void read_facts(const Json& object, const std::string& prefix, support::KernelFacts& facts) {
  for (const auto& [key, value] : object.items()) {
    if (value.is_object()) {
      read_facts(value, prefix + key + ".", facts);
    } else if (const auto known = support::FactKey::named(prefix + key)) {
      facts.set(*known, fact_of(value));
    }
  }
}

/// Adds the models to the kernels of the same name; a kernel known to one side only is kept.
void add_models(model::Module&& models, ExplainedModule& module) {
  for (model::Kernel& kernel : models.kernels) {
    auto found = std::find_if(module.kernels.begin(), module.kernels.end(),
                              [&](const auto& known) { return known.name == kernel.name; });
    if (found == module.kernels.end()) {
      module.kernels.push_back({kernel.name, kernel.readable, std::nullopt, std::nullopt});
      found = module.kernels.end() - 1;
    }
    if (!kernel.readable.empty()) found->readable = kernel.readable;
    found->model = std::move(kernel);
  }
}

support::Result<ExplainedModule> read_module(isl::ctx context, const ContainerView& container,
                                             const std::string& origin) {
  ExplainedModule module;
  module.object = origin;
  Json facts = Json::parse(container.payload(abi::ContainerKind::facts), nullptr, false);
  if (facts.is_discarded() || !facts.is_object())
    return support::fail(origin + ": a container without readable facts");
  module.source = text(facts, "source");
  for (const Json& kernel : facts.value("kernels", Json::array())) {
    if (!kernel.is_object()) continue;
    support::KernelFacts known;
    read_facts(kernel, "", known);
    const std::string name = known.text("name");
    module.kernels.push_back({name, support::readable_name(name), std::move(known), std::nullopt});
  }
  auto sequences = support::parse_sequences(container.payload(abi::ContainerKind::sequences));
  if (!sequences) return support::fail(origin + ": " + sequences.error().message);
  module.sequences = std::move(*sequences);
  for (std::string_view lines = container.payload(abi::ContainerKind::fused); !lines.empty();) {
    auto fused = support::parse_fused_launches(support::take(lines, '\n'));
    if (!fused) return support::fail(origin + ": launches of a kernel that cannot be read");
    module.fused.push_back(std::move(*fused));
  }
  std::string_view payload = container.payload(abi::ContainerKind::model);
  if (payload.empty()) return module;
  auto models = model::from_text(context, payload);
  if (!models) return support::fail(origin + ": model: " + models.error().message);
  add_models(std::move(*models), module);
  return module;
}

}  // namespace

support::Result<std::vector<ExplainedModule>> read_explained(isl::ctx context,
                                                             const std::string& file) {
  auto sections = read_sections(file, abi::kernel_section);
  if (!sections) return support::fail(sections.error());
  auto relocatable = read_sections(file, abi::relocatable_section);
  if (sections->empty() && relocatable && !relocatable->empty())
    return support::fail(file + ": compiled with -rdc=true; its kernels are in the linked program");
  if (sections->empty())
    return support::fail(file + ": no CUDA code compiled by gridcc is in this file");
  std::vector<ExplainedModule> modules;
  for (const SectionContent& section : *sections) {
    auto containers = parse_containers(section.bytes);
    if (!containers) return support::fail(section.origin + ": " + containers.error().message);
    for (const ContainerView& container : *containers) {
      auto module = read_module(context, container, section.origin);
      if (!module) return support::fail(module.error());
      modules.push_back(std::move(*module));
    }
  }
  return modules;
}

}  // namespace gridspan::tools
