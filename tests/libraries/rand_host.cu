// cuRAND's host functions: every generator's integers against the papers' and the documented
// or found layout, distributions, calls one after the other, orderings, offsets, tables, refusals;
// poisoned outputs, odd sizes. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <curand_kernel.h>

#include "library_check.h"
#include "rand_distributions.h"
#include "rand_references.h"

#include <algorithm>
#include <functional>
#include <map>
#include <random>

namespace {

#define RIGHT(call) EXPECT((call) == CURAND_STATUS_SUCCESS)

/// A generator that is destroyed.
struct Generator {
  explicit Generator(curandRngType_t type, bool on_host = false) : on_host(on_host) {
    RIGHT(on_host ? curandCreateGeneratorHost(&own, type) : curandCreateGenerator(&own, type));
  }
  Generator(const Generator&) = delete;
  ~Generator() { RIGHT(curandDestroyGenerator(own)); }
  operator curandGenerator_t() const { return own; }

  /// What `call` puts into an array, which nothing is written behind.
  template <typename T, typename Call>
  std::vector<T> numbers(std::size_t count, Call call) const {
    Array<T> out(count + 1);
    std::memset(out.host.data(), 0xa5, out.host.size() * sizeof(T));
    const T poison = out.host.back();
    out.to_device();
    RIGHT(call(own, on_host ? out.host.data() : out.device, count));
    std::vector<T> result = on_host ? out.host : out.from_device();
    EXPECT(same_bits(result.back(), poison));
    result.pop_back();
    return result;
  }
  std::vector<unsigned int> bits(std::size_t count) const {
    return numbers<unsigned int>(count, curandGenerate);
  }

