// Lines and functions of a host program's addresses, for the run time's messages.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace gridspan::driver {

/// The command line is gridcc --host-place=FILE:0xOFFSET..., with nothing else.
bool asks_for_host_places(int argc, char** argv);

/// Prints for each the functions that are there, innermost first, those that were inlined among
/// them: a line with the function's name, a tabulator, file:line; each is empty where FILE does not
/// tell. Behind the last an empty line. Returns the exit status.
int print_host_places(int argc, char** argv);

}  // namespace gridspan::driver
