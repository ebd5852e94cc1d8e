// Gathers the commands of each window, and looks at windows of one kind once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/record/forecaster.h"

#include "runtime/fuse/forecast.h"
#include "runtime/fuse/group_key.h"
#include "runtime/fuse/group_plan.h"
#include "runtime/fuse/move_kernels.h"
#include "runtime/fuse/step_maker.h"
#include "runtime/record/archive.h"
#include "runtime/record/happenings.h"
#include "runtime/record/replay_commands.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace gridspan::runtime::record {

namespace {

using support::Result;

template <class T>
void append_bytes_of(std::string& key, const T& value) {
  const auto own = std::as_bytes(std::span(&value, 1));
  key.append(reinterpret_cast<const char*>(own.data()), own.size());
}

/// A command of a window, and what its footprints depend on.
struct Member {
  std::variant<KernelCommand, CopyCommand, FillCommand> command;
  std::string key;
  std::optional<KernelCommand> moves{};  // the launch that does what a copy or a fill does

  KernelCommand* launch() {
    auto* const own = std::get_if<KernelCommand>(&command);
    return own || !moves ? own : &*moves;
  }
};

void append_key(std::string& key, const Pitched& memory) {
  append_bytes_of(key, memory.base);
  append_bytes_of(key, memory.pitch);
  append_bytes_of(key, memory.slice_pitch);
}

void append_key(std::string& key, const Extent& extent) {
  append_bytes_of(key, extent.width);
  append_bytes_of(key, extent.height);
  append_bytes_of(key, extent.depth);
}

Extents note_of(const abi::Dim& dim) { return {dim.x, dim.y, dim.z}; }

FusedKernelNote note_of(const fuse::ForecastKernel& kernel) {
  FusedKernelNote note;
  note.first = static_cast<std::uint32_t>(kernel.first);
  note.end = static_cast<std::uint32_t>(kernel.end);
  for (const std::size_t step : kernel.before)
    note.before.push_back(static_cast<std::uint32_t>(step));
  note.bytes = kernel.bytes;
  for (const fuse::DeadArray& dead : kernel.dead)
    note.dead.push_back({dead.name, dead.why, dead.bytes});
  return note;
}

FusedGroupNote note_of(const fuse::ForecastGroup& group) {
  FusedGroupNote note;
  note.first = static_cast<std::uint32_t>(group.first);
  note.end = static_cast<std::uint32_t>(group.end);
  note.apart = group.apart;
  for (const fuse::ForecastKernel& kernel : group.kernels) note.kernels.push_back(note_of(kernel));
  note.apart_bytes = group.apart_bytes;
  note.glued_bytes = group.glued_bytes;
  note.chained_bytes = group.chained_bytes;
  note.no_chain = group.no_chain;
  return note;
}

ForecastNote note_of(const fuse::Steps& steps, const fuse::Forecast& forecast) {
  ForecastNote note;
  for (std::size_t i = 0; i < steps.steps.size(); ++i) {
    const fuse::GroupStep& step = steps.steps[i];
    note.steps.push_back({step.name, step.is_kernel, note_of(step.grid), note_of(step.block),
                          forecast.bytes[i], forecast.is_exact[i], step.refusal});
  }
  for (const fuse::ForecastGroup& group : forecast.groups) note.groups.push_back(note_of(group));
  return note;
}

class Forecaster {
 public:
  Forecaster(const std::string& file, std::vector<Window> windows,
             const devices::DeviceFacts& facts, Recorder& recorder)
      : file_(file),
        windows_(std::move(windows)),
        policy_(fuse::policy_for(facts, false)),
        recorder_(recorder) {}

  Result<void> run() {
    auto reader = LogReader::open(file_);
    if (!reader) return support::fail(reader.error());
    for (;;) {
      auto record = reader->next();
      if (!record) return support::fail(record.error());
      if (!*record) return {};
      auto done = std::visit([this](const auto& one) { return take(one); }, **record);
      if (!done) return done;
    }
  }

 private:
  template <class T>
  Result<void> take(const T&) {
    return {};
  }

  Result<void> take(const ModuleNote& note) {
    modules_.add(note);
    return {};
  }

  Result<void> take(const ImageNote& note) {
    auto placed = modules_.place(note, false);
    return placed ? placed : broken(placed.error().message);
  }

