// Merging of models and CPU facts into one JSON text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/explained_json.h"

#include "model/text.h"

#include <nlohmann/json.hpp>

namespace gridspan::tools {
namespace {

using Json = nlohmann::ordered_json;

Json cpu_json(const CpuFacts& facts) {
  Json json{{"executor", facts.executor}};
  if (!facts.reason.empty()) json["reason"] = facts.reason;
  json["regions"] = facts.regions;
  if (!facts.cut_reason.empty()) json["cut_reason"] = facts.cut_reason;
  if (!facts.scalar_reasons.empty()) json["scalar_reasons"] = facts.scalar_reasons;
  if (!facts.steps.empty()) json["steps"] = facts.steps;
  if (facts.whole_warps) json["whole_warps"] = true;
  if (facts.joins_blocks) json["joins_blocks"] = true;
  if (facts.joins_rows) json["joins_rows"] = true;
  if (facts.has_distinct_form) json["has_distinct_form"] = true;
  if (facts.has_small_form) json["has_small_form"] = true;
  if (facts.row_length != 0) json["row_length"] = facts.row_length;
  if (!facts.launched_as.empty()) json["launched_as"] = facts.launched_as;
  if (!facts.linear_threads.empty()) json["linear_threads"] = facts.linear_threads;
  if (!facts.reads_through.empty()) json["reads_through"] = facts.reads_through;
  if (facts.launch_values != 0) json["launch_values"] = facts.launch_values;
  if (!facts.tuned.empty()) json["tuned"] = facts.tuned;
  if (facts.baseline_on_fibers) json["baseline_on_fibers"] = true;
  if (facts.tuning_is_stale) json["tuning_is_stale"] = true;
  if (facts.knows_gpu) json["ptx"] = facts.no_ptx.empty();
  if (!facts.no_ptx.empty()) json["no_ptx"] = facts.no_ptx;
  if (!facts.no_part.empty()) json["no_part"] = facts.no_part;
  if (!facts.packed.empty()) json["packed"] = facts.packed;
  if (!facts.no_packed.empty()) json["no_packed"] = facts.no_packed;
  json["block_barriers"] = facts.block_barriers;
  json["warp_operations"] = facts.warp_operations;
  json["static_shared"] = facts.static_shared;
  json["frame_bytes"] = facts.frame_bytes;
  return json;
}

model::Kernel without_model(const ExplainedKernel& explained) {
  model::Kernel kernel;
  kernel.name = explained.name;
  kernel.readable = explained.readable;
  kernel.rung_reason = "the object carries no model";
  if (explained.cpu) kernel.where = {explained.cpu->file, explained.cpu->line, 0};
  return kernel;
}

}  // namespace

std::string explained_json(const std::vector<ExplainedModule>& modules, const std::string& source) {
  model::Module merged;
  merged.source = source;
  std::vector<const CpuFacts*> facts;
  for (const ExplainedModule& module : modules)
    for (const ExplainedKernel& kernel : module.kernels) {
      merged.kernels.push_back(kernel.model ? *kernel.model : without_model(kernel));
      facts.push_back(kernel.cpu ? &*kernel.cpu : nullptr);
    }
  Json json = Json::parse(model::to_text(merged));
  for (std::size_t i = 0; i < facts.size(); ++i)
    if (facts[i]) json["kernels"][i]["cpu"] = cpu_json(*facts[i]);
  return json.dump(1) + "\n";
}

}  // namespace gridspan::tools
