// cuRAND's device functions: every generator's integers against the papers', jumps of all sizes,
// distributions against their distribution functions, pairs and fours against single numbers;
// poisoned outputs, odd sizes. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define QUALIFIERS static __forceinline__ __host__ __device__
#include <curand_kernel.h>

#include "library_check.h"
#include "rand_distributions.h"
#include "rand_references.h"

#include <functional>

namespace {

constexpr int draws = 7;

template <typename State, typename Number, typename Draw>
__global__ void draw_from(uint64_t seed, uint64_t first, uint64_t step, uint64_t offset, int count,
                          int each, Number* out, Draw draw) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  State state;
  curand_init(seed, first + step * i, offset, &state);
  for (int j = 0; j < each; ++j) out[i * each + j] = draw(&state);
}

template <typename State, typename Draw>
auto numbers(uint64_t seed, uint64_t first, uint64_t step, uint64_t offset, int count, int each,
             Draw draw) {
  using Number = decltype(draw(static_cast<State*>(nullptr)));
  Array<Number> out(static_cast<std::size_t>(count) * each);
  EXPECT(cudaMemset(out.device, 0xff, out.host.size() * sizeof(Number)) == cudaSuccess);
  draw_from<State>
      <<<(count + 127) / 128, 128>>>(seed, first, step, offset, count, each, out.device, draw);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  return out.from_device();
}

constexpr uint64_t seeds[] = {0, 1, 1234, 0x123456789ABCDEF0};
constexpr uint64_t offsets[] = {0, 1, 2, 3, 6, 1000003, 0xF000000000000003};

/// Every seed, subsequences near and far, offsets small and large.
template <typename State, typename Draw>
void check_integers(
    const char* name, Draw draw,
    const std::function<std::vector<uint32_t>(uint64_t, uint64_t, uint64_t, int)>& expected) {
  std::vector<uint32_t> all;
  for (const uint64_t seed : seeds)
    for (const uint64_t step : {uint64_t{1}, uint64_t{0x0123456789ABCDEF}})
      for (const uint64_t offset : offsets) {
        const int count = 37;
        const auto got = numbers<State>(seed, 5, step, offset, count, draws, draw);
        int different = 0;
        for (int i = 0; i < count; ++i) {
          const std::vector<uint32_t> right = expected(seed, 5 + step * i, offset, draws);
          for (int j = 0; j < draws; ++j) different += got[i * draws + j] != right[j];
        }
        if (!EXPECT(different == 0))
          std::printf("  %s, seed %llx, offset %llx: %d\n", name, (long long)seed,
                      (long long)offset, different);
        all.insert(all.end(), got.begin(), got.end());
      }
  print_bits(name, all);
}

struct Bits {
  template <typename State>
  __host__ __device__ auto operator()(State* state) const {
    return curand(state);
  }
};
struct MrgNumber {
  __device__ double operator()(curandStateMRG32k3a_t* state) const {
    return curand_uniform_double(state);
  }
};

/// One jump is as good as the jumps that it is the sum of.
template <typename State>
__global__ void jump(uint64_t seed, unsigned int* out) {
  State a, b;
  curand_init(seed, 3, 17, &a);
  curand_init(seed, 0, 0, &b);
  skipahead(17ull, &b);
  for (int i = 0; i < 3 + 5; ++i) {
    if constexpr (std::is_same_v<State, curandStateMRG32k3a_t>)
      skipahead_subsequence(1ull, &b);
    else
      skipahead_sequence(1ull, &b);
  }
  if constexpr (std::is_same_v<State, curandStateMRG32k3a_t>)
    skipahead_subsequence(5ull, &a);
  else
    skipahead_sequence(5ull, &a);
  for (int i = 0; i < 9; ++i) {
    skipahead(1ull << i, &a);
    for (int j = 0; j < 1 << i; ++j) curand(&b);
    out[2 * i] = curand(&a);
    out[2 * i + 1] = curand(&b);
  }
  if constexpr (std::is_same_v<State, curandStateMRG32k3a_t>) {
    skipahead_sequence(3ull, &a);
    skipahead_subsequence(3ull << 51, &b);
  }
  out[18] = curand(&a);
  out[19] = curand(&b);
}

template <typename State>
void check_jumps() {
  Array<unsigned int> out(20);
  jump<State><<<1, 1>>>(42, out.device);
  const auto got = out.from_device();
  for (int i = 0; i < 20; i += 2) EXPECT(got[i] == got[i + 1]);
}

