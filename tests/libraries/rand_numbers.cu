// Numbers of cuRAND's, host functions and device functions, printed: compiled once with our headers
// and once with an SDK's, whose generators for the host need no GPU. check_rand_sdk.sh compares.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifdef WITH_SDK
#define QUALIFIERS static inline
#else
#define QUALIFIERS static inline __host__ __device__
#endif
#include <curand.h>
#include <curand_kernel.h>

#include <cstdio>
#include <vector>

namespace {

void print(const char* name, unsigned int x) { std::printf("%s i %u\n", name, x); }
void print(const char* name, unsigned long long x) { std::printf("%s i %llu\n", name, x); }
void print(const char* name, float x) { std::printf("%s f %.9g\n", name, x); }
void print(const char* name, double x) { std::printf("%s d %.17g\n", name, x); }

template <typename T, typename Call>
void print_calls(const char* name, curandRngType_t type, unsigned int dimensions,
                 curandOrdering_t ordering, unsigned long long offset, size_t count, Call call) {
  curandGenerator_t generator = nullptr;
  curandStatus_t status = curandCreateGeneratorHost(&generator, type);
  if (dimensions)
    status = curandSetQuasiRandomGeneratorDimensions(generator, dimensions);
  else
    status = curandSetPseudoRandomGeneratorSeed(generator, 0x123456789ull + offset);
  std::printf("%s statuses %d", name, static_cast<int>(status));
  std::printf(" %d", static_cast<int>(curandSetGeneratorOrdering(generator, ordering)));
  std::printf(" %d", static_cast<int>(curandSetGeneratorOffset(generator, offset)));
  std::vector<T> numbers(count);
  for (const size_t part : {count / 4, count - count / 4}) {
    std::printf(" %d\n", static_cast<int>(call(generator, numbers.data(), part)));
    // The first, the last and a few between.
    for (size_t i = 0; i < part; i += i < 8 || i + 8 > part ? 1 : part / 50 + 1)
      print(name, numbers[i]);
  }
  curandDestroyGenerator(generator);
}

void print_host(const char* name, curandRngType_t type, unsigned int dimensions,
                curandOrdering_t ordering) {
  const auto with = [](auto call, auto a, auto b) {
    return [=](curandGenerator_t generator, auto* out, size_t count) {
      return call(generator, out, count, a, b);
    };
  };
  const bool is_long = type == CURAND_RNG_QUASI_SOBOL64;
  for (const unsigned long long offset : {0ull, 1ull, 4098ull, 300000ull})
    for (const size_t count : {size_t{4 * 2 * 39}, size_t{4 * 2 * 39 * 1003}}) {
      if (is_long)
        print_calls<unsigned long long>(name, type, dimensions, ordering, offset, count,
                                        curandGenerateLongLong);
      else
        print_calls<unsigned int>(name, type, dimensions, ordering, offset, count, curandGenerate);
      print_calls<float>(name, type, dimensions, ordering, offset, count, curandGenerateUniform);
      print_calls<double>(name, type, dimensions, ordering, offset, count,
                          curandGenerateUniformDouble);
      print_calls<float>(name, type, dimensions, ordering, offset, count,
                         with(curandGenerateNormal, 1.0f, 2.0f));
      print_calls<double>(name, type, dimensions, ordering, offset, count,
                          with(curandGenerateNormalDouble, 1.0, 2.0));
      print_calls<float>(name, type, dimensions, ordering, offset, count,
                         with(curandGenerateLogNormal, 1.0f, 0.5f));
      print_calls<double>(name, type, dimensions, ordering, offset, count,
                          with(curandGenerateLogNormalDouble, 1.0, 0.5));
    }
}

/// Kinds and counts in a row: a seed takes the SDK's MT19937 seconds. Numbers are of 32 bits each,
/// and go on where those of the call before ended.
void print_mt19937(const char* name, unsigned long long seed, bool is_seeded) {
  curandGenerator_t generator = nullptr;
  curandStatus_t status = curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_MT19937);
  if (is_seeded) status = curandSetPseudoRandomGeneratorSeed(generator, seed);
  std::printf("%s statuses %d", name, static_cast<int>(status));
  std::printf(" %d", static_cast<int>(curandSetGeneratorOffset(generator, 1)));
  for (const curandOrdering_t ordering :
       {CURAND_ORDERING_PSEUDO_BEST, CURAND_ORDERING_PSEUDO_DEFAULT, CURAND_ORDERING_PSEUDO_SEEDED,
        CURAND_ORDERING_PSEUDO_LEGACY, CURAND_ORDERING_PSEUDO_DYNAMIC})
    std::printf(" %d", static_cast<int>(curandSetGeneratorOrdering(generator, ordering)));
  unsigned long long long_bits = 0;
  std::printf(" %d\n", static_cast<int>(curandGenerateLongLong(generator, &long_bits, 1)));
  const auto print_call = [&](auto call, auto kind, size_t count) {
    std::vector<decltype(kind)> numbers(count);
    std::printf("%s statuses %d\n", name, static_cast<int>(call(generator, numbers.data(), count)));
    for (size_t i = 0; i < count; i += i < 8 || i + 8 > count ? 1 : count / 300 + 1)
      print(name, numbers[i]);
  };
  const auto with = [](auto call, auto a, auto b) {
    return [=](curandGenerator_t own, auto* out, size_t n) { return call(own, out, n, a, b); };
  };
  // A few streams, all of them, the second period.
  for (const size_t count : {size_t{77}, size_t{1003}, size_t{200001}, size_t{777777}}) {
    print_call(curandGenerate, 0u, count + 3);
    print_call(curandGenerateUniform, 0.0f, count);
    print_call(curandGenerateUniformDouble, 0.0, count);
    print_call(with(curandGenerateNormal, 1.0f, 2.0f), 0.0f, count);
    print_call(with(curandGenerateNormalDouble, 1.0, 2.0), 0.0, count);
    print_call(with(curandGenerateLogNormal, 1.0f, 0.5f), 0.0f, count);
    print_call(with(curandGenerateLogNormalDouble, 1.0, 0.5), 0.0, count);
  }
  curandDestroyGenerator(generator);
}

