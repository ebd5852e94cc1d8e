// cuRAND: generators and what they are set to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/support/live_objects.h"
#include "libraries/support/versions.h"

#include <curand.h>

struct curandGenerator_st {
  curandRngType_t type = CURAND_RNG_PSEUDO_DEFAULT;
  bool on_host = false;
  cudaStream_t stream = nullptr;
  unsigned long long seed = 0;
  unsigned long long offset = 0;
  curandOrdering_t ordering = CURAND_ORDERING_PSEUDO_DEFAULT;
  unsigned int dimensions = 1;
};

namespace gridspan::libraries::rand {
namespace {

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

bool is_pseudo_ordering(curandOrdering_t order) {
  return order >= CURAND_ORDERING_PSEUDO_BEST && order <= CURAND_ORDERING_PSEUDO_DYNAMIC;
}

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool on_host) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  if (!is_pseudo(type) && !is_quasi(type)) return CURAND_STATUS_TYPE_ERROR;
  if (!create_live(generator)) return CURAND_STATUS_ALLOCATION_FAILED;
  curandGenerator_st& made = **generator;
  made.type = type;
  made.on_host = on_host;
  if (is_quasi(type)) made.ordering = CURAND_ORDERING_QUASI_DEFAULT;
  return CURAND_STATUS_SUCCESS;
}

}  // namespace
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
  return live<curandGenerator_st>().destroy(generator) ? CURAND_STATUS_SUCCESS
                                                       : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandGetVersion(int* version) {
  if (!version) return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetProperty(libraryPropertyType type, int* value) {
  return give_version_part(type, CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH, value)
             ? CURAND_STATUS_SUCCESS
             : CURAND_STATUS_OUT_OF_RANGE;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (!is_live(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
  if (!is_live(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  if (!rand::is_pseudo(generator->type)) return CURAND_STATUS_TYPE_ERROR;
  generator->seed = seed;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  if (!is_live(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  // Documented: Mersenne Twisters cannot skip.
  if (generator->type == CURAND_RNG_PSEUDO_MTGP32 || generator->type == CURAND_RNG_PSEUDO_MT19937)
    return CURAND_STATUS_TYPE_ERROR;
  generator->offset = offset;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  if (!is_live(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  const bool fits = rand::is_pseudo(generator->type) ? rand::is_pseudo_ordering(order)
                                                     : order == CURAND_ORDERING_QUASI_DEFAULT;
  if (!fits) return CURAND_STATUS_OUT_OF_RANGE;
  generator->ordering = order;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                       unsigned int dimensions) {
  if (!is_live(generator)) return CURAND_STATUS_NOT_INITIALIZED;
  if (!rand::is_quasi(generator->type)) return CURAND_STATUS_TYPE_ERROR;
  if (dimensions < 1 || dimensions > 20000) return CURAND_STATUS_OUT_OF_RANGE;
  generator->dimensions = dimensions;
  return CURAND_STATUS_SUCCESS;
}

}  // extern "C"
