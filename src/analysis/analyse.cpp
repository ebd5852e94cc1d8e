// The analysis, told in order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/analyse.h"

#include "analysis/known_fits.h"
#include "analysis/prepare.h"
#include "analysis/relation.h"
#include "analysis/requirements.h"
#include "model/allowance.h"
#include "model/limits.h"
#include "model/prove.h"
#include "support/readable_name.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <utility>

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
  array.name = support::readable_name(array.symbol);
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
    kernel_.readable = support::readable_name(entry.name);
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
    model::prove(kernel_, limits_.proofs);
    kernel_.analysis_milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    return std::move(kernel_);
  }

 private:
  void describe_arrays() {
    Symbols symbols(kernel_, context_);
    add_launch_limits(symbols, kernel_);
    Evaluator evaluator(function_, symbols);
    Budget budget(context_, kernel_, limits_.work);
    budget.next_part();
    std::vector<RawAccess> found = find_accesses(function_, evaluator, budget, kernel_);
    AssumptionTable assumptions(evaluator, symbols, kernel_);
    std::map<Base, std::vector<const RawAccess*>> by_array;
    std::vector<Base> order;
    for (const RawAccess& access : found) {
      if (!by_array.contains(access.base)) order.push_back(access.base);
      by_array[access.base].push_back(&access);
    }
    KnownFits known;
    kernel_.arrays.resize(order.size());
    std::size_t to_do = order.size();
    for (int now : {0, 1, 2})
      for (std::size_t i = 0; i < order.size(); ++i) {
        const std::vector<const RawAccess*>& accesses = by_array[order[i]];
        if (turn(accesses) != now) continue;
        budget.next_part(--to_do == 0);
        kernel_.arrays[i] = describe(order[i], *accesses[0]);
        describe_accesses(accesses, symbols, assumptions, budget, known, kernel_.arrays[i]);
      }
  }

  /// What is written matters most, what only one block sees least.
  static int turn(const std::vector<const RawAccess*>& accesses) {
    if (accesses[0]->is_shared) return 2;
    const bool is_read = std::ranges::all_of(
        accesses, [](const RawAccess* access) { return access->kind == model::AccessKind::read; });
    return is_read ? 1 : 0;
  }

  void describe_accesses(const std::vector<const RawAccess*>& accesses, Symbols& symbols,
                         AssumptionTable& assumptions, Budget& budget, KnownFits& known,
                         model::Array& array) {
    Shape shape = find_shape(accesses, symbols, budget, known);
    array.element_bytes = shape.element_bytes;
    array.extents = shape.extents;
    for (std::size_t i = 0; i < accesses.size(); ++i) {
      const RawAccess& raw = *accesses[i];
      model::Access access;
      bool relies = false;
      const bool complete = budget.allows([&] {
        relies = build_relation(raw, shape.accesses[i], shape, symbols, access);
      }) && (!relies || rely_on(raw, shape.accesses[i], assumptions, budget, array.name, access));
      if (!complete) leave_unbounded(raw, shape, symbols, access);
      if (complete && raw.kind != model::AccessKind::read)
        known.rely_on(shape.accesses[i].assumptions);
      array.accesses.push_back(std::move(access));
    }
  }

  /// Finds the assumptions of an access. False when that takes too long; nor is it tried again for
  /// an access that relies on as much.
  bool rely_on(const RawAccess& raw, const ShapedAccess& shaped, AssumptionTable& assumptions,
               Budget& budget, const std::string& array, model::Access& access) {
    if (std::ranges::any_of(
            too_much_, [&](const Uses& uses) { return std::ranges::includes(raw.uses, uses); }))
      return false;
    const bool done = budget.allows([&] {
      std::vector<unsigned> used = assumptions.assumptions_of(raw.uses);
      for (const isl::set& condition : shaped.assumptions)
        used.push_back(assumptions.add(
            condition,
            "subscripts of '" + array + "' stay within their rows: " + condition_text(condition),
            raw.where));
      std::ranges::sort(used);
      used.erase(std::ranges::unique(used).begin(), used.end());
      access.assumptions = std::move(used);
    });
    if (!done) too_much_.push_back(raw.uses);
    return done;
  }

  Function& function_;
  isl::ctx context_;
  const Limits& limits_;
  model::Kernel kernel_;
  std::vector<Uses> too_much_;  // requirements, the proof of which took too long
};

/// Nothing for a kernel on which the analysis breaks down: an error of ours, told on stderr.
std::optional<model::Kernel> try_kernel(Function& function, const KernelEntry& entry,
                                        isl::ctx context, const Limits& limits) {
  try {
    return KernelAnalysis(function, entry, context, limits).run();
  } catch (const std::exception& error) {
    errs() << "gridcc: internal error in the model of kernel '"
           << support::readable_name(entry.name) << "': " << error.what()
           << "; please report it; the compiler goes on without\n";
    isl_ctx_reset_error(context.get());
    return std::nullopt;
  }
}

Limits share(const Limits& limits, model::Allowance& allowance) {
  Limits now = limits;
  now.work = allowance.share(limits.work);
  now.proofs.question = allowance.share(limits.proofs.question);
  now.proofs.kernel = allowance.share(limits.proofs.kernel);
  return now;
}

}  // namespace

std::vector<model::Kernel> analyse(const Module& module, const std::vector<KernelEntry>& kernels,
                                   isl::ctx context, const Limits& limits,
                                   std::vector<std::string>* short_of_work) {
  std::unique_ptr<Module> copy = CloneModule(module);
  prepare(*copy);
  std::vector<model::Kernel> models;
  model::Allowance allowance(model::module_work(kernels.size()));
  unsigned long done = model::operations_done(context);
  for (const KernelEntry& entry : kernels) {
    Function* function = copy->getFunction(entry.name);
    if (!function || function->isDeclaration()) continue;
    std::optional<model::Kernel> kernel =
        try_kernel(*function, entry, context, share(limits, allowance));
    const unsigned long before = std::exchange(done, model::operations_done(context, done));
    if (!kernel) continue;
    if (allowance.has_given_less() && short_of_work) short_of_work->push_back(kernel->name);
    allowance.spend((done - before) * model::weight_of(*kernel));
    models.push_back(std::move(*kernel));
  }
  return models;
}

}  // namespace gridspan::analysis