  curandGenerator_t own = nullptr;
  bool on_host;
};

using Numbers = std::function<std::vector<uint32_t>(uint64_t seed, uint64_t subsequence,
                                                    uint64_t offset, int count)>;

std::vector<uint32_t> mrg_integers(uint64_t seed, uint64_t subsequence, uint64_t offset,
                                   int count) {
  std::vector<uint32_t> result = reference::mrg_numbers(seed, subsequence, offset, count);
  for (uint32_t& number : result) number = static_cast<uint32_t>(number * 1.000000048662);
  return result;
}

/// Number n is of lane n / together % lanes. Compared at some places, the lanes' ends among them.
void check_layout(const char* name, curandRngType_t type, curandOrdering_t ordering,
                  const Numbers& lane_numbers, int lanes, int together) {
  for (const uint64_t seed : {uint64_t{0}, uint64_t{0x123456789ABCDEF0}})
    for (const uint64_t offset : {uint64_t{0}, uint64_t{4097}}) {
      const Generator generator(type, seed == 0);
      RIGHT(curandSetPseudoRandomGeneratorSeed(generator, seed));
      RIGHT(curandSetGeneratorOrdering(generator, ordering));
      RIGHT(curandSetGeneratorOffset(generator, offset));
      const std::size_t first = 1003, second = static_cast<std::size_t>(lanes) * together * 2 + 77;
      std::vector<unsigned int> got = generator.bits(first);
      const std::vector<unsigned int> more = generator.bits(second);
      got.insert(got.end(), more.begin(), more.end());
      int different = 0;
      for (std::size_t i = 0; i < got.size(); i += i % 1024 < 8 ? 1 : 1019) {
        const uint64_t place = offset + i, unit = place / together;
        different += got[i] != lane_numbers(seed, unit % lanes,
                                            unit / lanes * together + place % together, 1)[0];
      }
      if (!EXPECT(different == 0))
        std::printf("  %s, offset %d: %d\n", name, static_cast<int>(offset), different);
      print_bits(name, got);
    }
}

/// Which number of its stream MT19937's number j of a round is.
int mt19937_position(int round, int j) {
  const int first[] = {0, 113, 170, 283, 340, 397, 510, 567};
  const int period = round / 78, in_period = round % 78;
  if (in_period == 0) return 624 * period + first[j];
  std::vector<int> rest;  // in order
  for (int i = 0; i < 624; ++i)
    if (std::find(std::begin(first), std::end(first), i) == std::end(first)) rest.push_back(i);
  const int part = (in_period - 1) / 7, in_part = (in_period - 1) % 7;
  return 624 * period + rest[56 * part + 7 * j + in_part];
}

/// The first stream is the sequence of 32 bits of the seed. The others' numbers, of two periods,
/// are those that NVIDIA's library gave.
void check_mt19937_streams() {
  const Generator generator(CURAND_RNG_PSEUDO_MT19937);
  RIGHT(curandSetPseudoRandomGeneratorSeed(generator, 77));
  RIGHT(curandGenerateSeeds(generator));
  generator.bits(65536 * 79);
  RIGHT(curandSetPseudoRandomGeneratorSeed(generator, 0xABC000004D2));  // 1234
  std::vector<unsigned int> got;
  for (const std::size_t part : {131, 65529, 5000003, 177222}) {
    const auto more = generator.bits(part);
    got.insert(got.end(), more.begin(), more.end());
  }
  std::mt19937 engine(1234);
  std::vector<unsigned int> sequence(2 * 624);
  for (unsigned int& x : sequence) x = static_cast<unsigned int>(engine());
  int different = 0;
  for (int round = 0; round < 80; ++round)
    for (int j = 0; j < 8; ++j)
      different += got[65536 * round + j] != sequence[mt19937_position(round, j)];
  EXPECT(different == 0);
  EXPECT(got.size() == 65536 * 80 + 5);
  unsigned long long hash = 1469598103934665603ull;
  for (const unsigned int x : got) hash = (hash ^ x) * 1099511628211ull;
  EXPECT(hash == 0xFB11F336E750FC7ull);
}

/// Numbers of every kind are made of 32 bits each, odd counts of normal ones, too.
void check_mt19937_kinds() {
  const Generator generator(CURAND_RNG_PSEUDO_MT19937), others(CURAND_RNG_PSEUDO_MT19937, true);
  const std::vector<unsigned int> bits = generator.bits(43);
  std::mt19937 engine(0);
  std::vector<unsigned int> sequence(624);
  for (unsigned int& x : sequence) x = static_cast<unsigned int>(engine());
  for (int j = 0; j < 8; ++j) EXPECT(bits[j] == sequence[mt19937_position(0, j)]);
  auto next = bits.begin();
  const auto uniform = [&] { return (*next++ + 0.5) / 4294967296.0; };
  const auto distributed = [&](double x) {
    return std::fabs(normal_distribution(x) - uniform()) < 1e-6;
  };
  for (const float x : others.numbers<float>(9, curandGenerateUniform))
    EXPECT(x == static_cast<float>(uniform()));
  for (const double x : others.numbers<double>(7, curandGenerateUniformDouble))
    EXPECT(x == uniform());
  const auto with = [](auto call) {
    return [=](curandGenerator_t own, auto* out, std::size_t n) { return call(own, out, n, 0, 1); };
  };
  for (const float x : others.numbers<float>(5, with(curandGenerateNormal))) EXPECT(distributed(x));
  for (const double x : others.numbers<double>(7, with(curandGenerateNormalDouble)))
    EXPECT(distributed(x));
  for (const float x : others.numbers<float>(3, with(curandGenerateLogNormal)))
    EXPECT(distributed(std::log(x)));
  for (const double x : others.numbers<double>(5, with(curandGenerateLogNormalDouble)))
    EXPECT(distributed(std::log(x)));
  for (const unsigned int x : others.bits(7)) EXPECT(x == *next++);
  EXPECT(next == bits.end());
  print_bits("MT19937", bits);
}

void check_distributions(const char* name, curandRngType_t type) {
  const Generator generator(type);
  if (type < CURAND_RNG_QUASI_DEFAULT)
    RIGHT(curandSetPseudoRandomGeneratorSeed(generator, 99));
  else
    RIGHT(curandSetQuasiRandomGeneratorDimensions(generator, 2));
  const std::size_t count = 100034;
  const bool is_even = type >= CURAND_RNG_QUASI_DEFAULT;
  const auto uniform = [](double x) { return x; };
  const auto normal = [](double x) { return normal_distribution((x + 3) / 2); };
  const auto log_normal = [](double x) { return normal_distribution((std::log(x) - 1) / 0.5); };
  check_distribution(name, generator.numbers<float>(count, curandGenerateUniform), uniform,
                     is_even);
  check_distribution(name, generator.numbers<double>(count, curandGenerateUniformDouble), uniform,
                     is_even);
  const auto with = [](auto call, auto a, auto b) {
    return [=](curandGenerator_t own, auto* out, std::size_t n) { return call(own, out, n, a, b); };
  };
  check_distribution(name, generator.numbers<float>(count, with(curandGenerateNormal, -3.0f, 2.0f)),
                     normal, is_even);
  check_distribution(name,
                     generator.numbers<double>(count, with(curandGenerateNormalDouble, -3.0, 2.0)),
                     normal, is_even);
  check_distribution(name,
                     generator.numbers<float>(count, with(curandGenerateLogNormal, 1.0f, 0.5f)),
                     log_normal, is_even);
  check_distribution(
      name, generator.numbers<double>(count, with(curandGenerateLogNormalDouble, 1.0, 0.5)),
      log_normal, is_even);
  for (const double mean : {0.01, 0.7, 63.5, 5000.0, 1e6})
    check_poisson(name,
                  generator.numbers<unsigned int>(count,
                                                  [&](auto own, auto* out, auto n) {
                                                    return curandGeneratePoisson(own, out, n, mean);
                                                  }),
                  mean, is_even);
}

/// The same numbers. Where a GPU and a CPU make numbers of one call, their functions may round
/// differently.
bool are_same(const std::vector<double>& a, const std::vector<double>& b) {
  const char* const devices = std::getenv("GRIDSPAN_DEVICES");
  const bool is_mixed = devices && std::strstr(devices, "cuda") && std::strstr(devices, "cpu");
  const double tolerance = is_mixed ? 1e-12 : 0;
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](double x, double y) {
    return std::fabs(x - y) <= tolerance * (1 + std::fabs(x));
  });
}

