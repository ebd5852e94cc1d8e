// MT19937: threads for streams go on by a period, threads for eight numbers each deal them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/rand/kernels/mt19937.h"

#include "libraries/rand/kernels/draws.h"
#include "libraries/support/start_kernel.h"

#include <cstdint>

namespace gridspan::libraries::rand::mt19937 {
namespace {

/// The word that follows from `now`, the `next` one, and the one 397 `behind` it.
__forceinline__ __device__ unsigned turned(unsigned now, unsigned next, unsigned behind) {
  const unsigned y = (now & 0x80000000) | (next & 0x7FFFFFFF);
  return behind ^ y >> 1 ^ (y & 1 ? twist : 0);
}

/// In place: words are overwritten when nothing follows from them any more.
__global__ void turn(unsigned* states, int first, int count) {
  const int place = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int stream = first + place;
  if (place >= count || stream >= streams) return;
  unsigned now = states[stream];
  const auto step = [&](int n, int after, int behind) {
    const unsigned next = states[after * row + stream];
    states[n * row + stream] = turned(now, next, states[behind * row + stream]);
    now = next;
  };
  for (int n = 0; n < words - 397; ++n) step(n, n + 1, n + 397);
  for (int n = words - 397; n < words - 1; ++n) step(n, n + 1, n + 397 - words);
  step(words - 1, 0, 396);
}

__forceinline__ __device__ unsigned tempered(unsigned x) {
  x ^= x >> 11;
  x ^= x << 7 & 0x9D2C5680;
  x ^= x << 15 & 0xEFC60000;
  return x ^ x >> 18;
}

/// Which of its stream's words number j of a round is. The first round takes a word of eight of the
/// eleven parts of a period; rounds take the others in order, part by part, seven rounds a part.
__forceinline__ __device__ int word_of(int in_period, int j) {
  if (in_period == 0) return (11 * j + 7) / 8 * 56 + j;
  const int part = (in_period - 1) / 7, taken = 8 * part / 11 + 1;
  return 56 * part + taken + (in_period - 1) % 7 + 7 * j;
}

/// A state of one number, and what NVIDIA's library makes of it. Doubles are made of 32 bits, too;
/// an even number in float is the double, rounded. Normal ones come by the inverse, as Sobol's do.
struct Given {
  unsigned int number;
};
__forceinline__ __device__ unsigned int curand(const Given* state) { return state->number; }
__forceinline__ __device__ double curand_uniform_double(const Given* state) {
  return gridspan_rand::middle(state->number);
}
__forceinline__ __device__ float curand_uniform(const Given* state) {
  return static_cast<float>(curand_uniform_double(state));
}
__forceinline__ __device__ float curand_normal(const Given* state) {
  return gridspan_rand::inverse_normal(state->number);
}
__forceinline__ __device__ double curand_normal_double(const Given* state) {
  return gridspan_rand::inverse_normal_double(state->number);
}

/// Number j of eight of a stream's. Eights are counted stream by stream, round by round.
template <typename Source, typename Made>
__forceinline__ __device__ auto number(const unsigned* states, int eight, int j, Made made) {
  const int word = word_of(eight / streams, j);
  Given state = {tempered(states[word * row + eight % streams])};
  return made.of(Source::one(&state));
}

template <typename T>
struct alignas(16) Eight {
  T a, b, c, d, e, f, g, h;
};

/// Whole eights, each at a place of 16 bytes: few stores.
template <typename Source, typename Made>
__global__ void draw_whole(const unsigned* states, int first, int count,
                           Eight<typename Made::Number>* numbers, Made made) {
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (thread >= count) return;
  const auto at = [&](int j) { return number<Source>(states, first + thread, j, made); };
  numbers[thread] = {at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)};
}

/// `before` numbers of the first eight are not asked for.
template <typename Source, typename Made>
__global__ void draw(const unsigned* states, int first, int before, int count,
                     typename Made::Number* numbers, Made made) {
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  for (int j = 0; j < together; ++j) {
    const int place = thread * together - before + j;
    if (place >= 0 && place < count)
      numbers[place] = number<Source>(states, first + thread, j, made);
  }
}

template <typename Source, typename Made>
cudaError_t launch(const unsigned* states, int start, int count, typename Made::Number* numbers,
                   Source, Made made, cudaStream_t stream) {
  using Whole = Eight<typename Made::Number>;
  const int first = start / together, before = start % together, whole = count / together;
  if (before == 0 && whole > 0 && reinterpret_cast<std::uintptr_t>(numbers) % alignof(Whole) == 0) {
    const cudaError_t error =
        start_kernel(draw_whole<Source, Made>, dim3(blocks_of(whole)), dim3(block), stream, states,
                     first, whole, reinterpret_cast<Whole*>(numbers), made);
    const int done = whole * together;
    if (error != cudaSuccess || done == count) return error;
    return launch(states, start + done, count - done, numbers + done, Source(), made, stream);
  }
  const dim3 blocks(blocks_of((before + count + together - 1) / together));
  return start_kernel(draw<Source, Made>, blocks, dim3(block), stream, states, first, before, count,
                      numbers, made);
}

}  // namespace

cudaError_t launch_turn(std::uint32_t* states, int first, int count, cudaStream_t stream) {
  constexpr int threads = 64;
  return start_kernel(turn, dim3((count + threads - 1) / threads), dim3(threads), stream, states,
                      first, count);
}

cudaError_t launch_draw(const std::uint32_t* states, int start, int count, std::int64_t done,
                        const Request& request, cudaStream_t stream) {
  return with_draw(request, [&](auto source, auto made) {
    using Number = typename decltype(made)::Number;
    return launch(states, start, count, static_cast<Number*>(request.numbers) + done, source, made,
                  stream);
  });
}

}  // namespace gridspan::libraries::rand::mt19937
