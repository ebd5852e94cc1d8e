// Kernels written twice, as isl relations and as C++, and the second run block by block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/facts.h"
#include "model/prove.h"

#include <array>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace gridspan::model::test {

using Index = std::array<long, 3>;
using Element = std::vector<long>;
using Elements = std::set<Element>;
using Emit = std::function<void(Element)>;

struct Launch {
  Index grid{1, 1, 1}, block{1, 1, 1};
  std::map<std::string, long> arguments;
  long operator[](const std::string& name) const { return arguments.at(name); }
};

/// What one thread touches.
using Body =
    std::function<void(const Launch&, const Index& block, const Index& thread, const Emit&)>;

struct Part {
  Index first{0, 0, 0}, last{0, 0, 0};
};

/// A kernel under construction, and its independent meaning.
class TestKernel {
 public:
  explicit TestKernel(isl::ctx context);

  TestKernel& argument(const std::string& name, long smallest, long largest);
  TestKernel& product_parameter(const std::string& name, const std::vector<std::string>& factors);
  TestKernel& loop(const std::string& name);
  /// With the product parameters that bound it.
  TestKernel& product(const std::string& name, const std::string& factor, const std::string& base);
  TestKernel& context(const std::string& condition);

  /// Relation: "[dims] -> A[...] : ...", parameters are declared here.
  Access& access(const std::string& array, AccessKind kind, const std::string& relation,
                 const Body& body, bool exact = true);
  Access& read(const std::string& array, const std::string& relation, const Body& body) {
    return access(array, AccessKind::read, relation, body);
  }
  Access& write(const std::string& array, const std::string& relation, const Body& body) {
    return access(array, AccessKind::write, relation, body);
  }

  /// Runs the proofs, then compares with the bodies at random launches and parts.
  void check(unsigned launches = 60, unsigned seed = 1);
  void prove();

  Array& array(const std::string& name);
  const AccessSet& set(const std::string& array, SetKind kind);
  Kernel kernel;
  long most_threads = 5, most_blocks = 4;

 private:
  Launch random_launch();
  Part random_part(const Launch& launch);
  std::map<std::string, long> values(const Launch& launch) const;
  Elements touched(const std::string& array, unsigned access, const Launch& launch,
                   const Part& part) const;
  Elements image(const AccessSet& set, const Launch& launch, const Part& part) const;
  void check_set(const Array& array, const AccessSet& set, const Launch& launch, const Part& part);
  void check_axis(unsigned axis, const Launch& launch);
  bool may_meet(const Array& array, unsigned first, unsigned second) const;

  struct Range {
    long smallest, largest;
  };
  std::map<std::string, Range> arguments_;
  std::map<std::string, std::vector<Body>> bodies_;
  std::mt19937 random_;
};

}  // namespace gridspan::model::test
