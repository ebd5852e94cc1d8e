// The analysis, told in order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/analyse.h"

#include "analysis/prepare.h"
#include "analysis/relation.h"
#include "analysis/requirements.h"
#include "model/prove.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <algorithm>
#include <chrono>
#include <numeric>

namespace gridspan::analysis {

using namespace llvm;

model::SourcePoint source_point(const DebugLoc& location) {
  if (!location) return {};
  return {location->getFilename().str(), location.getLine(), location.getCol()};
}

model::SourcePoint source_point(const Instruction& instruction) {
  return source_point(instruction.getDebugLoc());
}

namespace {

constexpr unsigned long proof_operations = 4'000'000;  // a kernel, roughly
constexpr long max_block[] = {1024, 1024, 64};
constexpr long max_grid[] = {2147483647, 65535, 65535};

/// What CUDA promises of every launch.
void add_launch_limits(Symbols& symbols, model::Kernel& kernel) {
  auto between = [&](const std::string& name, long most) {
    kernel.context = kernel.context.intersect(symbols.value(name).ge_set(symbols.constant(1)))
                         .intersect(symbols.value(name).le_set(symbols.constant(most)));
  };
  for (unsigned axis = 0; axis < 3; ++axis) {
    between(symbols.grid_dim(axis), max_grid[axis]);
    between(symbols.block_dim(axis), max_block[axis]);
    symbols.block_index(axis);
    symbols.thread_index(axis);
  }
}

model::Array describe(const Base& base, const RawAccess& access) {
  model::Array array;
  array.element_type = access.type;
  if (base.kind == Base::Kind::argument) {
    array.argument = static_cast<int>(base.argument);
    array.offset = base.offset;
    auto* argument = cast<Argument>(base.value);
    array.name = argument->hasName() ? argument->getName().str()
                                     : "argument " + std::to_string(base.argument);
    if (argument->hasByValAttr()) array.name += "+" + std::to_string(base.offset);
    return array;
  }
  auto* variable = cast<GlobalVariable>(base.value);
  array.symbol = variable->getName().str();
  array.name = demangle(array.symbol);
  array.space = variable->getAddressSpace() == 3   ? model::AddressSpace::shared
                : variable->getAddressSpace() == 4 ? model::AddressSpace::constant
                                                   : model::AddressSpace::global;
  return array;
}

class KernelAnalysis {
 public:
  KernelAnalysis(Function& function, const KernelEntry& entry, isl::ctx context,
                 const Limits& limits)
      : function_(function), context_(context), limits_(limits) {
    kernel_.name = entry.name;
    kernel_.readable = demangle(entry.name);
    kernel_.max_threads = entry.max_threads;
    kernel_.min_blocks = entry.min_blocks;
    kernel_.context = isl::set(context, "{ : }");
    if (const DISubprogram* program = function.getSubprogram())
      kernel_.where = {program->getFilename().str(), program->getLine(), 0};
    for (const Argument& argument : function.args()) {
      kernel_.argument_names.push_back(argument.getName().str());
      std::string type;
      raw_string_ostream(type) << *(argument.hasByValAttr() ? argument.getParamByValType()
                                                            : argument.getType());
      kernel_.argument_types.push_back(type);
    }
  }

  model::Kernel run() {
    auto begin = std::chrono::steady_clock::now();
    describe_arrays();
    model::prove(kernel_, proof_limits());
    forbid_splits();
    kernel_.analysis_milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    return std::move(kernel_);
  }

 private:
  void describe_arrays() {
    Symbols symbols(kernel_, context_);
    add_launch_limits(symbols, kernel_);
    Evaluator evaluator(function_, symbols);
    if (!evaluator.is_reducible()) return give_up("control flow with a jump into a loop");
    std::vector<RawAccess> found;
    bool complete = model::within_limit(context_, limits_.operations, [&] {
      found = find_accesses(function_, evaluator, kernel_);
    });
    if (!complete) return give_up("the kernel is too complex for the limits of the analysis");
    AssumptionTable assumptions(evaluator, symbols, kernel_);
    std::map<Base, std::vector<const RawAccess*>> by_array;
    std::vector<Base> order;
    for (const RawAccess& access : found) {
      if (!by_array.contains(access.base)) order.push_back(access.base);
      by_array[access.base].push_back(&access);
    }
    unsigned long limit = limits_.operations;
    for (const Base& base : order) {
      std::size_t arrays = kernel_.arrays.size();
      complete = model::within_limit(
          context_, limit, [&] { describe_array(base, by_array[base], symbols, assumptions); });
      if (complete) continue;
      limit = std::max(limit / 2, limits_.operations / 16);  // bounds the time of the whole kernel
      kernel_.arrays.resize(arrays);
      leave_unbounded(base, by_array[base]);
    }
  }

