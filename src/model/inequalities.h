// Linear constraints by name, made into sets without isl's parser.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/isl.h"

#include <map>
#include <set>

namespace gridspan::model {

/// Names times whole numbers, and a number.
class Sum {
 public:
  Sum(long constant) : constant_(constant) {}
  Sum(const std::string& name) : terms_{{name, 1}} {}
  Sum& operator+=(const Sum& other);
  friend Sum operator+(Sum a, const Sum& b) { return a += b; }
  friend Sum operator-(const Sum& a) { return Sum(0) - a; }
  friend Sum operator-(Sum a, const Sum& b);

  const std::map<std::string, long>& terms() const { return terms_; }
  long constant() const { return constant_; }

 private:
  std::map<std::string, long> terms_;
  long constant_ = 0;
};

/// `sum` is zero, or not negative.
struct LinearConstraint {
  Sum sum;
  bool is_zero = false;
};

inline LinearConstraint operator>=(const Sum& a, const Sum& b) { return {a - b}; }
inline LinearConstraint operator<=(const Sum& a, const Sum& b) { return {b - a}; }
inline LinearConstraint operator==(const Sum& a, const Sum& b) { return {a - b, true}; }

/// All of them hold.
using Conjunction = std::vector<LinearConstraint>;

/// What all constraints say of parameters, and, of each list of cases, at least one case.
class Constraints {
 public:
  void add(const LinearConstraint& constraint) { always_.push_back(constraint); }
  void add_cases(const std::vector<Conjunction>& cases) { cases_.push_back(cases); }
  isl::set set(isl::ctx context) const;

 private:
  Conjunction always_;
  std::vector<std::vector<Conjunction>> cases_;
};

}  // namespace gridspan::model
