// Generators whose numbers follow from the ones before: a thread for each lane.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/rand/kernels/draws.h"
#include "libraries/support/home.h"
#include "libraries/support/start_kernel.h"

#include <algorithm>
#include <type_traits>

namespace gridspan::libraries::rand {
namespace {

template <typename Source>
constexpr bool is_paired = std::is_same_v<Source, Normal> || std::is_same_v<Source, NormalDouble>;

template <typename State>
__global__ void start(State* states, int lanes, unsigned long long seed, unsigned long long level,
                      int ahead, bool own_seeds) {
  const int lane = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (lane >= lanes) return;
  State state;
  // Golden-ratio steps: neighbours' seeds differ in all bits.
  const unsigned long long own = own_seeds ? lane : 0;
  curand_init(seed + own * 0x9E3779B97F4A7C15ull, own_seeds ? 0 : lane,
              level + (lane < ahead ? 1 : 0), &state);
  states[lane] = state;
}

/// The numbers of a unit, one behind the other.
template <typename T, bool paired>
struct Unit {
  T x;
};
template <typename T>
struct Unit<T, true> {
  T x, y;
};

template <typename Source, typename State, typename Made>
__forceinline__ __device__ auto next(State* state, const Made& made) {
  using Number = typename Made::Number;
  if constexpr (is_paired<Source>) {
    const auto pair = Source::two(state);
    return Unit<Number, true>{made.of(pair.x), made.of(pair.y)};
  } else {
    return Unit<Number, false>{made.of(Source::one(state))};
  }
}

/// A round's numbers lie far behind those of the round before. So a block of so many lanes does so
/// many rounds of all its lanes before it does others: whole stretches of few pages are written.
constexpr int draw_rounds = 16;

/// Lanes of a block: a GPU has more multiprocessors than a CPU has cores.
int draw_block() { return is_home_on_gpu() ? 64 : 512; }

/// A unit of each lane in every round, and of the first `rest` lanes once more. There are `stride`
/// units from a round to the next.
template <typename State, typename Source, typename Made>
__global__ void draw(State* states, int lanes, int stride, int rounds, int rest,
                     Unit<typename Made::Number, is_paired<Source>>* units, Made made) {
  const int lane = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const bool is_lane = lane < lanes;
  State state;
  if (is_lane) state = states[lane];
  const int whole = rounds / draw_rounds;
  for (int tile = 0; tile < whole; ++tile) {
    if (is_lane)
      for (int round = 0; round < draw_rounds; ++round)
        units[(tile * draw_rounds + round) * static_cast<long long>(stride) + lane] =
            next<Source>(&state, made);
    __syncthreads();
  }
  if (is_lane)
    for (int round = whole * draw_rounds; round < rounds; ++round)
      units[round * static_cast<long long>(stride) + lane] = next<Source>(&state, made);
  if (lane < rest)
    units[rounds * static_cast<long long>(stride) + lane] = next<Source>(&state, made);
  if (is_lane) states[lane] = state;
}

/// `count` units: those that begin with the first of these lanes, and come to it every `stride`.
template <typename State, typename Source, typename Made>
cudaError_t launch_part(State* states, int lanes, int stride, void* numbers, std::int64_t count,
                        Source, Made made, cudaStream_t stream) {
  if (count <= 0) return cudaSuccess;
  using Numbers = Unit<typename Made::Number, is_paired<Source>>;
  const std::int64_t rounds = count / stride,
                     in_last = std::min<std::int64_t>(lanes, count % stride);
  const int used = rounds > 0 ? lanes : static_cast<int>(in_last);
  const int width = draw_block(), blocks = (used + width - 1) / width;
  return start_kernel(draw<State, Source, Made>, dim3(blocks), dim3(width), stream, states, used,
                      stride, rounds, in_last, static_cast<Numbers*>(numbers), made);
}

template <typename State, typename Source, typename Made>
cudaError_t launch_draw(State* states, int lanes, int first, const Request& request, Source source,
                        Made made, cudaStream_t stream) {
  using Numbers = Unit<typename Made::Number, is_paired<Source>>;
  const std::int64_t units = request.count / (is_paired<Source> ? 2 : 1);
  auto* const numbers = static_cast<Numbers*>(request.numbers);
  const int before_end = lanes - first;
  const cudaError_t error =
      launch_part(states + first, before_end, lanes, numbers, units, source, made, stream);
  if (error != cudaSuccess || first == 0) return error;
  return launch_part(states, first, lanes, numbers + before_end, units - before_end, source, made,
                     stream);
}

/// Calls `run` with the states of a recurrence.
template <typename Run>
auto with_states(Recurrence recurrence, void* states, Run run) {
  return recurrence == Recurrence::xorwow ? run(static_cast<curandStateXORWOW_t*>(states))
                                          : run(static_cast<curandStateMRG32k3a_t*>(states));
}

}  // namespace

std::int64_t state_bytes(Recurrence recurrence) {
  return with_states(recurrence, nullptr,
                     [](auto* states) { return static_cast<std::int64_t>(sizeof(*states)); });
}

int unit_of(Kind kind) {
  return kind == Kind::normal || kind == Kind::normal_double || kind == Kind::log_normal ||
                 kind == Kind::log_normal_double
             ? 2
             : 1;
}

cudaError_t launch_start(Recurrence recurrence, void* states, int lanes, std::uint64_t seed,
                         std::uint64_t offset, bool own_seeds, cudaStream_t stream) {
  return with_states(recurrence, states, [&](auto* typed) {
    return start_kernel(start<std::remove_pointer_t<decltype(typed)>>, dim3(blocks_of(lanes)),
                        dim3(block), stream, typed, lanes, seed, offset / lanes,
                        static_cast<int>(offset % lanes), own_seeds);
  });
}

cudaError_t launch_recurrence(Recurrence recurrence, void* states, int lanes, int first,
                              const Request& request, cudaStream_t stream) {
  return with_states(recurrence, states, [&](auto* typed) {
    return with_draw(request, [&](auto source, auto made) {
      return launch_draw(typed, lanes, first, request, source, made, stream);
    });
  });
}

}  // namespace gridspan::libraries::rand
