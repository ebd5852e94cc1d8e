// cuRAND: generators and what they are set to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/rand/api/generator.h"

#include "libraries/rand/api/checks.h"
#include "libraries/rand/api/sobol_tables.h"
#include "libraries/support/versions.h"

#include <algorithm>

namespace gridspan::libraries::rand {

bool is_pseudo(curandRngType_t type) {
  switch (type) {
    case CURAND_RNG_PSEUDO_DEFAULT:
    case CURAND_RNG_PSEUDO_XORWOW:
    case CURAND_RNG_PSEUDO_MRG32K3A:
    case CURAND_RNG_PSEUDO_MTGP32:
    case CURAND_RNG_PSEUDO_MT19937:
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
      return true;
    default:
      return false;
  }
}

bool is_quasi(curandRngType_t type) {
  return type >= CURAND_RNG_QUASI_DEFAULT && type <= CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
}

bool is_long(curandRngType_t type) {
  return type == CURAND_RNG_QUASI_SOBOL64 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
}

bool is_scrambled(curandRngType_t type) {
  return type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
}

bool is_recurrence(curandRngType_t type) {
  return type == CURAND_RNG_PSEUDO_DEFAULT || type == CURAND_RNG_PSEUDO_XORWOW ||
         type == CURAND_RNG_PSEUDO_MRG32K3A;
}

Recurrence recurrence_of(curandRngType_t type) {
  return type == CURAND_RNG_PSEUDO_MRG32K3A ? Recurrence::mrg32k3a : Recurrence::xorwow;
}

namespace {

bool is_twister(curandRngType_t type) {
  return type == CURAND_RNG_PSEUDO_MTGP32 || type == CURAND_RNG_PSEUDO_MT19937;
}

/// As NVIDIA's library has them.
int lanes_of(const curandGenerator_st& generator) {
  const bool is_default = generator.ordering != CURAND_ORDERING_PSEUDO_LEGACY;
  return generator.type == CURAND_RNG_PSEUDO_MRG32K3A && is_default ? 81920 : 4096;
}

bool has_ordering(const curandGenerator_st& generator, curandOrdering_t order) {
  if (is_quasi(generator.type)) return order == CURAND_ORDERING_QUASI_DEFAULT;
  switch (order) {
    case CURAND_ORDERING_PSEUDO_DEFAULT:
    case CURAND_ORDERING_PSEUDO_LEGACY:
      return true;
    case CURAND_ORDERING_PSEUDO_BEST:
      return generator.type != CURAND_RNG_PSEUDO_MT19937;
    case CURAND_ORDERING_PSEUDO_SEEDED:
      return is_recurrence(generator.type) && recurrence_of(generator.type) == Recurrence::xorwow;
    case CURAND_ORDERING_PSEUDO_DYNAMIC:
      return !generator.on_host && !is_twister(generator.type);
    default:
      return false;
  }
}

/// A field of a generator's, which begins anew, if `check` found nothing wrong.
template <typename Value>
curandStatus_t set(const Check& check, curandGenerator_t generator,
                   Value curandGenerator_st::* field, Value value) {
  if (check.failed()) return check.status();
  generator->*field = value;
  generator->is_ready = false;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t start_recurrence(curandGenerator_st& generator) {
  const Recurrence recurrence = recurrence_of(generator.type);
  generator.lanes = lanes_of(generator);
  const auto bytes = static_cast<std::size_t>(generator.lanes * state_bytes(recurrence));
  if (!generator.states.make(bytes)) return CURAND_STATUS_ALLOCATION_FAILED;
  generator.next_lane = static_cast<int>(generator.offset % static_cast<unsigned>(generator.lanes));
  const cudaError_t error = launch_start(
      recurrence, generator.states.as<void>(), generator.lanes, generator.seed, generator.offset,
      generator.ordering == CURAND_ORDERING_PSEUDO_SEEDED, generator.stream);
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_INITIALIZATION_FAILED;
}

void start_philox(curandGenerator_st& generator) {
  // MTGP32, which Philox serves for, has numbers of its own.
  const auto salt = static_cast<unsigned long long>(
      generator.type == CURAND_RNG_PSEUDO_PHILOX4_32_10 ? 0 : generator.type);
  const unsigned long long unit = generator.offset / 4;
  const auto lane = static_cast<int>(unit % philox_lanes);
  generator.philox = {generator.seed ^ salt << 48,
                      unit / philox_lanes * 4,
                      lane,
                      lane,
                      0,
                      static_cast<int>(generator.offset % 4),
                      0};
}

/// Tables are made once for a number of dimensions: another offset needs no copies, which a capture
/// would refuse.
template <typename Word>
bool make_sobol_tables(curandGenerator_st& generator) {
  if (generator.dimensions_made == generator.dimensions) return true;
  const bool scrambled = is_scrambled(generator.type);
  const int dimensions = static_cast<int>(generator.dimensions);
  const std::vector<Word> vectors = direction_vectors<Word>(dimensions, scrambled);
  const std::vector<Word> starts =
      scrambled ? scramble_constants<Word>(dimensions) : std::vector<Word>(generator.dimensions);
  generator.dimensions_made = 0;
  if (!generator.vectors.make_copy(vectors.data(), vectors.size() * sizeof(Word)) ||
      !generator.starts.make_copy(starts.data(), starts.size() * sizeof(Word)))
    return false;
  generator.dimensions_made = generator.dimensions;
  return true;
}

template <typename Word>
curandStatus_t start_sobol(curandGenerator_st& generator) {
  generator.next_point = generator.offset;
  return make_sobol_tables<Word>(generator) ? CURAND_STATUS_SUCCESS
                                            : CURAND_STATUS_ALLOCATION_FAILED;
}

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool on_host,
                      const char* call = __builtin_FUNCTION()) {
  const Check check =
      Check(call)
          .given(generator, "generator", CURAND_STATUS_NOT_INITIALIZED)
          .known(is_pseudo(type) || is_quasi(type), type, "rng_type", CURAND_STATUS_TYPE_ERROR);
  if (check.failed()) return check.status();
  if (!create_live(generator)) return CURAND_STATUS_ALLOCATION_FAILED;
  curandGenerator_st& made = **generator;
  made.type = type;
  made.on_host = on_host;
  if (is_quasi(type)) made.ordering = CURAND_ORDERING_QUASI_DEFAULT;
  return CURAND_STATUS_SUCCESS;
}

}  // namespace

curandStatus_t make_ready(curandGenerator_st& generator) {
  if (generator.is_ready) return CURAND_STATUS_SUCCESS;
  curandStatus_t status = CURAND_STATUS_SUCCESS;
  if (is_recurrence(generator.type))
    status = start_recurrence(generator);
  else if (generator.type == CURAND_RNG_PSEUDO_MT19937)
    status = mt19937::start(generator.mt19937, static_cast<std::uint32_t>(generator.seed),
                            generator.stream);
  else if (is_pseudo(generator.type))
    start_philox(generator);
  else
    status = is_long(generator.type) ? start_sobol<unsigned long long>(generator)
                                     : start_sobol<unsigned int>(generator);
  generator.is_ready = status == CURAND_STATUS_SUCCESS;
  return status;
}

}  // namespace gridspan::libraries::rand