/// Philox's fours at every place of a four.
__global__ void fours(int* different) {
  for (int place = 0; place < 4; ++place) {
    curandStatePhilox4_32_10_t a, b;
    curand_init(9, threadIdx.x, place, &a);
    b = a;
    for (int i = 0; i < 3; ++i) {
      const uint4 four = curand4(&a);
      const unsigned int singles[] = {curand(&b), curand(&b), curand(&b), curand(&b)};
      atomicAdd(different, (four.x != singles[0]) + (four.y != singles[1]) +
                               (four.z != singles[2]) + (four.w != singles[3]));
    }
    const float4 uniform = curand_uniform4(&a);
    const float singles[] = {curand_uniform(&b), curand_uniform(&b), curand_uniform(&b),
                             curand_uniform(&b)};
    atomicAdd(different, (uniform.x != singles[0]) + (uniform.y != singles[1]) +
                             (uniform.z != singles[2]) + (uniform.w != singles[3]));
  }
}

template <typename State, typename Word>
__global__ void draw_sobol(const Word* vectors, Word start, Word offset, int count, Word* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  Word mine[sizeof(Word) * 8];
  for (unsigned bit = 0; bit < sizeof(Word) * 8; ++bit) mine[bit] = vectors[bit];
  State state;
  if constexpr (std::is_same_v<State, curandStateScrambledSobol32_t> ||
                std::is_same_v<State, curandStateScrambledSobol64_t>)
    curand_init(mine, start, static_cast<Word>(offset + 4 * i), &state);
  else
    curand_init(mine, static_cast<Word>(offset + 4 * i), &state);
  out[4 * i] = curand(&state);
  out[4 * i + 1] = curand(&state);
  skipahead(static_cast<Word>(1), &state);
  out[4 * i + 2] = curand(&state);
  skipahead(static_cast<Word>(0x87654321), &state);
  out[4 * i + 3] = curand(&state);
}

template <typename State, typename Word>
void check_sobol(Word start) {
  constexpr int width = sizeof(Word) * 8, count = 301;
  Array<Word> vectors(width), out(4 * count);
  for (int i = 0; i < width; ++i)
    vectors.host[i] =
        Word{1} << (width - 1 - i) | (i > 3 ? static_cast<Word>(0x9E3779B97F4A7C15) >> i : 0);
  vectors.to_device();
  for (const Word offset : {Word{0}, Word{77}, static_cast<Word>(-613)}) {
    out.fill(static_cast<Word>(-1));
    out.to_device();
    draw_sobol<State, Word><<<3, 128>>>(vectors.device, start, offset, count, out.device);
    const auto got = out.from_device();
    int different = 0;
    for (Word i = 0; i < count; ++i) {
      const Word place = offset + 4 * i,
                 places[] = {place, place + 1, place + 3, place + 4 + 0x87654321};
      for (int j = 0; j < 4; ++j)
        different += got[4 * i + j] != reference::sobol(vectors.host.data(), places[j], start);
    }
    EXPECT(different == 0);
    print_bits("Sobol", got);
  }
}

#define DRAW(name, Number, ...)                                 \
  struct name {                                                 \
    template <typename State>                                   \
    __host__ __device__ Number operator()(State* state) const { \
      return __VA_ARGS__;                                       \
    }                                                           \
  };
DRAW(Uniform, float, curand_uniform(state))
DRAW(UniformDouble, double, curand_uniform_double(state))
DRAW(Normal, float, curand_normal(state))
DRAW(NormalDouble, double, curand_normal_double(state))
DRAW(SecondOfPair, float, curand_normal2(state).y)
DRAW(SecondOfPairDouble, double, curand_normal2_double(state).y)
DRAW(LogNormal, float, curand_log_normal(state, 1.0f, 0.5f))
DRAW(LogNormalDouble, double, curand_log_normal_double(state, 1.0, 0.5))
DRAW(LogNormalPair, double, curand_log_normal2_double(state, 1.0, 0.5).x)
DRAW(FourthNormal, float, curand_normal4(state).w)
DRAW(ThirdLogNormal, double, curand_log_normal4_double(state, 1.0, 0.5).z)
DRAW(FourthUniform, double, curand_uniform4_double(state).w)

struct Poisson {
  double mean;
  template <typename State>
  __host__ __device__ unsigned int operator()(State* state) const {
    return curand_poisson(state, mean);
  }
};

template <typename State>
void check_distributions(const char* name) {
  const auto draw = [](auto what) { return numbers<State>(2024, 0, 1, 3, 1003, 29, what); };
  const auto log_normal = [](double x) { return normal_distribution((std::log(x) - 1) / 0.5); };
  const auto uniform = [](double x) { return x; };
  check_distribution(name, draw(Uniform()), uniform);
  check_distribution(name, draw(UniformDouble()), uniform);
  check_distribution(name, draw(Normal()), normal_distribution);
  check_distribution(name, draw(NormalDouble()), normal_distribution);
  check_distribution(name, draw(SecondOfPair()), normal_distribution);
  check_distribution(name, draw(SecondOfPairDouble()), normal_distribution);
  check_distribution(name, draw(LogNormal()), log_normal);
  check_distribution(name, draw(LogNormalDouble()), log_normal);
  check_distribution(name, draw(LogNormalPair()), log_normal);
  for (const double mean : {0.01, 0.7, 9.9, 10.0, 63.5, 5000.0})
    check_poisson(name, draw(Poisson{mean}), mean);
}

