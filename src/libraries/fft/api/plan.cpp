// cuFFT: plans by number, their streams and workspaces.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/support/versions.h"

#include <cufft.h>

#include <map>
#include <mutex>
#include <new>

namespace gridspan::libraries::fft {
namespace {

struct Plan {
  cudaStream_t stream = nullptr;
  bool allocates = true;
};

/// Plans are numbers: no number is given twice in a process.
class Plans {
 public:
  cufftHandle create() {
    const std::scoped_lock lock(mutex_);
    plans_.emplace(++last_, Plan());
    return last_;
  }

  bool destroy(cufftHandle plan) {
    const std::scoped_lock lock(mutex_);
    return plans_.erase(plan) > 0;
  }

  /// False if there is no such plan.
  template <typename Change>
  bool change(cufftHandle plan, Change change) {
    const std::scoped_lock lock(mutex_);
    const auto found = plans_.find(plan);
    if (found == plans_.end()) return false;
    change(found->second);
    return true;
  }

 private:
  std::mutex mutex_;
  std::map<cufftHandle, Plan> plans_;
  cufftHandle last_ = 0;
};

/// Never destroyed: a program's destructors may use it after ours ran.
Plans& plans() {
  static auto& all = *new Plans;
  return all;
}

}  // namespace
}  // namespace gridspan::libraries::fft

using namespace gridspan::libraries;  // NOLINT(google-build-using-namespace): the C functions

extern "C" {

cufftResult cufftCreate(cufftHandle* handle) {
  if (!handle) return CUFFT_INVALID_VALUE;
  try {
    *handle = fft::plans().create();
  } catch (const std::bad_alloc&) {
    return CUFFT_ALLOC_FAILED;
  }
  return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle plan) {
  return fft::plans().destroy(plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream) {
  return fft::plans().change(plan, [&](fft::Plan& one) { one.stream = stream; })
             ? CUFFT_SUCCESS
             : CUFFT_INVALID_PLAN;
}

cufftResult cufftSetAutoAllocation(cufftHandle plan, int allocates) {
  return fft::plans().change(plan, [&](fft::Plan& one) { one.allocates = allocates != 0; })
             ? CUFFT_SUCCESS
             : CUFFT_INVALID_PLAN;
}

cufftResult cufftGetVersion(int* version) {
  if (!version) return CUFFT_INVALID_VALUE;
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}

cufftResult cufftGetProperty(libraryPropertyType type, int* value) {
  return give_version_part(type, CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH, value)
             ? CUFFT_SUCCESS
             : CUFFT_INVALID_VALUE;
}

}  // extern "C"
