// cuRAND: tables of Sobol's sequences, for programs that draw them in kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/rand/api/checks.h"
#include "libraries/rand/api/sobol_tables.h"

#include <curand.h>

#include <vector>

namespace gridspan::libraries::rand {
namespace {

/// Made when first asked for; never destroyed: programs keep pointers to them.
template <typename Word, bool scrambled>
Word* all_vectors() {
  static auto& vectors =
      *new std::vector<Word>(direction_vectors<Word>(most_dimensions, scrambled));
  return vectors.data();
}

template <typename Word>
Word* all_constants() {
  static auto& constants = *new std::vector<Word>(scramble_constants<Word>(most_dimensions));
  return constants.data();
}

template <typename Word, typename Vectors>
curandStatus_t give(Vectors** result, curandDirectionVectorSet_t set,
                    curandDirectionVectorSet_t plain, curandDirectionVectorSet_t scrambled,
                    const char* call = __builtin_FUNCTION()) {
  const Check check =
      Check(call).given(result, "vectors").known(set == plain || set == scrambled, set, "set");
  if (check.failed()) return check.status();
  Word* const vectors = set == plain ? all_vectors<Word, false>() : all_vectors<Word, true>();
  *result = reinterpret_cast<Vectors*>(vectors);
  return CURAND_STATUS_SUCCESS;
}

template <typename Word>
curandStatus_t give_constants(Word** result, const char* call = __builtin_FUNCTION()) {
  if (const Check check = Check(call).given(result, "constants"); check.failed())
    return check.status();
  *result = all_constants<Word>();
  return CURAND_STATUS_SUCCESS;
}

}  // namespace
}  // namespace gridspan::libraries::rand

namespace tables = gridspan::libraries::rand;

extern "C" {

curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t* vectors[],
                                           curandDirectionVectorSet_t set) {
  return tables::give<unsigned int>(vectors, set, CURAND_DIRECTION_VECTORS_32_JOEKUO6,
                                    CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6);
}

curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t* vectors[],
                                           curandDirectionVectorSet_t set) {
  return tables::give<unsigned long long>(vectors, set, CURAND_DIRECTION_VECTORS_64_JOEKUO6,
                                          CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6);
}

curandStatus_t curandGetScrambleConstants32(unsigned int** constants) {
  return tables::give_constants(constants);
}

curandStatus_t curandGetScrambleConstants64(unsigned long long** constants) {
  return tables::give_constants(constants);
}

}  // extern "C"
