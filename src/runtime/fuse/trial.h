// Which of several ways to do the same work is fastest, found by doing it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace gridspan::runtime::fuse {

/// Way 0 is the plain one: another one must be faster by more than what is noise.
class Trial {
 public:
  /// How often each way is tried. Of its times the shortest counts: others were disturbed.
  static constexpr unsigned runs = 2;
  static constexpr double least_gain = 1.02;
  /// A way that takes so many times as long as the plain one is not tried again, nor one that takes
  /// so much longer than the best, once all were tried.
  static constexpr double hopeless = 2, behind = 1.5;

  explicit Trial(std::size_t ways) : times_(ways) {}

  /// The way that won, or nothing while some were not tried often enough.
  std::optional<std::size_t> verdict() const;
  /// The way to be tried now; `add` tells how long it took, on GPUs some tries later. Nothing once
  /// each was, or is being, tried often enough.
  std::optional<std::size_t> begin_next();
  void add(std::size_t way, std::int64_t nanoseconds);
  /// The verdict was followed once more. Work may change behind equal launches: after 1024 times,
  /// 2048, 4096 and so on all ways are tried anew.
  void follow();
  /// Shortest so far; 0: it was not tried.
  std::int64_t best(std::size_t way) const { return times_[way].best; }

 private:
  struct Times {
    unsigned begun = 0, runs = 0;
    std::int64_t best = 0;
  };
  bool is_hopeless(const Times& way) const;
  static constexpr std::uint64_t first_renewal = 1024;
  std::vector<Times> times_;
  std::uint64_t followed_ = 0;
};

}  // namespace gridspan::runtime::fuse
