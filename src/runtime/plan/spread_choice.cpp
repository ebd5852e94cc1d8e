// Sums of gains.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/spread_choice.h"

#include "support/readable_name.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <utility>

namespace gridspan::runtime {

namespace {

/// A launch that is forecast to take so long is divided before it was ever timed.
constexpr double surely_large = 50e-6;
/// One that was timed, and takes less, is never worth dividing.
constexpr double least_seconds = 15e-6;
/// Of fewer threads nothing is forecast before they were timed.
constexpr std::uint64_t many_threads = 1 << 16;
/// Of what a launch takes: less is no gain.
constexpr double least_gain = 0.03;
/// A change stops the program's launches for so long, whatever moves.
constexpr double stop_seconds = 200e-6;
constexpr double dearer_each_time = 1.5, dearest = 1000;
/// Copies between devices, and all that waits for them.
constexpr double copy_seconds = 6e-6;
/// Launches that are longer than this, and move little, can only gain from more devices: the home
/// device is not tried for them.
constexpr double long_launch = 500e-6, much_copying = 0.1;
/// For others it is, when the program has taken so many times as long as that costs.
constexpr double worth_exploring = 20;
/// What was measured on all devices is forgotten when the program has stayed at home for so many
/// times as long as it costs to find out: one of them may have been busy with something else.
constexpr double worth_retrying = 5000;
/// Of an interval.
constexpr unsigned least_launches = 4, most_launches = 64;
constexpr double long_interval = 10e-3;
/// A sample costs the host some microseconds: those of shorter launches are more seldom.
constexpr std::uint64_t sample_each = 256, sample_each_short = 1024;
constexpr double short_launch = 10e-6;
/// A driver that is busy with something else makes a launch of microseconds last a millisecond. So
/// what takes so many times as long as its forecast, and no longer than this, is believed when it
/// was measured so often.
constexpr double odd = 20, longest_odd = 5e-3;
constexpr unsigned enough_samples = 3;

std::uint64_t key_of(const abi::Kernel& kernel, std::uint64_t threads) {
  return reinterpret_cast<std::uintptr_t>(&kernel) * 64 + std::bit_width(threads);
}

}  // namespace

SpreadChoice::Kind& SpreadChoice::kind_of(const abi::Kernel& kernel, std::uint64_t threads) {
  const std::uint64_t key = key_of(kernel, threads);
  Known& known = known_[(key ^ (key >> 12)) % known_.size()];
  if (known.kind && known.key == key) return *known.kind;
  Kind& kind = kinds_[key];
  known = {key, &kind};
  kind.kernel = &kernel;
  kind.has_many_threads = threads >= many_threads;
  return kind;
}

bool SpreadChoice::wants_forecast(const Kind& kind) const {
  if (kind.forecast) return false;
  return kind.home > 0 ? kind.home > least_seconds : kind.has_many_threads;
}

/// The first launch also loads the kernel's code.
bool SpreadChoice::wants_sample(const Kind& kind) const {
  if (kind.asked < first_samples) return kind.launches > 1;
  const bool is_short = kind.home > 0 && kind.home < short_launch;
  return kind.launches % (is_short ? sample_each_short : sample_each) < 2;
}

/// The shortest: others had company. Work may change behind equal launches; then it is that of the
/// last two.
void SpreadChoice::add_sample(Kind& kind, double seconds) {
  ++kind.samples;
  const double last = std::exchange(kind.last, seconds);
  if (kind.home == 0 || seconds < kind.home)
    kind.home = seconds;
  else if (kind.samples > first_samples)
    kind.home = std::min(last, seconds);
}

/// 0: nothing is known.
static double measured_home(const SpreadChoice::Kind& kind) {
  const double forecast = kind.forecast ? kind.forecast->seconds : 0;
  const bool is_odd = kind.home > odd * forecast && kind.home < longest_odd;
  return is_odd && kind.samples < enough_samples ? 0 : kind.home;
}

/// 0: nothing is known that is worth dividing.
double SpreadChoice::home_seconds(const Kind& kind) const {
  if (const double home = measured_home(kind); home > 0) return home;
  return kind.forecast && kind.forecast->seconds >= surely_large ? kind.forecast->seconds : 0;
}

double SpreadChoice::forecast_on_all(const Kind& kind) const {
  const Forecast forecast = kind.forecast.value_or(Forecast{});
  const double alone = measured_home(kind), home = alone > 0 ? alone : forecast.seconds;
  const double begins = machine_.begin * machine_.devices;
  if (!forecast.divides) return home + forecast.moved + begins + copy_seconds;
  return home / machine_.devices + forecast.moved + begins +
         (forecast.moved > 0 ? copy_seconds : 0);
}

double SpreadChoice::on_all(const Kind& kind) const {
  if (kind.all > 0) return kind.all;
  const auto more = more_.find(kind.kernel);
  return forecast_on_all(kind) * (more == more_.end() ? 1 : more->second);
}

double SpreadChoice::gain_on_all(const Kind& kind, double home) const {
  return home * (1 - least_gain) - on_all(kind);
}

double SpreadChoice::promise(const Kind& kind) const {
  if (!kind.forecast) return 0;
  const double home = home_seconds(kind);
  const bool is_worth = home >= least_seconds && gain_on_all(kind, home) > 0;
  return is_worth && !is_random() ? home : 0;
}

void SpreadChoice::note_at_home(Kind& kind) {
  ++kind.launches;
  const double home = home_seconds(kind);
  if (home < least_seconds) {  // all devices would lose on it what it takes to begin
    credit_ = std::max(0.0, credit_ - machine_.begin * machine_.devices);
    return;
  }
  if (!kind.forecast) return;
  kind.stayed += home;
  const double gain = gain_on_all(kind, home);
  if (gain > 0) cause_ = &kind;
  credit_ = std::max(0.0, credit_ + gain);
}

/// What others would have gained is little beside what this one promised.
void SpreadChoice::note_refusal(Kind& kind) {
  kind.forecast = Forecast{};
  credit_ = 0;
}

double SpreadChoice::change_cost(double bytes) const {
  const double moved = bytes * (machine_.devices - 1) / machine_.devices;
  return dearer_ * (stop_seconds + moved / machine_.link);
}

bool SpreadChoice::is_old(const Kind& kind, double bytes) const {
  return kind.all > 0 && kind.stayed > worth_retrying * (kind.retried + 1) * change_cost(bytes);
}

void SpreadChoice::look_again(Kind& kind) {
  kind.all = kind.stayed = 0;
  kind.untimed = 0;
  ++kind.retried;
  more_.erase(kind.kernel);
}

bool SpreadChoice::is_due(double bytes) {
  if (is_random()) return (*random_)() % 8 == 0;
  return credit_ > change_cost(bytes);
}

void SpreadChoice::add(std::vector<Noted>& to, const Noted& one) {
  const auto known = std::ranges::find(to, one.kind, &Noted::kind);
  if (known == to.end())
    to.push_back(one);
  else
    known->launches += one.launches;
}

void SpreadChoice::note_on_all(Kind& kind) {
  ++kind.launches;
  ++kind.untimed;
  add(noted_, {&kind, 1});
}

bool SpreadChoice::is_interval() const {
  unsigned launches = 0;
  double seconds = 0;
  bool is_news = false;  // what they take may be anything
  for (const Noted& one : noted_) {
    launches += one.launches;
    seconds += one.launches * on_all(*one.kind);
    is_news |= one.kind->all == 0;
  }
  return launches >= most_launches ||
         (launches >= least_launches && (is_news || seconds >= long_interval));
}

void SpreadChoice::end_interval() {
  for (const Noted& one : noted_) add(ended_, one);
  noted_.clear();
}

/// Each kind's part goes by what was forecast of it.
void SpreadChoice::spread_time(double seconds) {
  double forecast = 0;
  for (const auto& [kind, launches] : ended_) forecast += launches * forecast_on_all(*kind);
  const double more = seconds / forecast;
  for (const auto& [kind, launches] : ended_) {
    const double took = forecast_on_all(*kind) * more;
    kind->all = kind->all > 0 ? (kind->all + took) / 2 : took;
    kind->stayed = 0;
    double& known = more_.try_emplace(kind->kernel, more).first->second;
    known = (known + more) / 2;
  }
}

bool SpreadChoice::returns_home(double seconds, double copying, double bytes) {
  if (ended_.empty()) return false;
  if (is_random()) {
    ended_.clear();
    return is_due(bytes);
  }
  on_all_ += seconds;
  // Data moves because of the change, and launches are planned: once.
  if (std::exchange(is_new_, false)) {
    ended_.clear();
    return false;
  }
  spread_time(seconds);
  unsigned launches = 0, unknown = 0;
  double home = 0, took = 0;
  bool is_new = false;
  const Kind* worst = nullptr;
  for (const auto& [kind, count] : ended_) {
    launches += count;
    const double alone = measured_home(*kind);
    if (alone == 0) {
      unknown += count;
      is_new |= on_all_ > worth_exploring * (kind->explored + 1) * change_cost(bytes);
      continue;
    }
    home += count * alone;
    took += count * kind->all;
    if (!worst || kind->all - kind->home > worst->all - worst->home) worst = kind;
  }
  credit_ = std::max(0.0, credit_ + took - home);
  const bool is_short = seconds < long_launch * launches || copying > much_copying * seconds;
  const bool explores = unknown != 0 && is_short && is_new;
  cause_ = worst;
  if (explores)
    for (const auto& [kind, count] : ended_) {
      if (measured_home(*kind) != 0) continue;
      ++kind->explored;
      cause_ = kind;
    }
  ended_.clear();
  return explores || (credit_ > 0 && is_due(bytes));
}

std::string SpreadChoice::reason() const {
  if (!cause_) return "at random";
  char text[200];
  const double home = home_seconds(*cause_);
  if (home > 0)
    std::snprintf(text, sizeof text, ": %.3f ms on one device, %.3f ms on all", 1e3 * home,
                  1e3 * on_all(*cause_));
  else
    std::snprintf(text, sizeof text, ": %.3f ms on all devices, one was not tried",
                  1e3 * on_all(*cause_));
  return "'" + support::readable_name(cause_->kernel->name) + "'" + text;
}

void SpreadChoice::note_put_off() {
  credit_ = 0;
  dearer_ = std::min(dearest, 4 * dearer_);
}

void SpreadChoice::note_change() {
  credit_ = on_all_ = 0;
  is_new_ = true;
  noted_.clear();
  ended_.clear();
  dearer_ = std::min(dearest, dearer_ * dearer_each_time);
}

void SpreadChoice::forget() {
  noted_.clear();
  ended_.clear();
  cause_ = nullptr;
  kinds_.clear();
  known_ = {};
  more_.clear();
}

}  // namespace gridspan::runtime