  /// The limit was reached within this array: any of it may be touched.
  void leave_unbounded(const Base& base, const std::vector<const RawAccess*>& accesses) {
    model::Array array = describe(base, *accesses[0]);
    for (const RawAccess* raw : accesses) {
      array.element_bytes = std::gcd(array.accesses.empty() ? 0 : array.element_bytes, raw->bytes);
      model::Access access;
      describe_access(*raw, access);
      access.unbounded = true;
      access.reason = "subscripts too complex for the limits of the analysis";
      access.reason_where = raw->where;
      array.accesses.push_back(std::move(access));
    }
    kernel_.arrays.push_back(std::move(array));
  }

  void describe_array(const Base& base, const std::vector<const RawAccess*>& accesses,
                      Symbols& symbols, AssumptionTable& assumptions) {
    model::Array array = describe(base, *accesses[0]);
    Shape shape = find_shape(accesses, symbols, kernel_);
    array.element_bytes = shape.element_bytes;
    array.extents = shape.extents;
    for (std::size_t i = 0; i < accesses.size(); ++i) {
      model::Access access;
      build_relation(*accesses[i], shape.accesses[i], shape, symbols, access);
      std::set<unsigned> used;
      for (unsigned assumption : assumptions.assumptions_of(accesses[i]->uses))
        used.insert(assumption);
      for (const ShapeAssumption& assumption : shape.accesses[i].assumptions)
        used.insert(assumptions.add(
            assumption.condition,
            "subscripts of '" + array.name + "' stay within their rows: " + assumption.text,
            accesses[i]->where));
      if (!access.unbounded) access.assumptions.assign(used.begin(), used.end());
      array.accesses.push_back(std::move(access));
    }
    kernel_.arrays.push_back(std::move(array));
  }

  /// Less for each question where there are many.
  model::ProofLimits proof_limits() const {
    model::ProofLimits limits;
    unsigned long accesses = 1;
    for (const model::Array& array : kernel_.arrays)
      if (array.space != model::AddressSpace::shared) accesses += array.accesses.size();
    limits.operations = std::clamp(proof_operations / accesses, 10'000UL, limits.operations);
    return limits;
  }

  /// Memory that no array stands for may be written by every block.
  void forbid_splits() {
    for (const model::Remark& remark : kernel_.remarks) {
      switch (remark.obstacle) {
        case model::Obstacle::loaded_pointer:
        case model::Obstacle::unknown_pointer:
        case model::Obstacle::call:
        case model::Obstacle::assembly:
        case model::Obstacle::device_malloc:
        case model::Obstacle::grid_barrier:
        case model::Obstacle::too_complex:
          break;
        default:
          continue;
      }
      for (model::AxisSplit& axis : kernel_.axes) {
        axis.legal = isl::set::empty(kernel_.context.space());
        axis.reason = remark.text;
        axis.reason_where = remark.where;
        axis.cost.clear();
      }
      kernel_.suggested_axis = -1;
      kernel_.rung = model::Rung::one_device;
      kernel_.rung_reason = remark.text;
      return;
    }
  }

  /// Nothing is claimed: whatever was found so far might be incomplete.
  void give_up(const std::string& reason) {
    kernel_.arrays.clear();
    kernel_.assumptions.clear();
    kernel_.remarks.push_back({model::Obstacle::too_complex, kernel_.where, reason});
  }

  Function& function_;
  isl::ctx context_;
  const Limits& limits_;
  model::Kernel kernel_;
};

}  // namespace

std::vector<model::Kernel> analyse(const Module& module, const std::vector<KernelEntry>& kernels,
                                   isl::ctx context, const Limits& limits) {
  std::unique_ptr<Module> copy = CloneModule(module);
  prepare(*copy);
  std::vector<model::Kernel> models;
  for (const KernelEntry& entry : kernels)
    if (Function* function = copy->getFunction(entry.name); function && !function->isDeclaration())
      models.push_back(KernelAnalysis(*function, entry, context, limits).run());
  return models;
}

}  // namespace gridspan::analysis
