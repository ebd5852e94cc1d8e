// Reading facts and models out of containers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/explained.h"

#include "abi/relocatable.h"
#include "model/text.h"
#include "support/readable_name.h"
#include "tools/containers.h"
#include "tools/elf_sections.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace gridspan::tools {
namespace {

using Json = nlohmann::json;

unsigned number(const Json& kernel, const char* key) {
  auto found = kernel.find(key);
  if (found == kernel.end() || !found->is_number_unsigned()) return 0;
  return static_cast<unsigned>(
      std::min<std::uint64_t>(found->get<std::uint64_t>(), std::numeric_limits<unsigned>::max()));
}

std::string text(const Json& object, const char* key) {
  auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

CpuFacts read_facts(const Json& kernel) {
  CpuFacts facts;
  facts.name = text(kernel, "name");
  facts.file = text(kernel, "file");
  facts.executor = text(kernel, "executor");
  facts.reason = text(kernel, "reason");
  facts.cut_reason = text(kernel, "cut_reason");
  for (const Json& one : kernel.value("steps", Json::array()))
    if (one.is_string()) facts.steps.push_back(one.get<std::string>());
  for (const Json& one : kernel.value("scalar_reasons", Json::array()))
    if (one.is_string()) facts.scalar_reasons.push_back(one.get<std::string>());
  facts.whole_warps = kernel.value("whole_warps", false);
  facts.joins_blocks = kernel.value("joins_blocks", false);
  facts.joins_rows = kernel.value("joins_rows", false);
  facts.has_distinct_form = kernel.value("has_distinct_form", false);
  facts.has_small_form = kernel.value("has_small_form", false);
  facts.reads_through = text(kernel, "reads_through");
  facts.row_length = kernel.value("row_length", 0);
  facts.launched_as = kernel.value("launched_as", "");
  facts.linear_threads = text(kernel, "linear_threads");
  facts.launch_values = kernel.value("launch_values", 0);
  facts.tuned = text(kernel, "tuned");
  facts.baseline_on_fibers = kernel.value("baseline_on_fibers", false);
  facts.tuning_is_stale = kernel.value("tuning_is_stale", false);
  if (const auto gpu = kernel.find("gpu"); gpu != kernel.end() && gpu->is_object()) {
    facts.knows_gpu = true;
    facts.no_ptx = text(*gpu, "reason");
    facts.no_part = text(*gpu, "part_reason");
    facts.no_packed = text(*gpu, "packed_reason");
    for (const Json& one : gpu->value("packed", Json::array()))
      if (one.is_string()) facts.packed.push_back(one.get<std::string>());
  }
  facts.line = number(kernel, "line");
  facts.regions = number(kernel, "regions");
  facts.block_barriers = number(kernel, "block_barriers");
  facts.warp_operations = number(kernel, "warp_operations");
  facts.static_shared = number(kernel, "static_shared");
  facts.frame_bytes = number(kernel, "frame_bytes");
  facts.parameters = number(kernel, "parameters");
  return facts;
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
    CpuFacts cpu = read_facts(kernel);
    module.kernels.push_back({cpu.name, support::readable_name(cpu.name), cpu, std::nullopt});
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