/// Pairs of normal numbers are of one lane; the halves of a call in two calls; host and device
/// alike.
void check_calls() {
  for (const curandRngType_t type :
       {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_PHILOX4_32_10,
        CURAND_RNG_PSEUDO_MT19937, CURAND_RNG_PSEUDO_MTGP32}) {
    if (type == CURAND_RNG_PSEUDO_MT19937 && has_few()) continue;
    const auto normals = [](curandGenerator_t own, double* out, std::size_t n) {
      return curandGenerateNormalDouble(own, out, n, 0, 1);
    };
    const Generator once(type), twice(type), on_host(type, true);
    const auto all = once.numbers<double>(300002, normals);
    auto parts = twice.numbers<double>(12346, normals);
    const auto rest = twice.numbers<double>(300002 - 12346, normals);
    parts.insert(parts.end(), rest.begin(), rest.end());
    EXPECT(are_same(all, parts));
    EXPECT(are_same(all, on_host.numbers<double>(300002, normals)));
    // A seed begins anew.
    RIGHT(curandSetPseudoRandomGeneratorSeed(once, 5));
    const auto five = once.bits(77);
    RIGHT(curandSetPseudoRandomGeneratorSeed(once, 5));
    EXPECT(five == once.bits(77));
    // Kinds that take different counts: nothing comes twice.
    RIGHT(curandSetPseudoRandomGeneratorSeed(once, 6));
    std::map<unsigned int, int> seen;
    for (int round = 0; round < 3; ++round) {
      for (const unsigned int x : once.bits(3001)) ++seen[x];
      once.numbers<double>(1002, normals);
    }
    EXPECT(seen.size() > 9000 - 10);
  }
  // XORWOW's pair n is of lane n % 4096.
  const Generator generator(CURAND_RNG_PSEUDO_XORWOW);
  const auto got = generator.numbers<float>(8192 + 10, [](auto own, auto* out, auto n) {
    return curandGenerateNormal(own, out, n, 1, 3);
  });
  for (const int pair : {0, 1, 777, 4095, 4096, 4100}) {
    const auto raw = reference::xorwow_numbers(0, pair % 4096, pair / 4096 * 2, 2);
    const double radius = std::sqrt(-2 * std::log((raw[0] + 0.5) / 4294967296.0)),
                 angle = 2 * 3.14159265358979323846 * (raw[1] + 0.5) / 4294967296.0;
    EXPECT(std::fabs(got[2 * pair] - (1 + 3 * radius * std::sin(angle))) < 1e-5 * (1 + radius));
    EXPECT(std::fabs(got[2 * pair + 1] - (1 + 3 * radius * std::cos(angle))) < 1e-5 * (1 + radius));
  }
}

