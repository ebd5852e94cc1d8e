// What a unit of a generator's becomes: raw numbers of a source, and what is made of each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/rand/kernels/generate.h"

#include <curand_kernel.h>

namespace gridspan::libraries::rand {

// --- sources: `one` number of a state, a pair, four of Philox's; how many numbers four take

struct Bits {
  static constexpr int philox_numbers = 4;
  template <typename State>
  __forceinline__ __device__ static auto one(State* state) {
    return curand(state);
  }
  __forceinline__ __device__ static uint4 four(curandStatePhilox4_32_10_t* state) {
    return curand4(state);
  }
};
struct Uniform {
  static constexpr int philox_numbers = 4;
  template <typename State>
  __forceinline__ __device__ static float one(State* state) {
    return curand_uniform(state);
  }
  __forceinline__ __device__ static float4 four(curandStatePhilox4_32_10_t* state) {
    return curand_uniform4(state);
  }
};
struct UniformDouble {
  static constexpr int philox_numbers = 8;
  template <typename State>
  __forceinline__ __device__ static double one(State* state) {
    return curand_uniform_double(state);
  }
  __forceinline__ __device__ static double4 four(curandStatePhilox4_32_10_t* state) {
    return curand_uniform4_double(state);
  }
};
struct Normal {
  static constexpr int philox_numbers = 4;
  template <typename State>
  __forceinline__ __device__ static float one(State* state) {
    return curand_normal(state);
  }
  template <typename State>
  __forceinline__ __device__ static float2 two(State* state) {
    return curand_normal2(state);
  }
  __forceinline__ __device__ static float4 four(curandStatePhilox4_32_10_t* state) {
    return curand_normal4(state);
  }
};
struct NormalDouble {
  static constexpr int philox_numbers = 8;
  template <typename State>
  __forceinline__ __device__ static double one(State* state) {
    return curand_normal_double(state);
  }
  template <typename State>
  __forceinline__ __device__ static double2 two(State* state) {
    return curand_normal2_double(state);
  }
  __forceinline__ __device__ static double4 four(curandStatePhilox4_32_10_t* state) {
    return curand_normal4_double(state);
  }
};

// --- what is made of a number

template <typename T>
struct Same {
  using Number = T;
  template <typename Source>
  __device__ T of(Source x) const {
    return static_cast<T>(x);
  }
};
template <typename T>
struct Shifted {
  using Number = T;
  T mean, deviation;
  __device__ T of(T x) const { return mean + deviation * x; }
};
template <typename T>
struct Exponential {
  using Number = T;
  T mean, deviation;
  __device__ T of(T x) const { return gridspan_rand::log_normal(mean, deviation, x); }
};
/// As gridspan_rand::discrete, but the search begins in the part that the guide names: most parts
/// have one number or two.
struct TablePoisson {
  using Number = unsigned int;
  curandDiscreteDistribution_t table;
  __device__ unsigned int of(double x) const {
    const auto* const guide = reinterpret_cast<const unsigned int*>(table->sums + table->length);
    const int found = static_cast<int>(x * guide_parts);
    const int part = found < guide_parts ? found : guide_parts - 1;
    unsigned int first = guide[part], count = guide[part + 1] - first;
    while (count > 0) {
      const unsigned int half = count / 2;
      const bool is_beyond = table->sums[first + half] < x;
      first = is_beyond ? first + half + 1 : first;
      count = is_beyond ? count - half - 1 : half;
    }
    return table->shift + first;
  }
};
/// Its normal approximation.
struct RoundedPoisson {
  using Number = unsigned int;
  double mean;
  __device__ unsigned int of(double x) const {
    return gridspan_rand::rounded_poisson(-1.41421356237309515 * erfcinv(2 * x), mean);
  }
};

/// Calls `run` with a source and with what is made of its numbers.
template <typename Run>
cudaError_t with_draw(const Request& request, Run run) {
  const double a = request.a, b = request.b;
  const auto short_a = static_cast<float>(a), short_b = static_cast<float>(b);
  switch (request.kind) {
    case Kind::bits:
      return run(Bits(), Same<unsigned int>());
    case Kind::long_bits:
      return run(Bits(), Same<unsigned long long>());
    case Kind::uniform:
      return run(Uniform(), Same<float>());
    case Kind::uniform_double:
      return run(UniformDouble(), Same<double>());
    case Kind::normal:
      return run(Normal(), Shifted<float>{short_a, short_b});
    case Kind::normal_double:
      return run(NormalDouble(), Shifted<double>{a, b});
    case Kind::log_normal:
      return run(Normal(), Exponential<float>{short_a, short_b});
    case Kind::log_normal_double:
      return run(NormalDouble(), Exponential<double>{a, b});
    case Kind::poisson:
      return request.table ? run(UniformDouble(), TablePoisson{request.table})
                           : run(UniformDouble(), RoundedPoisson{a});
  }
  return cudaErrorInvalidValue;
}

constexpr unsigned block = 256;

inline unsigned blocks_of(std::int64_t threads) {
  return static_cast<unsigned>((threads + block - 1) / block);
}

}  // namespace gridspan::libraries::rand