  /// What a window's commands use stays to its end.
  Result<void> take(const MemoryNote& note) {
    if (note.kind >= memory_kinds) return broken("memory of no kind");
    const auto kind = static_cast<MemoryKind>(note.kind);
    if (note.held)
      table_.insert({note.base, note.size, kind, note.flags});
    else if (members_.empty())
      forget(note.base, kind);
    else
      gone_.push_back({note.base, kind});
    return {};
  }

  Result<void> take(const LaunchNote& note) {
    auto command = command_of(note, modules_);
    if (!command) return broken(command.error().message);
    return add(note.command, [&] {
      std::string key = launch_key(*command);
      return Member{KernelCommand(*command), std::move(key)};
    });
  }

  Result<void> take(const CopyNote& note) {
    return add(note.command, [&] {
      CopyCommand command{pitched(note.to), pitched(note.from), extent(note.extent), nullptr};
      std::string key = "c";
      append_key(key, command.to);
      append_key(key, command.from);
      append_key(key, command.extent);
      return Member{std::move(command), std::move(key)};
    });
  }

  Result<void> take(const FillNote& note) {
    return add(note.command, [&] {
      FillCommand command{pitched(note.to), extent(note.extent), note.value};
      std::string key = "f";
      append_key(key, command.to);
      append_key(key, command.extent);
      return Member{command, std::move(key)};
    });
  }

  template <class Make>
  Result<void> add(std::uint64_t command, Make make) {
    if (command <= passed_) return broken("commands out of order");
    passed_ = command;
    if (next_ == windows_.size()) return {};
    const Window& window = windows_[next_];
    if (members_.size() == window.commands.size() || command != window.commands[members_.size()])
      return {};
    members_.push_back(make());
    if (members_.size() == window.commands.size()) finish(window);
    return {};
  }

  void finish(const Window& window) {
    const std::string key = window_key(window);
    const auto [at, is_new] = known_.try_emplace(key, 0);
    if (is_new) at->second = number_of(forecast_of(window));
    recorder_.write(WindowNote{window.commands.front(), window.commands.back(), window.end,
                               window.is_graph, at->second});
    members_.clear();
    ++next_;
    for (const auto& [base, kind] : std::exchange(gone_, {})) forget(base, kind);
  }

  void forget(std::uint64_t base, MemoryKind kind) {
    table_.forget(reinterpret_cast<void*>(base), kind);
  }

  ForecastNote forecast_of(const Window& window) {
    fuse::StepMaker maker(table_);
    for (Member& member : members_) add_step(maker, member);
    const fuse::Steps steps = maker.take();
    const auto pair_answer = [&](std::size_t earlier, std::size_t later) {
      return pair_of(steps, earlier, later);
    };
    const auto chain_reason = [&](std::size_t first, std::size_t end) {
      return chain_refusal(steps, first, end);
    };
    const fuse::Forecast forecast = fuse::forecast(steps, window.freed, pair_answer, chain_reason);
    ForecastNote note = note_of(steps, forecast);
    for (FusedGroupNote& group : note.groups)
      if (group.no_chain.empty())
        group.here = chain_here(fuse::chain_first(steps, group.first, group.end), group.end);
    return note;
  }

  void add_step(fuse::StepMaker& maker, Member& member) const {
    const auto add = [&]<class C>(const C& command) {
      maker.add(command);
      if constexpr (!std::is_same_v<C, KernelCommand>) {
        if (const auto launch = fuse::as_launch(command, table_)) member.moves.emplace(*launch);
      }
    };
    std::visit(add, member.command);
  }

  fuse::OneKernel pair_of(const fuse::Steps& steps, std::size_t earlier, std::size_t later) {
    const auto [at, is_new] =
        pairs_.try_emplace(members_[earlier].key + members_[later].key, fuse::OneKernel());
    if (!is_new) return at->second;
    fuse::OneKernel answer = fuse::one_kernel(steps, earlier, later);
    if (answer.is_legal && !fuse::shares_reads(steps, earlier, later))
      answer = {false, "blocks of one index of '" + steps.steps[earlier].name + "' and '" +
                           steps.steps[later].name + "' read different parts of what both read"};
    return at->second = std::move(answer);
  }

  std::vector<KernelCommand*> launches(std::size_t first, std::size_t end) {
    std::vector<KernelCommand*> all;
    for (std::size_t i = first; i < end; ++i) all.push_back(members_[i].launch());
    return all;
  }

