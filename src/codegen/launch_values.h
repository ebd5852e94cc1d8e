// A kernel's parameters as 64-bit values, computed from the value vector of a launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products overflow 64 bits at some launches, and scalars may be anything. Code that uses a
// parameter relies on |parameter| <= largest_parameter (more bytes than any machine addresses);
// `fit` says whether that holds of all parameters asked for, with every multiplication checked.
// Predicates are false where it does not; footprints rely on an assumption that says it
// (model_descriptors.h).
#pragma once

#include "codegen/isl_code.h"
#include "model/kernel.h"

#include <map>
#include <set>

namespace gridspan::codegen {

inline constexpr std::int64_t largest_parameter = std::int64_t{1} << 48;

class LaunchValues {
 public:
  /// `function` is empty; its first argument is the value vector, `part` the one that points to the
  /// part, if any. Code for parameters goes to the entry block, everything else to `start`.
  LaunchValues(const model::Kernel& kernel, llvm::Function& function, llvm::Value* part = nullptr);

  /// A parameter, a part parameter (in a function without a part: its bound over the grid) or a
  /// name given to `define`. Throws Unwritable for other names.
  Number operator()(const std::string& name);
  /// Gives a name a value that is computed elsewhere; forgotten by `forget`.
  void define(const std::string& name, Number value) { defined_[name] = value; }
  void forget(const std::string& name) { defined_.erase(name); }

  /// Makes `fit` look at parameter `factor` times `value` (over parameters), too.
  void check_product(const std::string& factor, const isl::pw_aff& value);

  /// First or last block of the part along an axis.
  llvm::Value* part(unsigned axis, bool last);
  /// i1 in the entry block: all parameters asked for so far lie within +-largest_parameter.
  llvm::Value* fit();
  /// Names of the kernel asked for so far.
  const std::set<std::string>& used() const { return used_; }

  llvm::BasicBlock* start() { return start_; }
  /// Ends the entry block; no parameter may be asked for afterwards.
  void close();

 private:
  Number find(const std::string& name);
  Number parameter(const model::Parameter& parameter);
  Number argument(const model::Parameter& parameter);
  Number product(const std::vector<std::string>& factors);
  Number quotient(Number dividend, Number divisor);
  Number times(Number a, Number b);
  Number expression(const isl::pw_aff& value);
  Number part_end(const model::Dimension& dimension, bool last);
  Number limited(Number number);
  llvm::Value* element(llvm::Value* vector, unsigned index);

  const model::Kernel& kernel_;
  llvm::Value* values_;
  llvm::Value* part_;  // or null
  llvm::BasicBlock* start_;
  llvm::IRBuilder<> entry_;
  std::map<std::string, Number> known_, defined_;
  std::vector<llvm::Value*> fits_;
  std::set<std::string> used_;
};

}  // namespace gridspan::codegen
