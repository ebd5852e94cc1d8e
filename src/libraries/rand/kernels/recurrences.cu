// Generators whose numbers follow from the ones before: a thread for each lane.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/rand/kernels/draws.h"
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

/// Units `first`, `first` + `lanes` … of the result are the first lane's, and so on.
template <typename State, typename Source, typename Made>
__global__ void draw(State* states, int count_of_lanes, int lanes, int first,
                     typename Made::Number* numbers, long long units, Made made) {
  const int lane = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (lane >= count_of_lanes) return;
  State state = states[lane];
  for (long long unit = first + lane; unit < units; unit += lanes) {
    if constexpr (is_paired<Source>) {
      const auto pair = Source::two(&state);
      numbers[2 * unit] = made.of(pair.x);
      numbers[2 * unit + 1] = made.of(pair.y);
    } else {
      numbers[unit] = made.of(Source::one(&state));
    }
  }
  states[lane] = state;
}

template <typename State, typename Source, typename Made>
cudaError_t launch_draw(State* states, int lanes, int first, const Request& request, Source,
                        Made made, cudaStream_t stream) {
  using Number = typename Made::Number;
  const std::int64_t units = request.count / (is_paired<Source> ? 2 : 1);
  const int before_end = static_cast<int>(std::min<std::int64_t>(lanes - first, units));
  const int from_start = static_cast<int>(std::min<std::int64_t>(first, units - before_end));
  cudaError_t error = start_kernel(draw<State, Source, Made>, dim3(blocks_of(before_end)),
                                   dim3(block), stream, states + first, before_end, lanes, 0,
                                   static_cast<Number*>(request.numbers), units, made);
  if (error == cudaSuccess && from_start > 0)
    error = start_kernel(draw<State, Source, Made>, dim3(blocks_of(from_start)), dim3(block),
                         stream, states, from_start, lanes, before_end,
                         static_cast<Number*>(request.numbers), units, made);
  return error;
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