/// The device functions, called on the host. The SDK's have no inverse of erfc there, so that
/// normal numbers of Sobol's are left to the host functions.
template <typename State>
void print_numbers(const char* name, State state) {
  for (int i = 0; i < 7; ++i) print(name, curand(&state));
  for (int i = 0; i < 3; ++i) print(name, curand_uniform(&state));
  for (int i = 0; i < 3; ++i) print(name, curand_uniform_double(&state));
  skipahead(5u, &state);
  print(name, curand(&state));
}

template <typename State>
void print_pseudo(const char* name, State state) {
  print_numbers(name, state);
  for (int i = 0; i < 3; ++i) print(name, curand_normal(&state));
  for (int i = 0; i < 3; ++i) print(name, curand_normal_double(&state));
  for (int i = 0; i < 3; ++i) print(name, curand_log_normal(&state, 1.0f, 0.5f));
  for (int i = 0; i < 3; ++i) print(name, curand_log_normal_double(&state, 1.0, 0.5));
  const float2 pair = curand_normal2(&state);
  const double2 double_pair = curand_log_normal2_double(&state, 1.0, 0.5);
  print(name, pair.x);
  print(name, pair.y);
  print(name, double_pair.x);
  print(name, double_pair.y);
  skipahead_sequence(3ull, &state);
  print(name, curand(&state));
}

template <typename Four>
void print_four(const char* name, Four four) {
  print(name, four.x);
  print(name, four.y);
  print(name, four.z);
  print(name, four.w);
}

void print_device() {
  for (const unsigned long long seed : {0ull, 1ull, 0x123456789ABCDEF0ull})
    for (const unsigned long long subsequence : {0ull, 77ull, 0x123456789Aull})
      for (const unsigned long long offset : {0ull, 3ull, 1000003ull, 0xF000000000000003ull}) {
        curandStateXORWOW_t xorwow;
        curand_init(seed, subsequence, offset, &xorwow);
        print_pseudo("XORWOW", xorwow);
        curandStateMRG32k3a_t mrg;
        curand_init(seed, subsequence, offset, &mrg);
        print_pseudo("MRG32k3a", mrg);
        skipahead_subsequence(9ull, &mrg);
        print("MRG32k3a", curand(&mrg));
        curandStatePhilox4_32_10_t philox;
        curand_init(seed, subsequence, offset, &philox);
        print_pseudo("Philox", philox);
        print_four("Philox", curand4(&philox));
        print_four("Philox", curand_uniform4(&philox));
        print_four("Philox", curand_normal4(&philox));
        print_four("Philox", curand_uniform4_double(&philox));
        print_four("Philox", curand_log_normal4_double(&philox, 1.0, 0.5));
        unsigned int vectors[32];
        unsigned long long long_vectors[64];
        for (int i = 0; i < 32; ++i) vectors[i] = 0x80000000u >> i | (i > 3 ? 0x9E3779B9u >> i : 0);
        for (int i = 0; i < 64; ++i)
          long_vectors[i] = 0x8000000000000000ull >> i | (i > 3 ? 0x9E3779B97F4A7C15ull >> i : 0);
        curandStateSobol32_t sobol;
        curand_init(vectors, static_cast<unsigned int>(offset), &sobol);
        print_numbers("Sobol32", sobol);
        curandStateScrambledSobol32_t scrambled;
        curand_init(vectors, static_cast<unsigned int>(seed), static_cast<unsigned int>(offset),
                    &scrambled);
        print_numbers("scrambled Sobol32", scrambled);
        curandStateSobol64_t long_sobol;
        curand_init(long_vectors, offset, &long_sobol);
        print_numbers("Sobol64", long_sobol);
        curandStateScrambledSobol64_t long_scrambled;
        curand_init(long_vectors, seed, offset, &long_scrambled);
        print_numbers("scrambled Sobol64", long_scrambled);
      }
}

}  // namespace

int main() {
  print_device();
  print_host("host XORWOW", CURAND_RNG_PSEUDO_XORWOW, 0, CURAND_ORDERING_PSEUDO_DEFAULT);
  print_host("host XORWOW, legacy", CURAND_RNG_PSEUDO_XORWOW, 0, CURAND_ORDERING_PSEUDO_LEGACY);
  print_host("host MRG32k3a", CURAND_RNG_PSEUDO_MRG32K3A, 0, CURAND_ORDERING_PSEUDO_DEFAULT);
  print_host("host MRG32k3a, legacy", CURAND_RNG_PSEUDO_MRG32K3A, 0, CURAND_ORDERING_PSEUDO_LEGACY);
  print_host("host Philox", CURAND_RNG_PSEUDO_PHILOX4_32_10, 0, CURAND_ORDERING_PSEUDO_DEFAULT);
  print_host("host Sobol32", CURAND_RNG_QUASI_SOBOL32, 39, CURAND_ORDERING_QUASI_DEFAULT);
  print_host("host Sobol64", CURAND_RNG_QUASI_SOBOL64, 39, CURAND_ORDERING_QUASI_DEFAULT);
  print_mt19937("host MT19937, seed unset", 0, false);
  for (const unsigned long long seed : {5489ull, 0x123456789ABCDEF0ull})
    print_mt19937("host MT19937", seed, true);
  return 0;
}