template <typename Word>
void check_sobol(curandRngType_t type, bool scrambled) {
  constexpr int width = sizeof(Word) * 8;
  Word* vectors = nullptr;
  Word* starts = nullptr;
  if constexpr (width == 32) {
    RIGHT(curandGetDirectionVectors32(reinterpret_cast<curandDirectionVectors32_t**>(&vectors),
                                      scrambled ? CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6
                                                : CURAND_DIRECTION_VECTORS_32_JOEKUO6));
    RIGHT(curandGetScrambleConstants32(&starts));
  } else {
    RIGHT(curandGetDirectionVectors64(reinterpret_cast<curandDirectionVectors64_t**>(&vectors),
                                      scrambled ? CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6
                                                : CURAND_DIRECTION_VECTORS_64_JOEKUO6));
    RIGHT(curandGetScrambleConstants64(&starts));
  }
  // Each dimension's first 2^k numbers fall into 2^k parts, one into each: the leading minors are
  // triangular.
  for (const int dimension : {0, 1, 2, 39, 40, 41, 1110, 13424, 19999}) {
    std::vector<bool> is_hit(1024);
    for (Word i = 0; i < 1024; ++i)
      is_hit[reference::sobol(vectors + dimension * width, i, Word{0}) >> (width - 10)] = true;
    EXPECT(std::count(is_hit.begin(), is_hit.end(), true) == 1024);
  }
  if (!scrambled) {  // printed in Joe and Kuo's paper
    for (int i = 0; i < 10; ++i) EXPECT(vectors[i] == Word{1} << (width - 1 - i));
    const int second[] = {1, 3, 5, 15, 17, 51}, eighth[] = {1, 1, 5, 5, 17};
    for (int i = 0; i < 6; ++i) EXPECT(vectors[width + i] >> (width - 1 - i) == Word(second[i]));
    for (int i = 0; i < 5; ++i)
      EXPECT(vectors[7 * width + i] >> (width - 1 - i) == Word(eighth[i]));
  }
  for (const int dimensions : {1, 3, 45}) {
    const Generator generator(type, dimensions == 3);
    RIGHT(curandSetQuasiRandomGeneratorDimensions(generator, dimensions));
    RIGHT(curandSetGeneratorOffset(generator, 7));
    Word place = 7;
    for (const int points : {1, 1003}) {
      const auto got = [&] {
        if constexpr (width == 32)
          return generator.bits(points * dimensions);
        else
          return generator.numbers<Word>(points * dimensions, curandGenerateLongLong);
      }();
      int different = 0;
      for (int dimension = 0; dimension < dimensions; ++dimension)
        for (int point = 0; point < points; ++point)
          different += got[dimension * points + point] !=
                       reference::sobol(vectors + dimension * width, place + point,
                                        scrambled ? starts[dimension] : Word{0});
      EXPECT(different == 0);
      print_bits("Sobol", got);
      place += points;
    }
  }
}

__global__ void draw_discrete(curandDiscreteDistribution_t table, int count, unsigned int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  curandState state;
  curand_init(3, i, 0, &state);
  curandStatePhilox4_32_10_t philox;
  curand_init(3, i, 0, &philox);
  out[5 * i] = curand_discrete(&state, table);
  const uint4 four = curand_discrete4(&philox, table);
  out[5 * i + 1] = four.x;
  out[5 * i + 2] = four.y;
  out[5 * i + 3] = four.z;
  out[5 * i + 4] = four.w;
}

