// cuRAND: checks of the arguments that calls give.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/rand/api/generator.h"
#include "libraries/support/refusals.h"

namespace gridspan::libraries::rand {

using Handle = Called<curandGenerator_t>;

struct Answers {
  using Status = curandStatus_t;
  static constexpr Status invalid = CURAND_STATUS_OUT_OF_RANGE;
  static constexpr Status no_handle = CURAND_STATUS_NOT_INITIALIZED;
  static constexpr Status unsupported = CURAND_STATUS_TYPE_ERROR;
};

/// Checks of a call's arguments, which have the names of the documentation.
class Check : public ArgumentCheck<Check, Answers> {
 public:
  explicit Check(const char* call) : ArgumentCheck(call) {}
  explicit Check(const Handle& generator) : ArgumentCheck(generator.call()) {
    live(generator.handle(), "generator", Answers::no_handle);
  }

  /// What only some generators have.
  Check& has(bool it, const char* why) {
    return that(it, "generator", CURAND_STATUS_TYPE_ERROR, why);
  }
};

}  // namespace gridspan::libraries::rand
