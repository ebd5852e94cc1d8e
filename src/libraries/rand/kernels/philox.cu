// Philox: a thread for each unit of four numbers, from its place alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/rand/kernels/draws.h"
#include "libraries/support/start_kernel.h"

#include <algorithm>
#include <cstdint>

namespace gridspan::libraries::rand {
namespace {

/// Where a launch begins, so that a thread's place of 32 bits is enough.
struct Begin {
  std::uint64_t seed;
  std::uint64_t counter;      // of unit 0's round
  unsigned in_round;          // units of that round before unit 0
  int ahead, first;           // as in PhiloxPlace
  std::uint64_t keys[10][2];  // of each round, as lanes of products: operands in memory
};

Begin begin_of(const PhiloxPlace& place) {
  const auto units = static_cast<std::uint64_t>(place.units);
  Begin begin{place.seed,
              place.level / 4 + units / philox_lanes * (place.taken / 4),
              static_cast<unsigned>(units % philox_lanes),
              place.ahead,
              place.first,
              {}};
  for (unsigned round = 0; round < 10; ++round) {
    begin.keys[round][0] = static_cast<unsigned>(place.seed) + round * 0x9E3779B9u;
    begin.keys[round][1] = static_cast<unsigned>(place.seed >> 32) + round * 0xBB67AE85u;
  }
  return begin;
}

/// gridspan_rand::philox, with its keys.
__forceinline__ __device__ uint4 philox(uint4 counter, const Begin& from) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xD2511F53ull * counter.x, b = 0xCD9E8D57ull * counter.z;
    counter = {
        static_cast<unsigned>(b >> 32) ^ counter.y ^ static_cast<unsigned>(from.keys[round][0]),
        static_cast<unsigned>(b),
        static_cast<unsigned>(a >> 32) ^ counter.w ^ static_cast<unsigned>(from.keys[round][1]),
        static_cast<unsigned>(a)};
  }
  return counter;
}

/// The numbers of a unit.
template <typename Source>
__forceinline__ __device__ auto unit(const Begin& from, unsigned place) {
  const unsigned since = from.in_round + place, lane = (from.first + since) % philox_lanes;
  const std::uint64_t counter = from.counter + since / philox_lanes * (Source::philox_numbers / 4) +
                                (static_cast<int>(lane) < from.ahead ? 1 : 0);
  curandStatePhilox4_32_10_t state;
  curand_init(from.seed, lane, 0, &state);
  gridspan_rand::add(&state.ctr, counter);
  state.output = philox(state.ctr, from);
  return Source::four(&state);
}

template <typename T>
struct alignas(16) Four {
  T x, y, z, w;
};

/// Whole units, each at a place of its size: one store.
template <typename Source, typename Made>
__global__ void draw_whole(Begin from, Four<typename Made::Number>* numbers, int units, Made made) {
  const int place = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (place >= units) return;
  const auto four = unit<Source>(from, place);
  numbers[place] = {made.of(four.x), made.of(four.y), made.of(four.z), made.of(four.w)};
}

/// `part` numbers of the first unit have been given.
template <typename Source, typename Made>
__global__ void draw(Begin from, int part, typename Made::Number* numbers, long long count,
                     Made made) {
  const long long place = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  const long long start = 4 * place - part;
  if (start >= count) return;
  const auto four = unit<Source>(from, static_cast<unsigned>(place));
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

template <typename Source, typename Made>
cudaError_t launch_draw(PhiloxPlace& place, typename Made::Number* numbers, std::int64_t count,
                        Made made, cudaStream_t stream) {
  using Number = typename Made::Number;
  if (count == 0) return cudaSuccess;
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(numbers) % alignof(Four<Number>) == 0;
  const bool is_whole = place.part == 0 && is_aligned && count >= 4;
  const std::int64_t here = is_whole ? count / 4 * 4 : count, parts = place.part + here;
  const dim3 blocks(blocks_of((parts + 3) / 4));
  const cudaError_t error =
      is_whole
          ? start_kernel(draw_whole<Source, Made>, blocks, dim3(block), stream, begin_of(place),
                         reinterpret_cast<Four<Number>*>(numbers), here / 4, made)
          : start_kernel(draw<Source, Made>, blocks, dim3(block), stream, begin_of(place),
                         place.part, numbers, here, made);
  if (error != cudaSuccess) return error;
  place.units += parts / 4;
  place.part = static_cast<int>(parts % 4);
  return launch_draw<Source>(place, numbers + here, count - here, made, stream);
}

/// Numbers of one launch, whose units an int counts.
constexpr std::int64_t most_at_once = std::int64_t{1} << 32;

}  // namespace

cudaError_t launch_philox(PhiloxPlace& place, const Request& request, cudaStream_t stream) {
  return with_draw(request, [&](auto source, auto made) {
    using Source = decltype(source);
    using Number = typename decltype(made)::Number;
    if (place.taken != Source::philox_numbers) begin_round(place, Source::philox_numbers);
    auto* numbers = static_cast<Number*>(request.numbers);
    cudaError_t error = cudaSuccess;
    for (std::int64_t rest = request.count; error == cudaSuccess && rest > 0;) {
      const std::int64_t here = std::min(rest, most_at_once);
      error = launch_draw<Source>(place, numbers, here, made, stream);
      numbers += here;
      rest -= here;
    }
    return error;
  });
}

}  // namespace gridspan::libraries::rand