  std::string chain_refusal(const fuse::Steps& steps, std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      if (!steps.steps[i].chain_refusal.empty()) return steps.steps[i].chain_refusal;
      if (!members_[i].launch())
        return "a " + steps.steps[i].name + " of rows that lie apart, or overlap";
    }
    fuse::ChainPolicy policy = policy_;
    policy.always = true;
    return fuse::plan_group(launches(first, end), table_, policy, nullptr, false).refusal;
  }

  /// "3 steps: 8 strips, 1503 parts; 2 steps: ...": a launch that needs all of an earlier one
  /// begins another chain.
  std::string chain_here(std::size_t first, std::size_t end) {
    std::string text;
    while (first < end) {
      const fuse::GroupPlan plan =
          fuse::plan_group(launches(first, end), table_, policy_, nullptr, false);
      if (plan.launches == end - first && text.empty()) return chain_text(plan);
      text += (text.empty() ? "" : "; ") + std::to_string(plan.launches) +
              (plan.launches == 1 ? " step: " : " steps: ") + chain_text(plan);
      first += std::max<std::size_t>(plan.launches, 1);
    }
    return text;
  }

  static std::string chain_text(const fuse::GroupPlan& plan) {
    if (!plan.refusal.empty()) return plan.refusal;
    const Chain& chain = plan.chains.front();
    const std::size_t strips = chain.front().size();
    return std::to_string(strips) + (strips == 1 ? " strip" : " strips") + ", " +
           std::to_string(fuse::step_count(chain)) + " parts";
  }

  /// What footprints of the launch depend on: its inputs, and the memory that it is given.
  std::string launch_key(const KernelCommand& command) const {
    KernelCommand* const one[] = {const_cast<KernelCommand*>(&command)};
    if (!command.kernel->model) {
      std::string key = "k";
      append_bytes_of(key, command.kernel);
      append_bytes_of(key, command.shape);
      return key;
    }
    std::string key = "m" + std::string(fuse::GroupKey(one).prefix(1));
    const abi::KernelModel& model = *command.kernel->model;
    for (std::uint32_t i = 0; i < model.array_count; ++i) {
      const abi::ModelArray& array = model.arrays[i];
      if (array.argument < 0) continue;
      const void* address = nullptr;
      std::memcpy(&address,
                  command.arguments.bytes() + command.kernel->parameters[array.argument].offset +
                      array.offset,
                  sizeof address);
      const Lookup found = table_.find(address);
      append_bytes_of(key, found.state);
      append_bytes_of(key, found.allocation.base);
      append_bytes_of(key, found.allocation.size);
      append_bytes_of(key, found.allocation.kind);
    }
    return key;
  }

  std::string window_key(const Window& window) const {
    std::string key;
    for (const Member& member : members_) key += member.key;
    for (const std::uintptr_t base : window.freed) append_bytes_of(key, base);
    return key;
  }

  /// Windows that differ in nothing but addresses have one forecast.
  std::uint64_t number_of(ForecastNote note) {
    std::string bytes;
    Encoder encoder(bytes);
    note.fields(encoder);
    const auto [at, is_new] = numbers_.try_emplace(std::move(bytes), numbers_.size());
    if (is_new) recorder_.write(std::move(note));
    return at->second;
  }

  tl::unexpected<support::Error> broken(const std::string& what) const {
    return support::fail(file_ + ": makes no sense: " + what + ", after command " +
                         std::to_string(passed_));
  }

  const std::string file_;
  const std::vector<Window> windows_;
  const fuse::ChainPolicy policy_;
  Recorder& recorder_;
  ReplayModules modules_;
  AllocationTable table_;
  std::size_t next_ = 0;                                    // window
  std::vector<Member> members_;                             // of it, so far
  std::vector<std::pair<std::uint64_t, MemoryKind>> gone_;  // since it began
  std::uint64_t passed_ = 0;
  std::unordered_map<std::string, std::uint64_t> known_;  // windows: their forecasts
  std::unordered_map<std::string, fuse::OneKernel> pairs_;
  std::unordered_map<std::string, std::uint64_t> numbers_;  // of forecasts
};

}  // namespace

Result<void> forecast_recording(const std::string& file, const devices::DeviceFacts& facts,
                                Recorder& recorder) {
  auto happenings = happenings_of(file);
  if (!happenings) return support::fail(happenings.error());
  return Forecaster(file, windows_of(*happenings), facts, recorder).run();
}

}  // namespace gridspan::runtime::record