void check_discrete() {
  for (const double mean : {0.3, 20.0, 5000.0}) {
    curandDiscreteDistribution_t table = nullptr;
    RIGHT(curandCreatePoissonDistribution(mean, &table));
    Array<unsigned int> out(5 * 6007);
    out.fill(~0u);
    out.to_device();
    draw_discrete<<<(6007 + 127) / 128, 128>>>(table, 6007, out.device);
    check_poisson("discrete", out.from_device(), mean);
    RIGHT(curandDestroyDistribution(table));
    EXPECT(curandDestroyDistribution(table) == CURAND_STATUS_NOT_INITIALIZED);
  }
  curandDiscreteDistribution_t table = nullptr;
  EXPECT(curandCreatePoissonDistribution(0, &table) == CURAND_STATUS_OUT_OF_RANGE);
  EXPECT(curandCreatePoissonDistribution(NAN, &table) == CURAND_STATUS_OUT_OF_RANGE);
  EXPECT(curandCreatePoissonDistribution(400001, &table) == CURAND_STATUS_OUT_OF_RANGE);
  EXPECT(curandCreatePoissonDistribution(1, nullptr) == CURAND_STATUS_OUT_OF_RANGE);
}

/// A graph would make MT19937's streams when it is launched, not when numbers are asked for.
void check_capture() {
  const Generator one(CURAND_RNG_PSEUDO_MT19937), other(CURAND_RNG_PSEUDO_MT19937);
  const auto all = one.bits(200);
  const auto first = other.bits(64);
  cudaStream_t stream;
  cudaGraph_t graph;
  Array<unsigned int> numbers(65472);
  EXPECT(cudaStreamCreate(&stream) == cudaSuccess);
  RIGHT(curandSetStream(other, stream));
  EXPECT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  EXPECT(curandGenerate(other, numbers.device, 65472) != CURAND_STATUS_SUCCESS);
  EXPECT(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  EXPECT(cudaGraphDestroy(graph) == cudaSuccess);
  RIGHT(curandSetStream(other, nullptr));
  EXPECT(cudaStreamDestroy(stream) == cudaSuccess);
  const auto rest = other.bits(136);
  EXPECT(std::equal(first.begin(), first.end(), all.begin()));
  EXPECT(std::equal(rest.begin(), rest.end(), all.begin() + 64));
}

void check_refusals() {
  unsigned int bits[4];
  unsigned long long long_bits[4];
  float floats[4];
  const Generator xorwow(CURAND_RNG_PSEUDO_DEFAULT, true), philox(CURAND_RNG_PSEUDO_PHILOX4_32_10),
      twister(CURAND_RNG_PSEUDO_MT19937), mrg(CURAND_RNG_PSEUDO_MRG32K3A),
      sobol(CURAND_RNG_QUASI_SOBOL32, true), sobol64(CURAND_RNG_QUASI_SCRAMBLED_SOBOL64, true);
  EXPECT(curandGenerate(nullptr, bits, 4) == CURAND_STATUS_NOT_INITIALIZED);
  EXPECT(curandGenerate(reinterpret_cast<curandGenerator_t>(bits), bits, 4) ==
         CURAND_STATUS_NOT_INITIALIZED);
  EXPECT(curandGenerateLongLong(xorwow, long_bits, 4) == CURAND_STATUS_TYPE_ERROR);
  EXPECT(curandGenerateLongLong(sobol, long_bits, 4) == CURAND_STATUS_TYPE_ERROR);
  EXPECT(curandGenerate(sobol64, bits, 4) == CURAND_STATUS_TYPE_ERROR);
  EXPECT(curandGenerateNormal(xorwow, floats, 3, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  RIGHT(curandSetQuasiRandomGeneratorDimensions(sobol, 3));
  EXPECT(curandGenerateUniform(sobol, floats, 4) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  RIGHT(curandGenerateUniform(sobol, floats, 3));
  EXPECT(curandSetQuasiRandomGeneratorDimensions(sobol, 0) == CURAND_STATUS_OUT_OF_RANGE);
  EXPECT(curandGeneratePoisson(xorwow, bits, 4, 0) == CURAND_STATUS_OUT_OF_RANGE);
  EXPECT(curandGeneratePoisson(xorwow, bits, 4, -1) == CURAND_STATUS_OUT_OF_RANGE);
  EXPECT(curandGenerate(xorwow, nullptr, 4) == CURAND_STATUS_LAUNCH_FAILURE);
  RIGHT(curandGenerate(xorwow, nullptr, 0));
  RIGHT(curandGenerateSeeds(mrg));
  RIGHT(curandSetGeneratorOrdering(xorwow, CURAND_ORDERING_PSEUDO_SEEDED));
  EXPECT(curandSetGeneratorOrdering(xorwow, CURAND_ORDERING_PSEUDO_DYNAMIC) ==
         CURAND_STATUS_OUT_OF_RANGE);
  RIGHT(curandSetGeneratorOrdering(philox, CURAND_ORDERING_PSEUDO_DYNAMIC));
  EXPECT(curandSetGeneratorOrdering(philox, CURAND_ORDERING_PSEUDO_SEEDED) ==
         CURAND_STATUS_OUT_OF_RANGE);
  EXPECT(curandSetGeneratorOrdering(twister, CURAND_ORDERING_PSEUDO_BEST) ==
         CURAND_STATUS_OUT_OF_RANGE);
  EXPECT(curandSetGeneratorOrdering(sobol, CURAND_ORDERING_PSEUDO_DEFAULT) ==
         CURAND_STATUS_OUT_OF_RANGE);
  EXPECT(curandSetGeneratorOffset(twister, 1) == CURAND_STATUS_TYPE_ERROR);
  EXPECT(curandGenerateLongLong(twister, long_bits, 4) == CURAND_STATUS_TYPE_ERROR);
  EXPECT(cudaGetLastError() == cudaSuccess);
}

}  // namespace

int main() {
  check_layout("XORWOW", CURAND_RNG_PSEUDO_DEFAULT, CURAND_ORDERING_PSEUDO_DEFAULT,
               reference::xorwow_numbers, 4096, 1);
  check_layout("MRG32k3a", CURAND_RNG_PSEUDO_MRG32K3A, CURAND_ORDERING_PSEUDO_LEGACY, mrg_integers,
               4096, 1);
  check_layout("MRG32k3a", CURAND_RNG_PSEUDO_MRG32K3A, CURAND_ORDERING_PSEUDO_BEST, mrg_integers,
               81920, 1);
  check_layout("Philox", CURAND_RNG_PSEUDO_PHILOX4_32_10, CURAND_ORDERING_PSEUDO_DEFAULT,
               reference::philox_numbers, 65536, 4);
  check_distributions("XORWOW", CURAND_RNG_PSEUDO_XORWOW);
  check_distributions("MRG32k3a", CURAND_RNG_PSEUDO_MRG32K3A);
  check_distributions("Philox", CURAND_RNG_PSEUDO_PHILOX4_32_10);
  check_mt19937_kinds();
  if (!has_few()) {  // all 8192 streams
    check_mt19937_streams();
    check_distributions("MT19937", CURAND_RNG_PSEUDO_MT19937);
  }
  check_distributions("MTGP32", CURAND_RNG_PSEUDO_MTGP32);
  check_distributions("Sobol32", CURAND_RNG_QUASI_SOBOL32);
  check_distributions("scrambled Sobol32", CURAND_RNG_QUASI_SCRAMBLED_SOBOL32);
  check_distributions("Sobol64", CURAND_RNG_QUASI_SOBOL64);
  check_distributions("scrambled Sobol64", CURAND_RNG_QUASI_SCRAMBLED_SOBOL64);
  check_calls();
  check_sobol<unsigned int>(CURAND_RNG_QUASI_DEFAULT, false);
  check_sobol<unsigned int>(CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, true);
  check_sobol<unsigned long long>(CURAND_RNG_QUASI_SOBOL64, false);
  check_sobol<unsigned long long>(CURAND_RNG_QUASI_SCRAMBLED_SOBOL64, true);
  check_discrete();
  check_capture();
  check_refusals();
  return finish();
}
