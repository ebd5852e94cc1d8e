// Ways take turns, so that a disturbance does not meet one of them alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/trial.h"

#include <algorithm>
#include <bit>

namespace gridspan::runtime::fuse {

bool Trial::is_hopeless(const Times& way) const {
  const auto is_slower = [&](const Times& other, double factor) {
    return other.runs != 0 &&
           static_cast<double>(way.best) > factor * static_cast<double>(other.best);
  };
  if (way.runs == 0) return false;
  if (is_slower(times_.front(), hopeless)) return true;
  const bool all_were_tried =
      std::ranges::all_of(times_, [](const Times& other) { return other.runs != 0; });
  return all_were_tried &&
         std::ranges::any_of(times_, [&](const Times& other) { return is_slower(other, behind); });
}

std::optional<std::size_t> Trial::verdict() const {
  if (std::ranges::any_of(times_,
                          [&](const Times& way) { return way.runs < runs && !is_hopeless(way); }))
    return std::nullopt;
  const auto best = std::ranges::min_element(times_, {}, &Times::best);
  const auto plain = static_cast<double>(times_.front().best);
  if (static_cast<double>(best->best) * least_gain > plain) return 0;
  return static_cast<std::size_t>(best - times_.begin());
}

std::optional<std::size_t> Trial::begin_next() {
  const auto tries = [&](const Times& way) { return is_hopeless(way) ? runs : way.begun; };
  const auto rarest = std::ranges::min_element(times_, {}, tries);
  if (tries(*rarest) >= runs) return std::nullopt;
  ++rarest->begun;
  return static_cast<std::size_t>(rarest - times_.begin());
}

void Trial::add(std::size_t way, std::int64_t nanoseconds) {
  Times& times = times_[way];
  times.best = times.runs == 0 ? nanoseconds : std::min(times.best, nanoseconds);
  ++times.runs;
}

void Trial::follow() {
  ++followed_;
  if (followed_ < first_renewal || !std::has_single_bit(followed_)) return;
  std::ranges::fill(times_, Times{});
}

}  // namespace gridspan::runtime::fuse
