// Launches written twice, as models and as C++, and the second run block by block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fusion/launch.h"
#include "reference.h"

#include <list>

namespace gridspan::fusion::test {

using model::AccessKind;
using model::test::Body;
using model::test::Element;
using model::test::Elements;

/// What one launch of a sequence touches, in its own words.
struct Touching {
  std::string array;  // of the sequence
  AccessKind kind = AccessKind::read;
  Body body;
};

/// One launch under construction. Arguments: n and m, then arrays in the order in which they are
/// first named; the sequence's number of an array is its letter.
class TestLaunch {
 public:
  explicit TestLaunch(isl::ctx context);

  /// Element factor*x + shift for each thread's global index x in [low, n - high), x along axis 0.
  struct Linear {
    long factor = 1, shift = 0, low = 0, high = 0;
    bool of_m = false;  // guarded by m, not n
  };
  TestLaunch& linear(const std::string& array, AccessKind kind, const Linear& form,
                     bool exact = true);
  /// Element x + (dy, dx) of a matrix of n rows and m columns for threads inside of a border.
  TestLaunch& plane(const std::string& array, AccessKind kind, long dy, long dx, long border);
  /// Element (x, y) of a square matrix of n rows.
  TestLaunch& transposed(const std::string& array, AccessKind kind);
  /// Elements of the block's own stretch of n, from its end on: thread 0 has the last one.
  TestLaunch& mirrored(const std::string& array, AccessKind kind);
  /// One element for each block.
  TestLaunch& of_block(const std::string& array, AccessKind kind);
  /// All n elements, by each block.
  TestLaunch& all(const std::string& array, AccessKind kind);

  /// `of_arrays`: array of this launch -> letter of the sequence, where they differ.
  Launch launch() const;
  Elements touched(char array, AccessKind kind, const model::test::Launch& shape,
                   const model::test::Index& block) const;
  Elements touched(char array, AccessKind kind, const model::test::Launch& shape,
                   const model::test::Index& block, const model::test::Index& thread) const;
  const model::Kernel& kernel() const { return kernel_.kernel; }
  int grid_shape = 0, block_shape = 0;  // equal numbers, equal shapes
  int m_value = 'm';                    // its number in the sequence

 private:
  TestLaunch& add(const std::string& array, AccessKind kind, const std::string& relation,
                  const Body& body, bool exact);

  model::test::TestKernel kernel_;
  std::vector<Touching> touching_;
};

using Sequence = std::list<TestLaunch>;

std::vector<Launch> launches(const Sequence& sequence);

/// Calls `visit` for each block of the grid, for each thread of a block.
void for_each_thread(const model::test::Launch& shape,
                     const std::function<void(const model::test::Index&)>& visit);
void for_each_block(const model::test::Launch& shape,
                    const std::function<void(const model::test::Index&)>& visit);

}  // namespace gridspan::fusion::test
