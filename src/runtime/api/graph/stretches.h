// Steps of an executable graph that a device takes as a whole.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between steps that are the host's (functions, copies from pageable memory, events, memory of
// graphs) lie stretches of those that are a device's:
//
//   kernel  kernel  copy  | host function |  kernel  memset  kernel
//   └──── stretch ─────┘                     └──── stretch ─────┘
//
// They are looked for when an executable is launched the second time in a row: until then its steps
// go into the stream one by one, and what it costs to make a graph of the device's is not spent on
// graphs that are launched once, or changed before each launch.
#pragma once

#include "runtime/api/graph/executable.h"
#include "runtime/api/stream_table.h"

namespace gridspan::runtime::graph {

/// To be called once for each launch. Empty if no device takes graphs.
const std::vector<Stretch>& stretches_of(Runtime& state, Stream& stream, Executable& executable);

/// Puts all of it into the stream. `is_submitted` is false if it has to go in step by step after
/// all: the program gave it other memory.
Status submit_stretch(Runtime& state, Stream& stream, const Executable& executable,
                      const Stretch& stretch, bool& is_submitted);

}  // namespace gridspan::runtime::graph
