// Philox: a thread for each unit of four numbers, from its place alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/rand/kernels/draws.h"
#include "libraries/support/start_kernel.h"

namespace gridspan::libraries::rand {
namespace {

template <typename Source, typename Made>
__global__ void draw(PhiloxPlace from, typename Made::Number* numbers, long long count, Made made) {
  const long long place = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  const long long start = 4 * place - from.part;
  if (start >= count) return;
  const long long unit = from.units + place, lane = (from.first + unit) % philox_lanes;
  const unsigned long long numbers_before =
      from.level + (lane < from.ahead ? 4 : 0) + unit / philox_lanes * Source::philox_numbers;
  curandStatePhilox4_32_10_t state;
  curand_init(from.seed, lane, 0, &state);
  gridspan_rand::add(&state.ctr, numbers_before / 4);  // of whole fours: the state stays simple
  state.output = gridspan_rand::philox(state.ctr, state.key);
  const auto four = Source::four(&state);
  if (start >= 0) numbers[start] = made.of(four.x);
  if (start + 1 >= 0 && start + 1 < count) numbers[start + 1] = made.of(four.y);
  if (start + 2 >= 0 && start + 2 < count) numbers[start + 2] = made.of(four.z);
  if (start + 3 < count) numbers[start + 3] = made.of(four.w);
}

/// Units take another count of numbers from now on. None comes twice: all lanes go on from where
/// the farthest is.
void begin_round(PhiloxPlace& place, int taken) {
  const std::int64_t begun = place.units + (place.part > 0 ? 1 : 0);
  const std::int64_t rounds = (begun + philox_lanes - 1) / philox_lanes;
  place.level += static_cast<std::uint64_t>(rounds * place.taken);
  place.first = static_cast<int>((place.first + place.units) % philox_lanes);
  place.units = 0;
  place.taken = taken;
}

}  // namespace

cudaError_t launch_philox(PhiloxPlace& place, const Request& request, cudaStream_t stream) {
  return with_draw(request, [&](auto source, auto made) {
    using Made = decltype(made);
    using Source = decltype(source);
    if (place.taken != Source::philox_numbers) begin_round(place, Source::philox_numbers);
    const std::int64_t parts = place.part + request.count;
    const cudaError_t error = start_kernel(
        draw<Source, Made>, dim3(blocks_of((parts + 3) / 4)), dim3(block), stream, place,
        static_cast<typename Made::Number*>(request.numbers), request.count, made);
    if (error != cudaSuccess) return error;
    place.units += parts / 4;
    place.part = static_cast<int>(parts % 4);
    return cudaSuccess;
  });
}

}  // namespace gridspan::libraries::rand
