// Pieces of work in processes of their own, on processors that nobody uses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `make -j` and `ninja` have a gridcc for each processor; who compiles a single file has the others
// idle. So another piece begins when the system has less to run than it has processors.
#pragma once

#include <cstddef>
#include <functional>

namespace gridspan::driver {

/// How many pieces are done at a time.
struct AtATime {
  unsigned most = 0;    // 0: as many as there are processors, up to 8
  bool if_idle = true;  // another one only while there is a processor for it
};

/// Does pieces 0 to `count - 1`, each in a copy of this process: of what it does, files and what it
/// says to standard error remain. That comes in the order of the pieces. False if a piece did not
/// succeed: then those behind it are given up. No other thread may run meanwhile.
bool do_side_by_side(std::size_t count, AtATime at_a_time,
                     const std::function<bool(std::size_t piece)>& work);

/// Processors that this process may use.
unsigned usable_processors();

}  // namespace gridspan::driver
