// Collects arguments into a Task, one at a time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     Reader reader;
//     for (argument : arguments) reader.read(argument)        any error ends it
//     reader.read_host_compiler_words()                       what -Xcompiler said, after all else
//     reader.finish()                                         contradictions are found here
#pragma once

#include "driver/invocation.h"

#include <optional>
#include <string>
#include <vector>

namespace gridspan::driver {

inline void append(std::vector<std::string>& to, const std::vector<std::string>& words) {
  to.insert(to.end(), words.begin(), words.end());
}

class Reader {
 public:
  using Status = Result<void>;

  /// `for_host_compiler`: the argument came through -Xcompiler.
  Status read(const Argument& argument, bool for_host_compiler = false);
  Status read_host_compiler_words();
  Result<Task> finish();

 private:
  // Effects of options (option_effects.cpp), by theme. Each answers for its own meanings only.
  using Effect = std::optional<Status>;
  Effect read_goal(const Argument& argument);
  Effect read_side_or_language(const Argument& argument);
  Effect read_dependencies(const Argument& argument);
  Effect read_cuda(const Argument& argument);
  Effect read_code(const Argument& argument);
  Effect read_tools(const Argument& argument);
  Effect read_driver(const Argument& argument);
  Effect read_step(const Argument& argument);
  Effect read_refused_or_ignored(const Argument& argument);

  Status set_goal(Goal goal, const std::string& spelling);
  Status read_architecture(const Argument& argument);
  Status read_default_stream(const Argument& argument);
  static support::Result<unsigned> read_number(const Argument& argument);
  Status read_register_limit(const Argument& argument);
  Status read_without(const std::string& list);
  Status read_cuda_runtime(const std::string& value);
  void read_optimisation(const std::string& level, bool for_host_compiler);
  void read_debug(const std::string& level);
  void read_standard(const std::string& value);
  void read_library(const std::string& name);
  void read_werror(const std::string& value, bool for_host_compiler);

  Status read_input(const Argument& argument);
  void forward(const Argument& argument, bool for_host_compiler);
  bool compiles_kokkos() const;
  Status check() const;
  Status check_tuning() const;
  Status check_output() const;

  void both_sides(const std::string& word) {
    invocation_.host_flags.push_back(word);
    invocation_.device_flags.push_back(word);
  }
  void link_words(std::vector<std::string> words) {
    invocation_.link_line.push_back({std::nullopt, std::move(words)});
  }

  Invocation invocation_;
  std::optional<Task> question_;      // --help and the like win over everything
  std::optional<InternalStep> step_;  // set by the hidden options that name a step
  std::string goal_spelling_;
  std::optional<Language> language_;  // of -x, for the files that follow
  bool language_used_ = false;
  bool has_extended_lambdas_ = false;
  std::vector<std::string> host_compiler_words_;
};

}  // namespace gridspan::driver