using namespace gridspan::libraries;  // NOLINT(google-build-using-namespace): the C functions

extern "C" {

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  return rand::create(generator, type, false);
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  return rand::create(generator, type, true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  return live<curandGenerator_st>().destroy(generator)
             ? CURAND_STATUS_SUCCESS
             : rand::Check(__func__).no_object(generator, "generator",
                                               CURAND_STATUS_NOT_INITIALIZED);
}

curandStatus_t curandGetVersion(int* version) {
  if (const auto check = rand::Check(__func__).given(version, "version"); check.failed())
    return check.status();
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetProperty(libraryPropertyType type, int* value) {
  return give_version_part(type, CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH, value)
             ? CURAND_STATUS_SUCCESS
             : rand::Check(__func__).given(value, "value").known(false, type, "type").status();
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (const rand::Check check(generator); check.failed()) return check.status();
  // States and tables are used in the order of calls.
  if (stream != generator->stream && generator->is_ready) cudaStreamSynchronize(generator->stream);
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
  rand::Check check(generator);
  if (!check.failed()) check.has(rand::is_pseudo(generator->type), "has no seed");
  return rand::set(check, generator, &curandGenerator_st::seed, seed);
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  rand::Check check(generator);
  // Documented: Mersenne Twisters cannot skip.
  if (!check.failed()) check.has(!rand::is_twister(generator->type), "has no offset");
  return rand::set(check, generator, &curandGenerator_st::offset, offset);
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  rand::Check check(generator);
  if (!check.failed())
    check.known(rand::has_ordering(*generator, order), order, "order", CURAND_STATUS_OUT_OF_RANGE,
                "which the generator does not have");
  return rand::set(check, generator, &curandGenerator_st::ordering, order);
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                       unsigned int dimensions) {
  rand::Check check(generator);
  if (!check.failed())
    check.has(rand::is_quasi(generator->type), "has no dimensions")
        .known(dimensions >= 1 && dimensions <= rand::most_dimensions, dimensions, "num_dimensions",
               CURAND_STATUS_OUT_OF_RANGE, "not within 1 to 20000");
  return rand::set(check, generator, &curandGenerator_st::dimensions, dimensions);
}

curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  if (const rand::Check check(generator); check.failed()) return check.status();
  const curandStatus_t status = rand::make_ready(*generator);
  return status == CURAND_STATUS_SUCCESS && generator->type == CURAND_RNG_PSEUDO_MT19937
             ? rand::mt19937::make_all(generator->mt19937, generator->stream)
             : status;
}

}  // extern "C"
