// MT19937: what a generator keeps of its streams, and where it has come to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/rand/kernels/mt19937.h"
#include "libraries/support/device_array.h"

namespace gridspan::libraries::rand::mt19937 {

struct Place {
  DeviceArray polynomials, first_table;      // by which streams are made,
  DeviceArray sequences, tables, high_bits;  // and what is kept of a batch of them meanwhile
  DeviceArray states;
  int made = 0;  // streams that have states: as many as were asked for
  std::int64_t period = 0;
  std::int64_t next = 0;  // the number that comes next
};

/// From the seed's first number on. Of a seed, 32 bits are used, as NVIDIA's library does.
curandStatus_t start(Place& place, std::uint32_t seed, cudaStream_t stream);

/// All streams, before their numbers are asked for.
curandStatus_t make_all(Place& place, cudaStream_t stream);

/// The place goes on.
cudaError_t draw(Place& place, const Request& request, cudaStream_t stream);

}  // namespace gridspan::libraries::rand::mt19937
