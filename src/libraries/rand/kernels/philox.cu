// Philox: a thread for each unit of four numbers, from its place alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/rand/kernels/draws.h"
#include "libraries/support/start_kernel.h"

#include <algorithm>

namespace gridspan::libraries::rand {
namespace {

/// A unit is of lane `unit` % 65536, after `level` numbers of it, after the `used` ones that the
/// round took before if it had come as far, and after the lane's units of this launch.
template <typename Source, typename Made>
__global__ void draw(unsigned long long seed, unsigned long long level, int used, int lane,
                     int part, typename Made::Number* numbers, long long count, Made made) {
  const long long place = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  const long long start = 4 * place - part;
  if (start >= count) return;
  const long long unit = lane + place, round = unit / philox_lanes, own = unit % philox_lanes;
  curandStatePhilox4_32_10_t state;
  curand_init(
      seed, own,
      level + round * Source::philox_numbers + (own < lane ? used - Source::philox_numbers : 0),
      &state);
  const auto four = Source::four(&state);
  if (start >= 0) numbers[start] = made.of(four.x);
  if (start + 1 >= 0 && start + 1 < count) numbers[start + 1] = made.of(four.y);
  if (start + 2 >= 0 && start + 2 < count) numbers[start + 2] = made.of(four.z);
  if (start + 3 < count) numbers[start + 3] = made.of(four.w);
}

}  // namespace

cudaError_t launch_philox(PhiloxPlace& place, const Request& request, cudaStream_t stream) {
  return with_draw(request, [&](auto source, auto made) {
    using Made = decltype(made);
    using Source = decltype(source);
    const std::int64_t parts = place.part + request.count, units = (parts + 3) / 4;
    const cudaError_t error =
        start_kernel(draw<Source, Made>, dim3(blocks_of(units)), dim3(block), stream, place.seed,
                     place.level, place.used, place.lane, place.part,
                     static_cast<typename Made::Number*>(request.numbers), request.count, made);
    if (error != cudaSuccess) return error;
    const std::int64_t lane = place.lane + parts / 4, rounds = lane / philox_lanes;
    // No number twice: from the next round on, lanes are as far as the farthest.
    constexpr int taken = Source::philox_numbers;
    const int farthest = std::max(taken, place.lane > 0 || place.part > 0 ? place.used : 0);
    place.used = rounds > 0 ? taken : farthest;
    if (rounds > 0)
      place.level += static_cast<std::uint64_t>(farthest + (rounds - 1) * std::int64_t{taken});
    place.lane = static_cast<int>(lane % philox_lanes);
    place.part = static_cast<int>(parts % 4);
    return cudaSuccess;
  });
}

}  // namespace gridspan::libraries::rand
