// Carries out launch plans: copies first, then the parts, then who owns what.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/plan/buffer_table.h"
#include "runtime/plan/coherence.h"
#include "runtime/plan/launch_plan.h"
#include "runtime/plan/launch_watcher.h"
#include "runtime/plan/shared_writes.h"

#include <memory>
#include <unordered_map>
#include <vector>

namespace gridspan::runtime {

class Launcher {
 public:
  Launcher(Coherence& coherence, BufferTable& buffers)
      : coherence_(coherence), buffers_(buffers), symbols_(coherence.devices()) {}

  /// Carries out the plan that moves least.
  void launch(const std::shared_ptr<LaunchPlans>& plans, const KernelCommand& command);

  /// Tells `watcher` of every launch from now on.
  void watch(LaunchWatcher* watcher) { watcher_ = watcher; }

  /// Buffers went away: tables of variables' addresses are made anew.
  void forget_symbols();

 private:
  using SymbolTables = std::unordered_map<void* const*, std::unique_ptr<void*[]>>;

  static constexpr std::size_t most_recipes = 8;

  void launch_again(const std::shared_ptr<LaunchPlans>& plans, const Recipe& recipe,
                    const KernelCommand& command);
  static Recipe::States states(const LaunchPlans& plans);
  static bool changes_a_view(const Recipe& recipe);
  static const Recipe* find_recipe(const LaunchPlans& plans);
  void tell(const LaunchPlan& plan, const KernelCommand& command);
  const LaunchPlan& cheapest(const LaunchPlans& plans, const KernelCommand& command);
  void prepare(const LaunchPlan& plan);
  void push_parts(const LaunchPlan& plan, const KernelCommand& command);
  void prepare_everything();
  void push_part(const LaunchPlan& plan, const PartPlan& part, const KernelCommand& command);
  void* const* symbols_on(unsigned device, const SymbolTable& symbols);

  Coherence& coherence_;
  BufferTable& buffers_;
  SharedWrites shared_writes_{coherence_};
  LaunchWatcher* watcher_ = nullptr;
  std::vector<SymbolTables> symbols_;  // by device: home table -> the device's
};

}  // namespace gridspan::runtime
