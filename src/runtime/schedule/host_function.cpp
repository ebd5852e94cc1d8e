// Knows which threads run functions of the program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/schedule/host_function.h"

namespace gridspan::runtime {

namespace {

thread_local bool runs_host_function = false;

}  // namespace

bool in_host_function() { return runs_host_function; }

void run_host_function(const HostCommand& command, bool after_fault) {
  if (after_fault && !command.always) return;
  runs_host_function = true;
  command.function(command.data, after_fault);
  runs_host_function = false;
}

}  // namespace gridspan::runtime
