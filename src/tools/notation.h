// How a person writes the numbers of a kernel: blockIdx.x*blockDim.x, not blockIdx_x_blockDim_x.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gridspan::tools {

inline constexpr const char* axis_letters[] = {"x", "y", "z"};

class Notation {
 public:
  explicit Notation(const model::Kernel& kernel);

  /// A parameter or dimension of the kernel, spelt out.
  std::string name(const std::string& symbol) const;
  /// Text in which every symbol is replaced by its spelling; blanks stay.
  std::string spelt(std::string_view text) const;
  /// A value over parameters as a C-like expression without blanks: "min(n-1,x+7)" and so on.
  std::string value(const isl::pw_aff& value) const;
  /// A condition over parameters: "gridDim.y == 1". What always holds of the kernel is left out.
  std::string condition(const isl::set& set) const;

  /// What always holds, without products' disjunctions: kernel context, 0 <= blockIdx < gridDim,
  /// ...
  const isl::set& context() const { return context_; }
  /// Symbols that differ between blocks.
  const std::vector<std::string>& block_symbols() const { return block_symbols_; }
  /// "x = blockIdx.x*blockDim.x" for each short name that occurs in `text`.
  std::vector<std::string> legend(std::string_view text) const;

 private:
  void add_parameter(const model::Parameter& parameter);
  void add_dimension(const model::Kernel& kernel, const model::Dimension& dimension);
  std::string short_name(const model::Kernel& kernel, const model::Dimension& dimension) const;

  std::string simplified(const isl::pw_aff& value) const;
  std::string sum(const isl::aff& value) const;
  int rank(const std::string& symbol) const;

  std::map<std::string, std::string, std::less<>> names_;
  std::set<std::string> is_dimension_;
  std::map<std::string, std::string> short_names_;  // short name -> what it stands for
  std::vector<std::string> block_symbols_;
  isl::set context_;
};

/// Replaces each C identifier by what `spell` makes of it.
std::string replace_identifiers(std::string_view text,
                                const std::function<std::string(std::string_view)>& spell);

/// The text without blanks around operators, commas keep one after.
std::string compact(std::string_view expression);

}  // namespace gridspan::tools
