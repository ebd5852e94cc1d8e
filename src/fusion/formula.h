// A number of bytes as a polynomial in a launch's parameters.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/size_formula.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace gridspan::fusion {

class Formula {
 public:
  /// Adds the boxes' elements, of so many bytes each. Products are taken apart.
  void add(const model::SizeFormula& size, unsigned element_bytes, const model::Kernel& kernel);
  Formula& operator+=(const Formula& other);

  /// Whether it has no other parameters than these.
  bool is_of(const std::set<std::string>& parameters) const;
  double at(const model::Values& launch) const;
  /// "28*n": leading terms only. `spelled` says how a person writes a parameter.
  using Spelled = std::function<std::string(const std::string&)>;
  std::string text(const Spelled& spelled) const;
  friend bool operator==(const Formula&, const Formula&) = default;

 private:
  using Monomial = std::vector<std::string>;  // parameters, sorted
  using Terms = std::map<Monomial, double>;
  bool is_led(const Monomial& monomial) const;
  static Terms side(const model::SizeFormula::Sum& sum, const model::Kernel& kernel);

  Terms terms_;
};

}  // namespace gridspan::fusion