/// A state lives in memory between launches, and a program that has the functions on the host draws
/// the same there.
template <typename State>
__global__ void set_up(State* states, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) curand_init(77, i, 0, &states[i]);
}
template <typename State>
__global__ void go_on(State* states, int count, unsigned int* sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  State state = states[i];
  for (int j = 0; j < 5; ++j) sums[i] += curand(&state);
  states[i] = state;
}
template <typename State>
void check_memory() {
  const int count = 1003;
  Array<State> states(count);
  Array<unsigned int> sums(count);
  sums.to_device();
  set_up<<<8, 128>>>(states.device, count);
  for (int i = 0; i < 3; ++i) go_on<<<8, 128>>>(states.device, count, sums.device);
  const auto got = sums.from_device();
  int different = 0;
  for (int i = 0; i < count; ++i) {
    State state;
    curand_init(77, i, 0, &state);
    unsigned int sum = 0;
    for (int j = 0; j < 15; ++j) sum += curand(&state);
    different += sum != got[i];
  }
  EXPECT(different == 0);
}

void check_references() {
  // Random123's known answers.
  using Four = std::array<uint32_t, 4>;
  EXPECT((reference::philox({0, 0, 0, 0}, {0, 0}) ==
          Four{0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8}));
  EXPECT((reference::philox({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}) ==
          Four{0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD}));
  EXPECT((reference::philox({0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344},
                            {0xA4093822, 0x299F31D0}) ==
          Four{0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1}));
}

}  // namespace

int main() {
  check_references();
  check_integers<curandStatePhilox4_32_10_t>("Philox", Bits(), reference::philox_numbers);
  check_integers<curandStateXORWOW_t>("XORWOW", Bits(), reference::xorwow_numbers);
  check_integers<curandStateMRG32k3a_t>(
      "MRG32k3a", Bits(), [](uint64_t seed, uint64_t subsequence, uint64_t offset, int count) {
        std::vector<uint32_t> result = reference::mrg_numbers(seed, subsequence, offset, count);
        for (uint32_t& number : result) number = static_cast<uint32_t>(number * 1.000000048662);
        return result;
      });
  const auto unit = numbers<curandStateMRG32k3a_t>(7, 0, 1, 0, 37, draws, MrgNumber());
  for (int i = 0; i < 37; ++i) {
    const auto right = reference::mrg_numbers(7, i, 0, draws);
    for (int j = 0; j < draws; ++j)
      EXPECT(std::fabs(unit[i * draws + j] - right[j] / 4294967087.0) < 1e-15);
  }
  check_jumps<curandStatePhilox4_32_10_t>();
  check_jumps<curandStateXORWOW_t>();
  check_jumps<curandStateMRG32k3a_t>();
  Array<int> different(1);
  different.to_device();
  fours<<<1, 37>>>(different.device);
  EXPECT(different.from_device()[0] == 0);
  check_sobol<curandStateSobol32_t, unsigned int>(0);
  check_sobol<curandStateScrambledSobol32_t, unsigned int>(0xDEADBEEF);
  check_sobol<curandStateSobol64_t, unsigned long long>(0);
  check_sobol<curandStateScrambledSobol64_t, unsigned long long>(0xDEADBEEFCAFEF00D);
  check_distributions<curandStatePhilox4_32_10_t>("Philox");
  check_distributions<curandStateXORWOW_t>("XORWOW");
  check_distributions<curandStateMRG32k3a_t>("MRG32k3a");
  const auto log_normal = [](double x) { return normal_distribution((std::log(x) - 1) / 0.5); };
  check_distribution("fours",
                     numbers<curandStatePhilox4_32_10_t>(5, 0, 1, 1, 1003, 29, FourthNormal()),
                     normal_distribution);
  check_distribution("fours",
                     numbers<curandStatePhilox4_32_10_t>(5, 0, 1, 2, 1003, 29, ThirdLogNormal()),
                     log_normal);
  check_distribution("fours",
                     numbers<curandStatePhilox4_32_10_t>(5, 0, 1, 3, 1003, 29, FourthUniform()),
                     [](double x) { return x; });
  check_memory<curandStatePhilox4_32_10_t>();
  check_memory<curandStateXORWOW_t>();
  check_memory<curandStateMRG32k3a_t>();
  return finish();
}
