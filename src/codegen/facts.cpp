// Facts about kernels in JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/facts.h"

#include "transforms/known_shape.h"

#include "llvm/Support/JSON.h"

namespace gridspan::codegen {

using llvm::json::Object;

static std::int64_t number(std::uint64_t value) { return static_cast<std::int64_t>(value); }

/// "16 x 16"
static std::string shape(const std::array<std::uint32_t, 3>& block) {
  std::string text = std::to_string(block[0]) + " x " + std::to_string(block[1]);
  return block[2] > 1 ? text + " x " + std::to_string(block[2]) : text;
}

/// "a.cu:12: reads elements that other lanes write at a.cu:11"
static std::string step_text(const transforms::WarpStep& step) {
  return to_string(step.where) + ": " + (step.reads ? "reads" : "overwrites") +
         " elements that other lanes " + (step.read_before ? "read" : "write") + " at " +
         to_string(step.before);
}

static Object kernel_facts(const KernelCode& kernel) {
  Object facts{{"name", kernel.name},
               {"file", kernel.where.file},
               {"line", kernel.where.line},
               {"executor", kernel.fiber_reason ? "fibers" : "regions"},
               {"regions", number(kernel.regions.regions.size())},
               {"block_barriers", kernel.block_barriers},
               {"warp_operations", kernel.warp_operations},
               {"static_shared", number(kernel.static_shared)},
               {"frame_bytes", number(kernel.regions.frame_bytes)},
               {"parameters", number(kernel.parameters.size())}};
  if (!kernel.vector_math.empty()) facts["vector_math"] = llvm::json::Array(kernel.vector_math);
  if (const auto& reason = kernel.regions.why_cut)
    facts["cut_reason"] = to_string(reason->where) + ": " + reason->text;
  if (!kernel.steps.empty()) {
    llvm::json::Array steps;
    for (const transforms::WarpStep& step : kernel.steps) {
      std::string text = step_text(step);
      if (!llvm::is_contained(steps, llvm::json::Value(text))) steps.push_back(std::move(text));
    }
    facts["steps"] = std::move(steps);
  }
  if (!kernel.scalar_reasons.empty())
    facts["scalar_reasons"] = llvm::json::Array(kernel.scalar_reasons);
  for (const transforms::FormCode& form : kernel.regions.forms) {
    if ((form.needs & abi::needs_whole_warps) != 0) facts["whole_warps"] = true;
    if (form.linear) {
      facts["linear_threads"] = form.block[0] != 0 ? shape(form.block) : "any";
      continue;
    }
    const bool is_shaped = form.block != std::array<std::uint32_t, 3>{};
    const bool is_distinct = (form.needs & abi::needs_distinct_arguments) != 0;
    if (is_shaped && is_distinct) facts["reads_through"] = shape(form.block);
    const bool is_whole = transforms::is_launched_shape(form.block);
    if (is_shaped && !is_distinct && !is_whole) facts["row_length"] = form.block[0];
    if (is_shaped && !is_distinct && is_whole) facts["launched_as"] = shape(form.block);
    if (is_distinct && !is_shaped) facts["has_distinct_form"] = true;
    if ((form.needs & abi::needs_small_arguments) != 0) facts["has_small_form"] = true;
    if (form.joined.threads != 0) facts["joins_blocks"] = true;
    if (form.joined.rows != 0) facts["joins_rows"] = true;
  }
  if (kernel.launch_values != 0) facts["launch_values"] = kernel.launch_values;
  if (kernel.baseline_on_fibers) facts["baseline_on_fibers"] = true;
  if (kernel.tuned) facts["tuned"] = describe(kernel.tuned->settings);
  if (kernel.tuning_is_stale) facts["tuning_is_stale"] = true;
  if (kernel.fiber_reason)
    facts["reason"] = to_string(kernel.fiber_reason->where) + ": " + kernel.fiber_reason->text;
  return facts;
}

static Object gpu_facts(const std::string& kernel, const PtxCode& ptx) {
  const auto reason = ptx.left_out.find(kernel);
  if (reason != ptx.left_out.end()) return Object{{"ptx", false}, {"reason", reason->second}};
  Object facts{{"ptx", true}};
  if (const auto whole = ptx.undivided.find(kernel); whole != ptx.undivided.end())
    facts["part_reason"] = whole->second;
  if (const auto packed = ptx.packed.find(kernel); packed != ptx.packed.end())
    facts["packed"] = llvm::json::Array(packed->second);
  if (const auto unpacked = ptx.unpacked.find(kernel); unpacked != ptx.unpacked.end())
    facts["packed_reason"] = unpacked->second;
  return facts;
}

std::string facts_json(llvm::StringRef source, const std::vector<KernelCode>& kernels,
                       const PtxCode* ptx) {
  llvm::json::Array list;
  for (const KernelCode& kernel : kernels) {
    Object facts = kernel_facts(kernel);
    if (ptx) facts["gpu"] = gpu_facts(kernel.name, *ptx);
    list.push_back(std::move(facts));
  }
  llvm::json::Value root = Object{{"source", source}, {"kernels", std::move(list)}};
  std::string text;
  llvm::raw_string_ostream(text) << root;
  return text;
}

}  // namespace gridspan::codegen
