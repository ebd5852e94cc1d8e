// What a process that ends does before anything else.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process that ends does what was registered last first. A library that is loaded while the
// program runs (the compiler of NVIDIA's driver) so takes itself down before whoever came earlier
// can end the threads that are in it. But while it works, it registers what it makes for itself,
// and a process that ends just then destroys that under its hands. Earlier than everything
// registered go the variables of the thread that ends the process: so the process's first thread
// has one whose destructor does it, too.
#pragma once

namespace gridspan::support {

/// `work` may be done several times; once it was, the process is as good as ended. Nothing is done
/// before the first `be_first_at_exit`, but by the first thread.
void set_first_at_exit(void (*work)());

/// From now on the work is done before all that is registered so far. Thread safe, and right while
/// the process ends.
void be_first_at_exit();

}  // namespace gridspan::support
