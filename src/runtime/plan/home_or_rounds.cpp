// Forwards commands, but for launches that pay for a change.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/home_or_rounds.h"

#include "devices/borrowed_device.h"
#include "runtime/schedule/patience.h"
#include "support/log.h"
#include "support/readable_name.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <thread>
#include <type_traits>
#include <utility>
#include <variant>

namespace gridspan::runtime {

namespace {

/// Bytes per second: those of a usual bus, and of a usual GPU's memory.
constexpr double bus = 25e9, memory_rate = 2e12;
/// Even a small share of a launch would take home longer than the companion needs for the rest.
constexpr double slowest = 1;
constexpr double link_seconds = 10e-6, begin_seconds = 4e-6;
/// By blocks, one by one, for each byte of the launch: less moves about as much in rounds.
constexpr double much_reuse = 4;
/// A launch that needs the bus for less is not worth the change.
constexpr double long_launch = 0.1;
/// What could not be planned so often is not asked about any more.
constexpr unsigned enough_tries = 4;
/// A kernel before this one may wait for what the program does after it.
constexpr std::chrono::milliseconds longest_wait{10'000}, longest_at_random{5};
/// Then nobody waits for so long.
constexpr std::int64_t pause_after_wait = 100'000'000'000;

devices::Measured slow_home() {
  const devices::Link link{link_seconds, bus};
  return {{slowest, memory_rate}, {{link, link}, {link, link}}, begin_seconds};
}

double seconds_now() { return 1e-9 * static_cast<double>(devices::now_nanoseconds()); }

}  // namespace

bool HomeOrRounds::has_companion() {
  if (all() || was_refused_) return all() != nullptr;
  auto companion = make_();
  if (!companion) {
    was_refused_ = true;
    support::log(support::LogLevel::warn, "launches do not run in rounds: %s",
                 companion.error().message.c_str());
    return false;
  }
  devices_.push_back(std::make_unique<devices::BorrowedDevice>(device_));
  devices_.push_back(std::move(*companion));
  owned_ = std::make_unique<ManyDevices>(devices_, allocations_, false, policy_, slow_home());
  all_.store(owned_.get(), std::memory_order_release);
  return true;
}

HomeOrRounds::Kind& HomeOrRounds::kind_of(const KernelCommand& command) {
  const auto& [grid, block, shared] = command.shape;
  const std::uint64_t threads =
      std::uint64_t{grid.x} * grid.y * grid.z * block.x * block.y * block.z;
  return kinds_[reinterpret_cast<std::uintptr_t>(command.kernel) * 64 + std::bit_width(threads)];
}

bool HomeOrRounds::may_pay() {
  if (!random_ && !memory_.has_gone_beyond()) return false;
  return !was_refused_ && fault() == devices::Fault::none &&
         (rests_from_ == 0 || devices::now_nanoseconds() >= rests_from_);
}

bool HomeOrRounds::pays_at_random(const ManyDevices::Reuse& reuse) {
  if (!reuse.is_elsewhere) return false;
  if (!answer_) answer_ = (*random_)() % 2 == 0;
  return *answer_;
}

/// To plan a launch takes some ten microseconds: of those that stay at home few are looked at.
void HomeOrRounds::note_home(Kind& kind, const ManyDevices::Reuse& reuse) {
  constexpr unsigned longest_pause = 32;
  if (!reuse.is_elsewhere && kind.in_rounds == 0)
    kind.stays_home = ++kind.undivided >= enough_tries;
  kind.unseen = kind.pause;
  kind.pause = std::min(2 * kind.pause, longest_pause);
}

bool HomeOrRounds::pays(const KernelCommand& command) {
  if (!may_pay()) return false;
  Kind& kind = kind_of(command);
  if (kind.stays_home || kind.unseen != 0 || !has_companion()) return false;
  const ManyDevices::Reuse reuse = all()->reuse(command);
  if (random_) return pays_at_random(reuse);
  const bool is_worth_it = reuse.is_elsewhere && reuse.worked >= much_reuse * reuse.touched &&
                           reuse.worked >= long_launch * bus;
  // At home, at least: each block brings what it touches.
  const double home = is_worth_it ? reuse.worked * reuse.beyond / reuse.touched / bus : 0;
  if (home < long_launch || kind.rounds > home) {
    note_home(kind, reuse);
    return false;
  }
  kind.pause = 1;
  return true;
}

/// The driver needs some of what is free, too.
bool HomeOrRounds::has_room() {
  if (random_) return true;
  const bool has = devices_.back()->memory().free_bytes() >= room_ + room_ / 8;
  if (!has && !std::exchange(lacks_room_, true))
    support::log(support::LogLevel::info,
                 "memory: launches go over the bus: the GPU has less than %.0f MB for rounds",
                 static_cast<double>(room_) / 1e6);
  return has;
}

void HomeOrRounds::run(KernelCommand& command) {
  const bool in_rounds = pays(command);
  answer_.reset();
  if (in_rounds && has_room() && comes_to_rest()) return run_in_rounds(command);
  pass_by(command);
  home_.run(command);
}

/// It runs at home.
void HomeOrRounds::pass_by(const KernelCommand& command) {
  if (random_ || !memory_.has_gone_beyond()) return;
  Kind& kind = kind_of(command);
  if (kind.unseen != 0) --kind.unseen;
}

/// Of the command that runs, too: a graph's steps have not passed.
bool HomeOrRounds::comes_to_rest() {
  const auto end = std::chrono::steady_clock::now() + (random_ ? longest_at_random : longest_wait);
  begun_.push_back(home_.mark_moment());
  const auto is_at_rest = [&] { return home_.is_finished(passed_) && begun_.back()->is_reached(); };
  while (!spin_briefly(is_at_rest)) {
    if (std::chrono::steady_clock::now() > end) {
      rests_from_ = random_ ? 0 : devices::now_nanoseconds() + pause_after_wait;
      return false;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  for (const auto& moment : begun_) moment->time();  // gives back what it holds
  begun_.clear();
  home_.finish(passed_);  // to be told of faults
  return home_.fault() == devices::Fault::none;
}

void HomeOrRounds::run_in_rounds(KernelCommand& command) {
  Kind& kind = kind_of(command);
  const double begin = seconds_now();
  all()->take_from_home(/*distributes=*/false);
  all()->run(command);
  all()->bring_home();
  all()->drop_copies();  // the program may want the memory
  const double took = seconds_now() - begin;
  if (kind.in_rounds++ != 0)
    kind.rounds = took;
  else
    support::log(support::LogLevel::info,
                 "memory: '%s' runs in rounds, in %.3f s: its blocks touch the same bytes many "
                 "times, and some lie in the host's memory",
                 support::readable_name(command.kernel->name).c_str(), took);
  launches_.fetch_add(1, std::memory_order_relaxed);
  home_.take_line_back();
}

GroupRun HomeOrRounds::run_group(std::span<KernelCommand* const> window, const WindowState& state) {
  std::size_t at_home = 0;
  while (at_home < window.size() && !pays(*window[at_home])) ++at_home;
  if (at_home == window.size()) answer_.reset();
  if (at_home == 0) return {};
  const GroupRun done = home_.run_group(window.first(at_home), state);
  for (std::size_t i = 0; i < done.launches; ++i) pass_by(*window[i]);
  return done;
}

/// Steps run one by one where one of them is better off in rounds.
void HomeOrRounds::run(GraphCommand& command) {
  bool any_pays = false;
  for (const GraphWork::Step& step : command.work->steps)
    if (const auto* launch = std::get_if<KernelCommand>(&step.command)) any_pays |= pays(*launch);
  if (!any_pays) return home_.run(command);
  for (GraphWork::Step& step : command.work->steps)
    std::visit(
        [this](auto& one) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(one)>, std::monostate>) run(one);
        },
        step.command);
}

void HomeOrRounds::passed(Sequence sequence) {
  passed_ = sequence;
  home_.passed(sequence);
}

devices::Fault HomeOrRounds::fault() const {
  const devices::Fault first = home_.fault();
  return first == devices::Fault::none && all() ? all()->fault() : first;
}

devices::Fault HomeOrRounds::take_refusal() {
  const devices::Fault first = home_.take_refusal();
  return first == devices::Fault::none && all() ? all()->take_refusal() : first;
}

void HomeOrRounds::released(std::uintptr_t base) {
  if (ManyDevices* const known = all()) known->released(base);
}

void HomeOrRounds::forget(const abi::Module& module) {
  kinds_.clear();
  if (all()) all()->forget_kernels();
  forget_code(module);
}

void HomeOrRounds::forget_code(const abi::Module& module) {
  if (all()) devices_.back()->code().forget(module);
}

std::string HomeOrRounds::text() const {
  const std::string count = "launches_in_rounds_beyond " + std::to_string(launches_.load()) + "\n";
  return all() ? count + all()->traffic().text() : count;
}

}  // namespace gridspan::runtime
