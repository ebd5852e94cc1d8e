// What the forms of a kernel ask about the arrays that it is given.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"
#include "runtime/memory/allocation_table.h"

#include <boost/container/small_vector.hpp>

#include <cstdint>

namespace gridspan::runtime {

/// Some form of the kernel does; else nothing need be found out.
bool asks_about_arguments(const abi::Kernel& kernel);

/// Of the pointers among a launch's arguments, but null ones.
class AboutArguments {
 public:
  /// One of them points into this.
  void add(const Allocation& allocation);
  /// One of them points to what nobody knows.
  void add_unknown() { are_distinct_ = are_small_ = false; }

  /// See abi::LaunchContext.
  bool are_distinct() const { return are_distinct_; }
  bool are_small() const { return are_small_; }

 private:
  bool are_distinct_ = true, are_small_ = true;
  boost::container::small_vector<std::uintptr_t, 8> bases_;
};

}  // namespace gridspan::runtime
