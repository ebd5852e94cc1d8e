// Forwards commands, and changes over.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/home_or_all.h"

#include "runtime/schedule/patience.h"
#include "support/log.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <type_traits>
#include <utility>
#include <variant>

namespace gridspan::runtime {

namespace {

/// A change waits for what was begun, which may wait for something that the program does after this
/// call: then the change is put off.
constexpr std::chrono::milliseconds patience{200}, patience_at_random{5};

std::uint64_t threads_of(const LaunchShape& shape) {
  const auto& [grid, block, shared] = shape;
  return std::uint64_t{grid.x} * grid.y * grid.z * block.x * block.y * block.z;
}

}  // namespace

/// Whether it happens before one loses patience.
template <class Done>
bool HomeOrAll::waits_patiently(Done done) {
  const auto most = choice_.is_random() ? patience_at_random : patience;
  const auto end = std::chrono::steady_clock::now() + most;
  while (!spin_briefly(done)) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  return true;
}

double HomeOrAll::bytes() {
  if (std::exchange(bytes_at_, allocations_.changes()) == allocations_.changes()) return bytes_;
  bytes_ = 0;
  const std::vector<Allocation> held = allocations_.held();
  for (const Allocation& one : held)
    if (one.kind == MemoryKind::device) bytes_ += static_cast<double>(one.size);
  allocated_ = held.size();
  return bytes_;
}

/// A program with so much memory has launches that several devices share: they are made while it
/// prepares its data. Others wait for them until its launches would have gained what that takes.
void HomeOrAll::expect_others() {
  constexpr double much = 256 << 20;
  constexpr std::size_t seldom = 16;  // to count takes a look at each allocation
  if (expects_others_ || allocations_.changes() < counts_at_) return;
  if (bytes() < much) {
    counts_at_ = bytes_at_ + 1 + allocated_ / seldom;
    return;
  }
  expects_others_ = true;
  lazy_.expect();
}

/// At the begin of a command: all before it have passed.
void HomeOrAll::change_if_due() {
  if (!is_home_.load()) return look_at_times();
  if (std::exchange(is_due_, false)) leave_home();
}

/// Launches of all kinds that came lately can be divided without a wait for the driver's compiler.
bool HomeOrAll::is_prepared(SpreadChoice::Kind& kind) {
  // To make another GPU delays the program by so much, and its end by more if that comes soon; who
  // launches kernels of some length does so again.
  constexpr double making_seconds = 0.03, long_launch = 50e-3;
  const bool is_worth_making =
      choice_.credit() >= making_seconds || choice_.promise(kind) >= long_launch;
  if (!expects_others_ && !is_worth_making && lazy_.lacks_some()) return false;
  const PartsAhead::Answer answer = ahead_.ask(*kind.kernel);
  const bool is_news = !kind.forecast || kind.forecast->divides;
  if (answer == PartsAhead::Answer::is_refused && is_news) {
    choice_.note_refusal(kind);
    return false;
  }
  return answer != PartsAhead::Answer::is_loading && ahead_.is_idle();
}

SpreadChoice::Kind& HomeOrAll::kind_of(const KernelCommand& command) {
  return choice_.kind_of(*command.kernel, threads_of(command.shape));
}

bool HomeOrAll::holds_back(const KernelCommand& launch) {
  if ((samples_.empty() && behind_.empty()) || !is_home_.load()) return false;
  return holds_back(kind_of(launch));
}

/// Launches of microseconds are not asked for the time: to know it takes a part of what they take.
bool HomeOrAll::holds_back(const SpreadChoice::Kind& kind) {
  const bool waits_for_samples = !samples_.empty() && choice_.waits_for_samples(kind);
  if (!waits_for_samples && (behind_.empty() || choice_.promise(kind) == 0)) return false;
  constexpr std::int64_t one_line_for = 200'000'000;
  const std::int64_t now = devices::now_nanoseconds();
  if (now < patient_from_ || now - lines_changed_.load() < one_line_for) return false;
  if (!waits_for_samples) return is_far_ahead();
  take_samples();
  return choice_.waits_for_samples(kind);
}

/// The device has enough to do until a thread that sleeps has noticed that it may begin more.
bool HomeOrAll::is_far_ahead() {
  constexpr std::size_t enough = 3;
  while (behind_.size() >= enough && behind_.front()->is_reached()) {
    behind_.front()->time();
    behind_.pop_front();
  }
  return behind_.size() >= enough;
}

/// What is behind the launch could not run either. A kernel may take as long as it likes, or wait
/// for the program: in the end nobody waits for it.
void HomeOrAll::wait_for_home(const KernelCommand& command) {
  constexpr std::int64_t longest = 2'000'000'000;
  if (!holds_back(command)) return;
  const std::int64_t end = devices::now_nanoseconds() + longest;
  do {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    if (devices::now_nanoseconds() > end) patient_from_ = end + 5 * longest;
  } while (holds_back(command));
}

void HomeOrAll::note_begun(const SpreadChoice::Kind& kind) {
  constexpr double much = 1e-3;
  const double promise = choice_.promise(kind);
  if (promise == 0 || !is_home_.load()) return;
  begun_ += promise;
  if (begun_ < much) return;
  begun_ = 0;
  behind_.push_back(home_.mark_moment());
}

/// All is done, or will be without anybody's asking; a moment is asked for its time, which gives
/// back what it holds.
void HomeOrAll::forget_begun() {
  for (const auto& moment : behind_) moment->time();
  behind_.clear();
  begun_ = 0;
}

SpreadChoice::Kind& HomeOrAll::note(const KernelCommand& command) {
  SpreadChoice::Kind& kind = kind_of(command);
  if (is_home_.load()) {
    all_.forget_released();
    if (!samples_.empty()) look_at_samples(kind);
    launches_at_home_.store(launches_at_home_.load(std::memory_order_relaxed) + 1,
                            std::memory_order_relaxed);
    expect_others();
    if (choice_.wants_forecast(kind)) kind.forecast = all_.forecast(command);
    const bool is_due = choice_.leaves_home(kind, [this] { return bytes(); });
    is_due_ |= (!choice_.hopes_for_all() || is_prepared(kind)) && is_due;
    return kind;
  }
  if (busy_since_ == 0) busy_since_ = devices::now_nanoseconds();
  choice_.note_on_all(kind);
  if (end_ && choice_.wants_time(kind)) wait_for_time(kind);
  return kind;
}

/// A program may launch in a moment what all devices work on for seconds: nothing would come of
/// what its first launches took.
void HomeOrAll::wait_for_time(SpreadChoice::Kind& kind) {
  if (!waits_patiently([this] { return end_->is_reached(); })) choice_.note_late(kind);
}

void HomeOrAll::run(KernelCommand& command) {
  change_if_due();
  wait_for_home(command);
  SpreadChoice::Kind& kind = note(command);
  if (is_due_) {
    change_if_due();
    if (!is_home_.load()) note(command);
  }
  if (!is_home_.load()) return all_.run(command);
  if (choice_.wants_sample(kind))
    run_timed(kind, command);
  else
    home_.run(command);
  note_begun(kind);
}

/// Programs may do nothing but copy, and give back memory.
void HomeOrAll::run(CopyCommand& command) {
  if (is_home_.load()) {
    all_.forget_released();
    expect_others();
  } else if (is_with_host(command)) {
    end_before_copy();
  }
  now().run(command);
}

void HomeOrAll::run(FillCommand& command) {
  if (is_home_.load()) {
    all_.forget_released();
    expect_others();
  }
  now().run(command);
}

void HomeOrAll::run_timed(SpreadChoice::Kind& kind, KernelCommand& command) {
  take_samples();
  choice_.note_sample(kind);
  auto first = home_.mark_moment();
  home_.run(command);
  samples_.push_back({&kind, std::move(first), home_.mark_moment()});
}

/// To ask the driver at each launch would take as long as some launches do.
void HomeOrAll::look_at_samples(const SpreadChoice::Kind& kind) {
  constexpr unsigned seldom = 32;
  constexpr double long_launch = 50e-6;
  if (kind.home < long_launch && ++launches_since_look_ < seldom) return;
  launches_since_look_ = 0;
  take_samples();
}

void HomeOrAll::take_samples() {
  while (!samples_.empty() && samples_.front().last->is_reached()) {
    const auto& [kind, first, last] = samples_.front();
    choice_.add_sample(*kind, 1e-9 * static_cast<double>(last->time() - first->time()));
    samples_.pop_front();
  }
}

/// What a launch takes is timed when it runs by itself.
bool HomeOrAll::wants_sample(const KernelCommand& command) {
  return choice_.wants_sample(kind_of(command));
}

GroupRun HomeOrAll::run_group(std::span<KernelCommand* const> window, const WindowState& state) {
  change_if_due();
  if (is_home_.load() && wants_sample(*window.front())) return {};
  wait_for_home(*window.front());
  const GroupRun done = now().run_group(window, state);
  for (std::size_t i = 0; i < done.launches; ++i) note_begun(note(*window[i]));
  return done;
}

/// All devices take the steps one by one.
void HomeOrAll::run(GraphCommand& command) {
  change_if_due();
  for (const GraphWork::Step& step : command.work->steps)
    if (const auto* launch = std::get_if<KernelCommand>(&step.command)) note(*launch);
  if (is_home_.load()) return home_.run(command);
  for (GraphWork::Step& step : command.work->steps)
    std::visit(
        [this](auto& one) {
          if constexpr (!std::is_same_v<std::decay_t<decltype(one)>, std::monostate>) all_.run(one);
        },
        step.command);
}

/// An interval ends when a thread has waited for all, or at a moment behind many launches.
void HomeOrAll::look_at_times() {
  const std::int64_t rest = at_rest_.exchange(0);
  if (end_ && is_before_copy_ && end_->is_reached()) {
    is_before_copy_ = false;
    const std::int64_t end = end_->time();
    end_.reset();
    const bool returns = may_return(end);
    busy_since_ = choice_.has_news() ? end : 0;
    if (returns) return_home();
    return;
  }
  // Who noted it may have come too early, while another command began.
  if (busy_since_ != 0 && rest > busy_since_ && (!end_ || end_->is_reached())) {
    drop_moment();
    choice_.end_interval();
    const bool returns = may_return(rest);
    busy_since_ = 0;
    if (returns) return_home();
    return;
  }
  if (end_ && end_->is_reached()) {
    const std::int64_t end = end_->time();
    end_.reset();
    const bool returns = may_return(end);
    busy_since_ = end;
    if (returns) return return_home();
  }
  if (!end_ && choice_.is_interval()) {
    end_ = all_.mark_moment();
    choice_.end_interval();
  }
}

bool HomeOrAll::is_with_host(const CopyCommand& command) const {
  const auto is_host = [this](const Pitched& side) {
    const Lookup memory = allocations_.find(side.base);
    return !memory.is_held() || is_host_kind(memory.allocation.kind);
  };
  return is_host(command.to) || is_host(command.from);
}

/// A copy between a device and the host may take many times what launches take, on one device or on
/// several: what launches take is known only if it does not count.
void HomeOrAll::end_before_copy() {
  look_at_times();
  if (!is_home_.load() && !end_ && busy_since_ != 0 && choice_.has_news()) {
    end_ = all_.mark_moment();
    choice_.end_interval();
    is_before_copy_ = true;
  }
}

/// All is done, so it is reached; a moment is asked for its time, which gives back what it holds.
void HomeOrAll::drop_moment() {
  if (end_) end_->time();
  end_.reset();
  is_before_copy_ = false;
}

/// `end`: nanoseconds.
bool HomeOrAll::may_return(std::int64_t end) {
  const double seconds = 1e-9 * static_cast<double>(end - busy_since_);
  const std::uint64_t moved = all_.traffic().moved_bytes(), merged = all_.traffic().merged_bytes();
  double copying = all_.link_seconds(moved - std::exchange(moved_, moved));
  // What is looked through for changes takes longer than any link: it may be all of it.
  if (merged != std::exchange(merged_, merged)) copying = seconds;
  return choice_.returns_home(seconds, copying, bytes());
}

/// For a change; else it is put off.
template <class Done>
bool HomeOrAll::comes_to(Done done) {
  if (waits_patiently(done)) return true;
  choice_.note_put_off();
  return false;
}

void HomeOrAll::leave_home() {
  if (!comes_to([this] { return home_.is_finished(passed_.load()); })) return;
  support::log(support::LogLevel::info, "several devices: launches are divided: %s",
               choice_.reason().c_str());
  home_.finish(passed_.load());  // to be told of faults
  take_samples();
  samples_.clear();
  forget_begun();
  choice_.note_change();
  if (fault() != devices::Fault::none) return;
  all_.take_from_home();
  moved_ = all_.traffic().moved_bytes();
  merged_ = all_.traffic().merged_bytes();
  busy_since_ = 0;
  at_rest_.store(0);
  drained_.store(passed_.load());
  is_home_.store(false);
  changes_.fetch_add(1);
  tell_place();
}

void HomeOrAll::return_home() {
  if (!comes_to([this] { return all_.is_idle(); })) return;
  support::log(support::LogLevel::info, "several devices: launches stay on one: %s",
               choice_.reason().c_str());
  all_.bring_home();
  choice_.note_change();
  drop_moment();
  if (fault() != devices::Fault::none) return;
  home_.finish(passed_.load());  // it was not told of these
  drained_.store(passed_.load());
  is_home_.store(true);
  changes_.fetch_add(1);
  tell_place();
  home_.use_line(line_);
}

void HomeOrAll::use_line(unsigned line) {
  line_ = line;
  now().use_line(line);
}

void HomeOrAll::passed(Sequence sequence) {
  now().passed(sequence);
  passed_.store(sequence, std::memory_order_release);
}

/// Of whoever runs it. Between its question and the answer the place may change: then all was done.
template <class Ask>
bool HomeOrAll::ask(Sequence sequence, Ask ask_one) const {
  for (;;) {
    const std::uint64_t changes = changes_.load();
    if (sequence <= drained_.load()) return true;
    const bool answer = ask_one(now());
    if (changes_.load() == changes) return answer;
  }
}

/// Devices that are asked, or waited for, and have done all that there was.
void HomeOrAll::note_rest(Sequence sequence) const {
  if (is_home_.load() || sequence < passed_.load() || at_rest_.load() != 0) return;
  at_rest_.store(devices::now_nanoseconds());
}

bool HomeOrAll::is_finished(Sequence sequence) const {
  const bool is = ask(sequence, [&](const Executor& one) { return one.is_finished(sequence); });
  if (is) note_rest(sequence);
  return is;
}

void HomeOrAll::finish(Sequence sequence) {
  ask(sequence, [&](Executor& one) { return one.finish(sequence), true; });
  note_rest(sequence);
}

bool HomeOrAll::is_finished_alone(Sequence sequence) const {
  return ask(sequence, [&](const Executor& one) { return one.is_finished_alone(sequence); });
}

void HomeOrAll::finish_alone(Sequence sequence) {
  ask(sequence, [&](Executor& one) { return one.finish_alone(sequence), true; });
  note_rest(sequence);
}

bool HomeOrAll::is_finished_joined(Sequence sequence) const {
  return ask(sequence, [&](const Executor& one) { return one.is_finished_joined(sequence); });
}

void HomeOrAll::finish_joined(Sequence sequence) {
  ask(sequence, [&](Executor& one) { return one.finish_joined(sequence), true; });
  note_rest(sequence);
}

devices::Fault HomeOrAll::fault() const {
  const devices::Fault first = home_.fault();
  return first != devices::Fault::none ? first : all_.fault();
}

devices::Fault HomeOrAll::take_refusal() {
  const devices::Fault first = home_.take_refusal();
  return first != devices::Fault::none ? first : all_.take_refusal();
}

void HomeOrAll::forget_kernels() {
  take_samples();
  samples_.clear();
  forget_begun();
  choice_.forget();
  ahead_.forget();
}

std::string HomeOrAll::text() const {
  return "launches_on_home_alone " + std::to_string(launches_at_home_.load()) +
         "\nchanges_of_place " + std::to_string(changes_.load()) + "\n";
}

}  // namespace gridspan::runtime
