// From plan to work.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/launcher.h"

#include "runtime/plan/plan_cost.h"
#include "support/log.h"

#include <algorithm>
#include <limits>

namespace gridspan::runtime {

using regions::Box;

const LaunchPlan& Launcher::cheapest(const LaunchPlans& plans, const KernelCommand& command) {
  const std::vector<LaunchPlan>& ways = plans.ways;
  const Policy& policy = coherence_.policy();
  if (ways.size() == 1) return ways.front();
  for (const LaunchPlan& way : ways) {
    for (const PartPlan& part : way.parts) {
      for (const BufferUse& use : part.uses) coherence_.see_as(*use.buffer, use.view);
    }
  }
  const LaunchPlan* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const LaunchPlan& way : ways) {
    if (way.rung == Rung::one_device) continue;
    const double idle = policy.weighs_work ? idle_bytes(way, ways) : 0;
    const double own = moving_cost(way, least - idle) + idle;
    if (own >= least) continue;
    best = &way;
    least = own;
  }
  const LaunchPlan& home = ways.back();
  if (home.rung != Rung::one_device || !policy.weighs_work) return *best;
  const double moves = moving_cost(*best) - moving_cost(home), saves = home.work - best->work;
  support::log(support::LogLevel::debug, "%s: to split moves %.0f bytes more, to save work on %.0f",
               command.kernel->name, moves, saves);
  return moves < saves ? *best : home;
}

void Launcher::launch(const std::shared_ptr<LaunchPlans>& plans, const KernelCommand& command) {
  if (const Recipe* known = find_recipe(*plans)) return launch_again(plans, *known, command);
  Recipe recipe;
  recipe.before = states(*plans);
  coherence_.record_copies(&recipe.copies);
  const LaunchPlan& plan = cheapest(*plans, command);
  tell(plan, command);
  if (plan.keeps_order) coherence_.fence();
  // All copies before all parts: what a part reads of another's writes is what stood there before.
  if (plan.touches_everything) prepare_everything();
  prepare(plan);
  push_parts(plan, command);
  for (const PartPlan& part : plan.parts) {
    for (const BufferUse& use : part.uses) {
      coherence_.own(*use.buffer, part.device, use.writes);
      use.buffer->pattern = std::shared_ptr<const LaunchPlan>(plans, &plan);
    }
  }
  coherence_.record_copies(nullptr);
  if (watcher_) watcher_->carried_out(plan, recipe.copies);
  bool gathered = false;
  for (VirtualBuffer* buffer : plans->buffers) gathered |= coherence_.settle(*buffer);
  if (plan.keeps_order) coherence_.fence();
  recipe.plan = &plan;
  recipe.after = states(*plans);
  if (plan.touches_everything || gathered || changes_a_view(recipe)) return;
  if (plans->recipes.size() >= most_recipes) plans->recipes.erase(plans->recipes.begin());
  plans->recipes.push_back(std::move(recipe));
}

/// The same launch over buffers in the same state as once before.
void Launcher::launch_again(const std::shared_ptr<LaunchPlans>& plans, const Recipe& recipe,
                            const KernelCommand& command) {
  const LaunchPlan& plan = *recipe.plan;
  tell(plan, command);
  if (plan.keeps_order) coherence_.fence();
  for (const CopyStep& step : recipe.copies) coherence_.push_copy(step);
  if (watcher_) watcher_->carried_out(plan, recipe.copies);
  push_parts(plan, command);
  for (std::size_t i = 0; i < plans->buffers.size(); ++i) {
    VirtualBuffer& buffer = *plans->buffers[i];
    buffer.holders = recipe.after[i];  // of the same view as before: equality said so
    if (buffer.pattern.get() != &plan) {
      buffer.pattern = std::shared_ptr<const LaunchPlan>(plans, &plan);
    }
  }
  if (plan.keeps_order) coherence_.fence();
}

Recipe::States Launcher::states(const LaunchPlans& plans) {
  Recipe::States states;
  for (const VirtualBuffer* buffer : plans.buffers) states.push_back(buffer->holders);
  return states;
}

/// Boxes mean something in one view only: what saw a buffer anew is not done again from notes.
bool Launcher::changes_a_view(const Recipe& recipe) {
  for (std::size_t i = 0; i < recipe.before.size(); ++i) {
    if (recipe.before[i].view() != recipe.after[i].view()) return true;
  }
  return false;
}

