// Looks groups up, plans those that come again, runs and times them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/chainer.h"

#include "runtime/fuse/memory_images.h"
#include "runtime/fuse/move_kernels.h"
#include "runtime/fuse/refusal.h"
#include "support/log.h"
#include "support/readable_name.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstring>
#include <deque>
#include <memory>
#include <new>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

namespace gridspan::runtime::fuse {

namespace {

/// Launches of fewer threads do not take as long as a step costs, or touch too little.
constexpr std::uint64_t least_threads = 1 << 15;
/// Where nothing repeats within the window, its length is one of these: a length of its own for
/// each window would be a group of its own, planned and tried for itself.
constexpr std::array<std::size_t, 5> usual_sizes = {8, 6, 4, 3, 2};
/// Sequences remembered. More than so many at a time do not repeat.
constexpr std::size_t most_known = 256;

/// Of a copy or fill, as many as a kernel would have for it.
std::uint64_t threads_of(const KernelCommand& command) {
  if (const auto bytes = moved_bytes(command)) return *bytes / sizeof(float);
  const auto& [grid, block, shared] = command.shape;
  return std::uint64_t{grid.x} * grid.y * grid.z * block.x * block.y * block.z;
}

/// Of all that its arguments point to.
std::uint64_t bytes_in_reach(const KernelCommand& launch, const AllocationTable& allocations) {
  const abi::KernelModel* const model = launch.kernel->model;
  std::uint64_t bytes = 0;
  for (std::uint32_t i = 0; model && i < model->array_count; ++i) {
    const abi::ModelArray& array = model->arrays[i];
    if (array.symbol >= 0 || array.argument < 0) continue;
    const abi::Parameter& parameter = launch.kernel->parameters[array.argument];
    const void* pointer = nullptr;
    std::memcpy(&pointer, launch.arguments.bytes() + parameter.offset + array.offset,
                sizeof pointer);
    const Lookup found = allocations.find(pointer);
    if (found.is_held()) bytes += found.allocation.size;
  }
  return bytes;
}

/// It may be in a group at all.
bool is_willing(const KernelCommand& launch, bool always) {
  return (always || threads_of(launch) >= least_threads) && !keeps_apart(*launch.kernel);
}

/// The launches at the start of the window that may be.
std::size_t willing(std::span<KernelCommand* const> window, bool always) {
  const auto end = std::ranges::find_if(
      window, [&](const KernelCommand* launch) { return !is_willing(*launch, always); });
  return static_cast<std::size_t>(end - window.begin());
}

/// Each kernel once, in the order of the launches.
std::string names(std::span<KernelCommand* const> group) {
  std::string text;
  std::set<std::string_view> told;
  for (const KernelCommand* launch : group) {
    if (!told.insert(launch->kernel->name).second) continue;
    text += (text.empty() ? "'" : ", '") + support::readable_name(launch->kernel->name) + "'";
  }
  return text;
}

/// A plan that says why there is none, where no memory is to be had for one.
GroupPlan plan_or_reason(std::span<KernelCommand* const> launches,
                         const AllocationTable& allocations, const ChainPolicy& policy,
                         KernelFuser* fuser, bool loads) {
  try {
    return plan_group(launches, allocations, policy, fuser, loads);
  } catch (const std::bad_alloc&) {
    GroupPlan none;
    none.launches = launches.size();
    none.refusal = "there is no memory for a plan";
    return none;
  }
}

/// Saved by kernels made of several before their code is loaded: two milliseconds of a GPU's
/// memory.
constexpr double bytes_worth_loading = 4e9;

const char* way_text(const GroupPlan& plan, std::size_t way) {
  if (way == 0) return "is best";
  if (way < plan.first_fused()) return "as a chain";
  return plan.chain(way) ? "as a chain of kernels made of several" : "with kernels made of several";
}

}  // namespace

Chainer::Chainer(GroupPlace& place, const devices::DeviceFacts& facts,
                 const AllocationTable& allocations, KernelFuser* fuser, const Settings& settings)
    : place_(place),
      allocations_(allocations),
      process_(getpid()),
      fuser_(fuser),
      mode_(settings.mode),
      moves_(settings.moves),
      loads_late_(settings.loads_late),
      policy_(policy_for(facts, settings.mode != Mode::trial, settings.no_chains)),
      holds_(place.only_begins()),
      times_(place),
      pace_(place) {
  policy_.code = settings.code;
}

bool Chainer::wants(const KernelCommand& first) {
  if (passed_over_ == 0) {
    const bool is_able = is_willing(first, policy_.always);
    if (!is_able && support::logs(support::LogLevel::info)) tell_why(*first.kernel);
    return is_able && !(holds_ && !may_be_held(first)) && !resting_.rests(first);
  }
  --passed_over_;
  return false;
}

/// Another thread finds out, since the module's bytes are read; until then no launch is held. At
/// once where tests want it.
bool Chainer::may_fuse(const abi::Module& module) {
  if (!fuser_ || are_going_.load() || !fuser_->is_ready()) return false;
  const auto [asked, is_new] = may_fuse_.try_emplace(&module);
  Answer& answer = asked->second;
  if (is_new) {
    const auto ask = [&fuser = *fuser_, &module] {
      try {
        return fuser.may_fuse(module);
      } catch (const std::bad_alloc&) {
        return false;
      }
    };
    try {
      if (policy_.always) {
        answer.may = ask();
      } else {
        answer.coming = support::Background<bool>(ask);
      }
    } catch (const std::system_error&) {  // no thread is to be had
      answer.may = ask();
    }
  }
  if (answer.coming.valid() && answer.coming.is_ready()) answer.may = answer.coming.get();
  return answer.may;
}

/// Who gets little memory is asked again now and then.
bool Chainer::may_be_chained(const KernelCommand& launch) {
  if (!policy_.no_chains.empty() || small_.rests(launch)) return false;
  constexpr unsigned often = 256;
  const auto bytes = static_cast<double>(bytes_in_reach(launch, allocations_));
  const bool is_large = policy_.always || bytes >= least_bytes(policy_);
  if (!is_large) small_.rest(launch, often);
  return is_large;
}

/// Of a launch that failed, its own call tells: so one of each kind begins at once. Where nothing
/// is to be had for it, all do.
bool Chainer::may_be_held(const KernelCommand& launch) {
  if (!may_be_chained(launch) && !may_fuse(*launch.kernel->module)) return false;
  if (policy_.always) return true;
  const auto [last, is_first] = launched_.try_emplace(launch.kernel, launch.shape);
  if (!is_first && last->second == launch.shape) return true;
  last->second = launch.shape;
  return false;
}

/// A thread that sleeps wakes late: together about 40 microseconds (bench/launch/hold.cpp). Tests
/// want the same groups whenever they run.
std::chrono::nanoseconds Chainer::longest_hold() const {
  return policy_.always ? std::chrono::milliseconds(20) : std::chrono::microseconds(25);
}

bool Chainer::waits(std::span<KernelCommand* const> window, const WindowState& state) {
  if (!state.may_wait) return false;
  const KernelCommand& last = *window.back();
  const bool is_held =
      window.size() == 1 || (is_willing(last, policy_.always) && may_be_held(last));
  if (is_held) counts_.held.add(1);
  return is_held;
}

/// Once for each end: what is left of a window is offered again.
void Chainer::note_end(std::size_t willing, std::size_t offered, const WindowState& state) {
  const std::uint64_t end = state.first + willing;
  if (std::exchange(last_end_, end) == end) return;
  const WindowEnd by = willing < offered ? WindowEnd::apart : state.end;
  counts_.ends[static_cast<std::size_t>(by)].add(1);
}

std::optional<KernelCommand> Chainer::as_launch(const Command& command) {
  return moves_ ? fuse::as_launch(command, allocations_) : std::nullopt;
}

GroupResult Chainer::run(std::span<KernelCommand* const> window, const WindowState& state) {
  times_.settle([this](const GroupTry& tried, std::int64_t time) { note_time(tried, time); });
  const std::size_t count = willing(window, policy_.always);
  note_end(count, window.size(), state);
  if (window.size() < 2) {
    if (state.since != 0) resting_.note_alone(*window.front());  // it was held
    return {};
  }
  counts_.windows.add(1);
  if (count < 2) return {};
  const GroupKey key(window.first(count), allocations_);
  const std::size_t size = group_size(key, count);
  Known& known = look_up(key.prefix(size));
  if (++known.seen < least_seen_ && !policy_.always) {
    resting_.note_unknown(*window.front());
    if (fuser_) fuser_->is_ready();  // by the time that it is asked
    return pass_over(window.first(size));
  }
  if (holds_ && mode_ == Mode::trial && policy_.no_chains.empty() && known.is_open()) pace_.keep();
  if (known.coming.valid() && known.coming.is_ready()) take(known, known.coming.get());
  if (!known.is_planned && known.seen < known.load_at) {
    // Another group that begins with it may pay sooner.
    const unsigned rest = std::min(known.load_at - known.seen, RestingKernels::longest);
    known.seen += rest;
    resting_.rest(*window.front(), rest);
    return pass_over(window.first(size));
  }
  const bool is_usable = known.is_planned && has_same_memory(known);
  if (!is_usable && !plan(known, window.first(size))) return pass_over(window.first(size));
  return run_known(window.first(known.plan.launches), key.prefix(size), known, state);
}

/// Has a plan made by another thread, since that takes milliseconds; at once where tests want it.
/// False: it is not there yet.
bool Chainer::plan(Known& known, std::span<KernelCommand* const> group) {
  if (known.coming.valid() || are_going_.load()) return false;
  begin_plan(known, group);
  if (known.coming.valid()) return false;
  take(known, plan_or_reason(group, allocations_, policy_, fuser_, loads(known)));
  return true;
}

/// If a thread is to be had, and wanted.
void Chainer::begin_plan(Known& known, std::span<KernelCommand* const> group) {
  known.coming_changes = allocations_.changes();
  if (policy_.always) return;
  try {
    // Commands are gone when they have run.
    std::vector<KernelCommand> copies;
    copies.reserve(group.size());
    for (const KernelCommand* launch : group) copies.push_back(*launch);
    known.coming = support::Background<GroupPlan>(
        [copies = std::make_shared<std::vector<KernelCommand>>(std::move(copies)),
         &allocations = allocations_, &policy = policy_, fuser = fuser_, loads = loads(known)] {
          std::vector<KernelCommand*> launches;
          for (KernelCommand& launch : *copies) launches.push_back(&launch);
          return plan_or_reason(launches, allocations, policy, fuser, loads);
        });
  } catch (const std::system_error&) {
    // The caller makes it.
  }
}

/// On a GPU code is compiled by the driver when it is loaded, which may take as long as many of its
/// launches gain.
bool Chainer::loads(const Known& known) const {
  return !loads_late_ || policy_.always || (known.load_at != 0 && known.seen >= known.load_at);
}

/// What was tried of the same ways holds on.
void Chainer::take(Known& known, GroupPlan&& plan) {
  if (plan.has_kernels() && !plan.fused.is_loaded) {
    known.load_at = static_cast<unsigned>(
        std::clamp(bytes_worth_loading / std::max(plan.fused.saved_bytes, 1.0), 1.0, 1e9));
    known.loads_later = !plan.chains.empty();
    if (!known.loads_later) {
      known.is_planned = false;
      return;
    }
    plan.leave_out_kernels();
  } else {
    known.loads_later = false;
  }
  const bool has_same_ways = known.is_planned && plan.ways() == known.plan.ways() &&
                             plan.refusal == known.plan.refusal &&
                             have_same_kernels(plan.fused, known.plan.fused);
  if (has_same_ways) plan.trial = known.plan.trial;
  known.plan = std::move(plan);
  known.changes = known.coming_changes;
  known.is_planned = true;
  if (has_same_ways) return;
  known.number = ++plans_;
  counts_.groups.add(1);
  for (const std::string& reason : known.plan.fused.refusals) counts_.not_kernels.add(reason);
  if (known.plan.refusal.empty()) return;
  counts_.refusals.add(known.plan.refusal);
  note_result(known.plan.has_kernels());
}

/// Once for each kernel that is never in a group.
void Chainer::tell_why(const abi::Kernel& kernel) {
  if (keeps_apart(kernel) && told_.insert(&kernel).second)
    counts_.refusals.add(reason_apart(kernel));
}

void Chainer::forget() {
  drop_all();
  resting_.forget();
  small_.forget();
  told_.clear();
  launched_.clear();
  are_going_.store(false);
}

void Chainer::drop_all() {
  if (getpid() != process_) {  // never waited for
    new auto(std::move(known_));
    new auto(std::move(may_fuse_));
  }
  known_.clear();
  may_fuse_.clear();
}

/// Where chains do not pay, fewer sequences are planned.
void Chainer::note_result(bool pays) {
  least_seen_ = pays ? first_least_seen : std::min(2 * least_seen_, last_least_seen);
}

/// A whole number of periods if the window shows one.
std::size_t Chainer::group_size(const GroupKey& key, std::size_t window) const {
  const std::size_t period = key.period();
  if (period > 1 && window < 2 * period) return period;
  const std::size_t whole = window / std::max<std::size_t>(period, 1);
  const auto size =
      *std::ranges::find_if(usual_sizes, [&](std::size_t one) { return one <= whole; });
  return size * std::max<std::size_t>(period, 1);
}

Chainer::Known& Chainer::look_up(std::string_view key) {
  if (known_.size() >= most_known)
    std::erase_if(known_, [](const auto& one) {
      return !one.second.is_planned && !one.second.coming.valid();
    });
  if (known_.size() >= most_known) drop_all();
  return known_[std::string(key)];
}

/// Whether the memory is what it was when boxes were cut off at its ends, or when there was a
/// reason against a chain.
bool Chainer::has_same_memory(Known& known) const {
  const std::uint64_t changes = allocations_.changes();
  if (known.changes == changes) return true;
  const auto is_there = [&](const Allocation& memory) {
    const Lookup found = allocations_.find(reinterpret_cast<const void*>(memory.base));
    return found.is_held() && found.allocation == memory;
  };
  const bool is_same = known.plan.memory.empty() ? !std::has_single_bit(known.seen)
                                                 : std::ranges::all_of(known.plan.memory, is_there);
  if (is_same)
    known.changes = changes;
  else
    known.is_planned = false;
  return is_same;
}

/// The group's launches run alone; groups begin where they began before.
GroupResult Chainer::pass_over(std::span<KernelCommand* const> group) {
  passed_over_ = static_cast<std::size_t>(std::ranges::count_if(
      group.subspan(1), [](const KernelCommand* one) { return !moved_bytes(*one); }));
  return {};
}

GroupResult Chainer::run_known(std::span<KernelCommand* const> group, std::string_view key,
                               Known& known, const WindowState& state) {
  const GroupPlan& plan = known.plan;
  // A kernel that was being made may be there by now.
  const bool is_due = known.loads_later
                          ? known.seen >= known.load_at
                          : plan.fused.may_come_later && std::has_single_bit(known.seen);
  if (is_due && !known.coming.valid()) begin_plan(known, group);
  if (plan.ways() == 1) {
    if (!policy_.always && !plan.fused.may_come_later) resting_.note(*group.front(), false);
    return pass_over(group);
  }
  if (mode_ == Mode::check) return {group.size(), check_ways(group, known, state)};
  if (mode_ == Mode::now)
    return {group.size(), run_way(group, plan, plan.has_kernels() ? plan.first_fused() : 1)};
  const std::optional<std::size_t> verdict = plan.trial.verdict();
  if (!verdict) {
    const std::optional<std::size_t> way = known.plan.trial.begin_next();
    return {group.size(), way ? try_way(group, key, known, *way, state) : run_way(group, plan, 0)};
  }
  known.plan.trial.follow();
  if (*verdict == 0) {
    counts_.in_order.add(group.size());
    if (known.loads_later)
      known.is_planned = known.loads_later = false;  // no longer for chains
    else
      resting_.note(*group.front(), false);
    return pass_over(group);
  }
  return {group.size(), run_way(group, plan, *verdict)};
}

devices::RunResult Chainer::try_way(std::span<KernelCommand* const> group, std::string_view key,
                                    Known& known, std::size_t way, const WindowState& state) {
  known.first_of_trial = {group.front()->kernel, group.front()->shape, names(group)};
  times_.begin(state.since);
  devices::RunResult result = run_way(group, known.plan, way);
  times_.end({std::string(key), known.number, way});
  times_.settle([this](const GroupTry& tried, std::int64_t time) { note_time(tried, time); });
  return result;
}

/// Of a plan that may be gone by now.
void Chainer::note_time(const GroupTry& tried, std::int64_t nanoseconds) {
  const auto known = known_.find(tried.key);
  if (known == known_.end() || known->second.number != tried.plan) return;
  GroupPlan& plan = known->second.plan;
  if (plan.trial.verdict()) return;
  plan.trial.add(tried.way, nanoseconds);
  const auto verdict = plan.trial.verdict();
  if (!verdict) return;
  note_result(*verdict != 0);
  const auto& [kernel, shape, names] = known->second.first_of_trial;
  resting_.note(*kernel, shape, *verdict != 0);
  if (support::logs(support::LogLevel::info))
    support::log(support::LogLevel::info, "fuse: %zu launches of %s: %.3f ms in order, %.3f ms %s",
                 plan.launches, names.c_str(), 1e-6 * static_cast<double>(plan.trial.best(0)),
                 1e-6 * static_cast<double>(plan.trial.best(*verdict)), way_text(plan, *verdict));
}

devices::RunResult Chainer::run_way(std::span<KernelCommand* const> group, const GroupPlan& plan,
                                    std::size_t way) {
  const Chain* const chain = plan.chain(way);
  if (way >= plan.first_fused()) return run_fused(group, plan, chain);
  return chain ? run_chain(group, *chain, plan.saved_bytes) : run_in_order(group);
}

devices::RunResult Chainer::run_in_order(std::span<KernelCommand* const> group) {
  counts_.in_order.add(group.size());
  return run_each(group);
}

devices::RunResult Chainer::run_each(std::span<KernelCommand* const> group) {
  for (KernelCommand* launch : group) {
    devices::RunResult result = place_.run_launch(*launch);
    if (result.fault != devices::Fault::none) return result;
  }
  return {};
}

devices::RunResult Chainer::run_fused(std::span<KernelCommand* const> group, const GroupPlan& plan,
                                      const Chain* chain) {
  std::deque<KernelCommand> made;
  std::deque<std::vector<MemberLaunch>> members;
  std::vector<KernelCommand*> launches;
  std::size_t first = 0;
  auto next = plan.fused.kernels.begin();
  for (const std::size_t count : launch_counts(plan.fused, group.size())) {
    launches.push_back(group[first]);
    first += count;
    if (count == 1) continue;
    launches.back() = &made.emplace_back(fused_command(group, *next));
    made.back().members = members.emplace_back(members_of(group, *next++));
  }
  counts_.saved.add(static_cast<std::uint64_t>(plan.fused.saved_bytes));
  counts_.kernels.add(made.size());
  counts_.fused.add(group.size() + made.size() - launches.size());
  devices::RunResult result = chain ? run_chain(launches, *chain, 0) : run_each(launches);
  return result.fault == devices::Fault::none || holds_ ? result : find_culprit(group, result);
}

/// Which of the program's launches fails as one kernel does: nobody sees the memory any more, so
/// they may run once more.
devices::RunResult Chainer::find_culprit(std::span<KernelCommand* const> group,
                                         const devices::RunResult& result) {
  devices::RunResult alone = run_each(group);
  return alone.fault == devices::Fault::none ? result : alone;
}

/// `saved`: bytes, by the chain.
devices::RunResult Chainer::run_chain(std::span<KernelCommand* const> group, const Chain& chain,
                                      double saved) {
  auto result = place_.run_chain(group, chain);
  if (!result) return run_in_order(group);
  counts_.saved.add(static_cast<std::uint64_t>(saved));
  counts_.chains.add(1);
  counts_.chained.add(group.size());
  counts_.steps.add(step_count(chain));
  return *std::move(result);
}

/// In order, then in each other way from the same state.
devices::RunResult Chainer::check_ways(std::span<KernelCommand* const> group, Known& known,
                                       const WindowState& state) {
  if (!state.is_quiet) {
    counts_.unchecked.add(group.size());
    return run_in_order(group);
  }
  MemoryImages before(place_, known.plan.memory);
  devices::RunResult result = run_in_order(group);
  if (result.fault == devices::Fault::none) result = place_.finish_all();
  if (result.fault != devices::Fault::none) return result;
  const MemoryImages expected(place_, known.plan.memory);
  for (std::size_t way = 1; way < known.plan.ways(); ++way) {
    before.restore();
    result = run_way(group, known.plan, way);
    if (result.fault == devices::Fault::none) result = place_.finish_all();
    if (result.fault != devices::Fault::none) return result;
    if (const auto difference = expected.first_difference()) {
      ++differences_;
      support::log(support::LogLevel::error,
                   "fuse: %s, launches of %s leave another byte %zu of the %zu bytes at %p",
                   way_text(known.plan, way), names(group).c_str(), difference->byte,
                   difference->memory.size, reinterpret_cast<void*>(difference->memory.base));
    }
  }
  return result;
}

}  // namespace gridspan::runtime::fuse
