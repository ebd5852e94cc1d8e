// What a capturing stream is given.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "streams.h"

namespace fake_cuda {

/// Makes a node of what the stream, which captures, would do.
void capture(FakeStream& stream, FakeStream::Work work);

}  // namespace fake_cuda