/// Maps that share their content are told to be equal at once, so this costs little.
const Recipe* Launcher::find_recipe(const LaunchPlans& plans) {
  for (const Recipe& recipe : plans.recipes) {
    bool same = true;
    for (std::size_t i = 0; i < plans.buffers.size() && same; ++i) {
      same = plans.buffers[i]->holders == recipe.before[i];
    }
    if (same) return &recipe;
  }
  return nullptr;
}

void Launcher::tell(const LaunchPlan& plan, const KernelCommand& command) {
  Traffic& traffic = coherence_.traffic();
  traffic.launches[static_cast<std::size_t>(plan.rung)].add(1);
  traffic.parts.add(plan.parts.size());
  if (!support::logs(support::LogLevel::debug)) return;
  support::log(support::LogLevel::debug, "%s runs in %zu parts, %s%s%s", command.kernel->name,
               plan.parts.size(), rung_name(plan.rung), plan.why.empty() ? "" : ": ",
               plan.why.c_str());
}

void Launcher::push_parts(const LaunchPlan& plan, const KernelCommand& command) {
  if (coherence_.fault().is_set()) return;
  for (const PartPlan& part : plan.parts) push_part(plan, part, command);
  shared_writes_.after(plan);
}

void Launcher::prepare_everything() {
  for (const auto& [base, buffer] : buffers_.all()) {
    const Box whole = buffer->whole();
    coherence_.make_current(*buffer, 0, {&whole, 1});
    coherence_.own(*buffer, 0, {&whole, 1});
  }
}

void Launcher::prepare(const LaunchPlan& plan) {
  for (const PartPlan& part : plan.parts) {
    for (const BufferUse& use : part.uses) {
      coherence_.see_as(*use.buffer, use.view);
      coherence_.make_current(*use.buffer, part.device, use.reads);
      if (use.merges.empty()) continue;
      coherence_.make_current(*use.buffer, merge_target(plan, use.buffer), use.merges);
    }
  }
  for (const PartPlan& part : plan.parts) {
    for (const PointerArgument& pointer : plan.pointers) {
      coherence_.memory(*pointer.buffer, part.device);
    }
  }
}

void Launcher::push_part(const LaunchPlan& plan, const PartPlan& part,
                         const KernelCommand& command) {
  const unsigned device = part.device;
  std::vector<Edge> edges;
  for (const BufferUse& use : part.uses) {
    coherence_.collect_before(*use.buffer, device, use.changed, Touch::write, edges);
  }
  shared_writes_.before(plan, part);
  auto work =
      std::make_unique<PartWork>(*coherence_.lane(device).device, coherence_.fault(), command);
  work->set_blocks(part.first_block, part.block_count);
  work->set_symbols(symbols_on(device, command.symbols));
  for (const PointerArgument& pointer : plan.pointers) {
    VirtualBuffer& buffer = *pointer.buffer;
    work->move_pointer(pointer.offset, coherence_.memory(buffer, device) - buffer.home());
  }
  const Ticket ticket = coherence_.push(device, std::move(work), edges);
  if (plan.touches_everything) {
    for (const auto& [base, buffer] : buffers_.all()) {
      const Box whole = buffer->whole();
      coherence_.note_write(*buffer, device, {&whole, 1}, ticket);
    }
  }
  for (const BufferUse& use : part.uses) {
    coherence_.note_write(*use.buffer, device, use.changed, ticket);
  }
}

void* const* Launcher::symbols_on(unsigned device, const SymbolTable& symbols) {
  if (device == 0 || symbols.count == 0) return symbols.addresses;
  auto& made = symbols_[device][symbols.addresses];
  if (made) return made.get();
  made = std::make_unique<void*[]>(symbols.count);
  for (std::uint32_t i = 0; i < symbols.count; ++i) {
    const auto home = reinterpret_cast<std::uintptr_t>(symbols.addresses[i]);
    VirtualBuffer* const buffer = buffers_.find(home);
    made[i] = symbols.addresses[i];
    if (!buffer || buffer->is_shared) continue;
    if (char* memory = coherence_.memory(*buffer, device)) {
      made[i] = memory + (home - buffer->allocation.base);
    }
  }
  return made.get();
}

void Launcher::forget_symbols() {
  for (SymbolTables& tables : symbols_) tables.clear();
}

}  // namespace gridspan::runtime
