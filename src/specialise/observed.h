// What a kernel's launches had in common so far, and its specialised forms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"
#include "support/launch_condition.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gridspan::specialise {

/// Does the condition hold for this launch?
bool holds(const support::LaunchCondition& condition, const abi::Kernel& kernel,
           const abi::LaunchContext& launch);

/// All that can be said of one launch but for its grid, which may be another at each and is worth
/// nothing: no pointers, no structures.
support::LaunchCondition condition_of(const abi::Kernel& kernel, const abi::LaunchContext& launch);

/// A form must show that it is faster: it and the ordinary kernel take turns until both have run
/// some times, in launches for which it is.
class Trial {
 public:
  enum class Verdict { open, faster, slower };

  bool is_forms_turn() const { return runs_[1] <= runs_[0]; }
  Verdict verdict() const { return verdict_; }
  /// A launch of so many blocks took so long. True if that decides.
  bool add(bool with_form, std::uint64_t nanoseconds, double blocks);
  void skip() { verdict_ = Verdict::faster; }

 private:
  static constexpr unsigned enough = 4;
  /// Differences of less are noise. Who is not slower may stay.
  static constexpr double tolerance = 1.05;
  unsigned runs_[2] = {0, 0};  // of the ordinary kernel, and of the form
  double best_[2] = {0, 0};    // nanoseconds a block
  Verdict verdict_ = Verdict::open;
};

/// A specialised form.
struct Form {
  support::LaunchCondition condition;
  const abi::Kernel* code = nullptr;  // null: in the cache, or not to be used
  std::string refusal = {};           // why it is not
  Trial trial = {};
};

/// Launches with blocks of one shape that no form was there for.
class LaunchGroup {
 public:
  LaunchGroup(const abi::Kernel& kernel, const abi::LaunchContext& launch)
      : common_(condition_of(kernel, launch)) {}

  bool has_shape(const abi::Dim& block) const;
  /// Counts a launch that took so long. What differs from those before is common no longer, and
  /// time is counted anew.
  void add(const abi::Kernel& kernel, const abi::LaunchContext& launch, std::uint64_t nanoseconds);
  const support::LaunchCondition& common() const { return common_; }
  std::uint64_t nanoseconds() const { return nanoseconds_; }
  /// A form for what is common is asked for.
  void count_build() {
    ++builds_;
    nanoseconds_ = 0;
    asked_for_ = common_;
  }
  unsigned builds() const { return builds_; }
  /// It was asked for already: it may not have been made yet.
  bool is_asked_for() const { return asked_for_ == common_; }

 private:
  support::LaunchCondition common_;
  std::uint64_t nanoseconds_ = 0;
  unsigned builds_ = 0;
  std::optional<support::LaunchCondition> asked_for_;
};

/// One kernel of the program.
struct Observed {
  std::uint64_t number;  // no other has it
  std::string module_key, kernel_key;
  std::vector<Form> forms;  // those that know most first
  std::vector<LaunchGroup> groups;

  void add_form(Form form);
  LaunchGroup* find_group(const abi::Dim& block);
};

}  // namespace gridspan::specialise
