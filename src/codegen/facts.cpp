// Facts about kernels in JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/facts.h"

#include "transforms/known_shape.h"

#include "llvm/Support/JSON.h"

namespace gridspan::codegen {

using llvm::json::Object;
using support::KernelFacts;

/// "16 x 16"
static std::string shape(const std::array<std::uint32_t, 3>& block) {
  std::string text = std::to_string(block[0]) + " x " + std::to_string(block[1]);
  return block[2] > 1 ? text + " x " + std::to_string(block[2]) : text;
}

/// "a.cu:12: reads elements that other lanes write at a.cu:11", or "may read" them
static std::string step_text(const transforms::WarpStep& step) {
  const char* const does = step.is_certain ? (step.reads ? ": reads" : ": overwrites")
                                           : (step.reads ? ": may read" : ": may overwrite");
  return to_string(step.where) + does + " elements that other lanes " +
         (step.read_before ? "read" : "write") + " at " + to_string(step.before);
}

/// A list without repetitions.
static std::vector<std::string> step_texts(const std::vector<transforms::WarpStep>& steps) {
  std::vector<std::string> texts;
  for (const transforms::WarpStep& step : steps)
    if (std::string text = step_text(step); !llvm::is_contained(texts, text))
      texts.push_back(std::move(text));
  return texts;
}

static std::string reason_text(const transforms::SourceLine& where, const std::string& text) {
  return to_string(where) + ": " + text;
}

static void add_form(const transforms::FormCode& form, KernelFacts& facts) {
  if ((form.needs & abi::needs_whole_warps) != 0) facts.set("whole_warps", true);
  if (form.linear)
    return facts.set("linear_threads", form.block[0] != 0 ? shape(form.block) : "any");
  const bool is_shaped = form.block != std::array<std::uint32_t, 3>{};
  const bool is_distinct = (form.needs & abi::needs_distinct_arguments) != 0;
  if (is_shaped && is_distinct) facts.set("reads_through", shape(form.block));
  const bool is_whole = transforms::is_launched_shape(form.block);
  if (is_shaped && !is_distinct && !is_whole) facts.set("row_length", std::uint64_t{form.block[0]});
  if (is_shaped && !is_distinct && is_whole) facts.set("launched_as", shape(form.block));
  if (is_distinct && !is_shaped) facts.set("has_distinct_form", true);
  if ((form.needs & abi::needs_small_arguments) != 0) facts.set("has_small_form", true);
  if (form.joined.threads != 0) facts.set("joins_blocks", true);
  if (form.joined.rows != 0) facts.set("joins_rows", true);
}

static KernelFacts kernel_facts(const KernelCode& kernel) {
  KernelFacts facts;
  facts.set("name", kernel.name);
  facts.set("file", kernel.where.file);
  facts.set("line", std::uint64_t{kernel.where.line});
  facts.set("executor", std::string(kernel.fiber_reason ? "fibers" : "regions"));
  facts.set("regions", std::uint64_t{kernel.regions.regions.size()});
  if (const auto& loop = kernel.waiting_loop; loop && !kernel.fiber_reason)
    facts.set("waiting_loop", reason_text(loop->where, loop->text));
  facts.set("block_barriers", std::uint64_t{kernel.block_barriers});
  facts.set("warp_operations", std::uint64_t{kernel.warp_operations});
  facts.set("static_shared", kernel.static_shared);
  facts.set("frame_bytes", std::uint64_t{kernel.regions.frame_bytes});
  facts.set("parameters", std::uint64_t{kernel.parameters.size()});
  if (!kernel.vector_math.empty()) facts.set("vector_math", kernel.vector_math);
  if (const auto& reason = kernel.regions.why_cut)
    facts.set("cut_reason", reason_text(reason->where, reason->text));
  if (!kernel.steps.empty()) facts.set("steps", step_texts(kernel.steps));
  if (!kernel.scalar_reasons.empty()) facts.set("scalar_reasons", kernel.scalar_reasons);
  if (kernel.own_tiles) facts.set("own_tiles", to_string(*kernel.own_tiles));
  if (kernel.regions.has_grid_rounds) facts.set("grid_rounds", true);
  for (const transforms::FormCode& form : kernel.regions.forms) add_form(form, facts);
  if (kernel.launch_values != 0) facts.set("launch_values", std::uint64_t{kernel.launch_values});
  if (kernel.baseline_on_fibers) facts.set("baseline_on_fibers", true);
  if (kernel.tuned) facts.set("tuned", describe(kernel.tuned->settings));
  if (kernel.tuning_is_stale) facts.set("tuning_is_stale", true);
  if (const auto& reason = kernel.fiber_reason)
    facts.set("reason", reason_text(reason->where, reason->text));
  return facts;
}

static void add_gpu(const std::string& kernel, const PtxCode& ptx, KernelFacts& facts) {
  const auto reason = ptx.left_out.find(kernel);
  facts.set("gpu.ptx", reason == ptx.left_out.end());
  if (reason != ptx.left_out.end()) return facts.set("gpu.reason", reason->second);
  if (const auto earlier = ptx.earlier.find(kernel); earlier != ptx.earlier.end())
    facts.set("gpu.earlier_reason", earlier->second);
  if (const auto whole = ptx.undivided.find(kernel); whole != ptx.undivided.end())
    facts.set("gpu.part_reason", whole->second);
  if (const auto packed = ptx.packed.find(kernel); packed != ptx.packed.end())
    facts.set("gpu.packed", packed->second);
  if (const auto unpacked = ptx.unpacked.find(kernel); unpacked != ptx.unpacked.end())
    facts.set("gpu.packed_reason", unpacked->second);
}

static llvm::json::Value value_json(const support::FactValue& value) {
  return std::visit(
      [](const auto& known) -> llvm::json::Value {
        using Known = std::decay_t<decltype(known)>;
        if constexpr (std::is_same_v<Known, std::monostate>)
          return nullptr;
        else if constexpr (std::is_same_v<Known, std::vector<std::string>>)
          return llvm::json::Array(known);
        else
          return known;
      },
      value);
}

/// "gpu.x" goes into an object "gpu".
static Object facts_object(const KernelFacts& facts) {
  Object object;
  for (std::size_t i = 0; i < support::fact_count; ++i) {
    const support::FactKey key(i);
    if (!facts.has(key)) continue;
    const auto [outer, inner] = llvm::StringRef(key.fact().key).split('.');
    llvm::json::Value& place = object[outer];
    if (inner.empty()) {
      place = value_json(facts.value(key));
      continue;
    }
    if (!place.getAsObject()) place = Object();
    (*place.getAsObject())[inner] = value_json(facts.value(key));
  }
  return object;
}

std::string facts_json(llvm::StringRef source, const std::vector<KernelCode>& kernels,
                       const PtxCode* ptx, const std::map<std::string, KernelFacts>& findings) {
  llvm::json::Array list;
  for (const KernelCode& kernel : kernels) {
    if (kernel.fused) continue;
    KernelFacts facts = kernel_facts(kernel);
    if (ptx) add_gpu(kernel.name, *ptx, facts);
    if (const auto more = findings.find(kernel.name); more != findings.end())
      facts.add(more->second);
    list.push_back(facts_object(facts));
  }
  llvm::json::Value root = Object{{"source", source}, {"kernels", std::move(list)}};
  std::string text;
  llvm::raw_string_ostream(text) << root;
  return text;
}

}  // namespace gridspan::codegen
