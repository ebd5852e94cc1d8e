// cuFFT: plans by number, their streams and workspaces.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/fft/api/plan.h"

#include "libraries/support/log.h"
#include "libraries/support/refusals.h"
#include "libraries/support/versions.h"

#include <new>

namespace gridspan::libraries::fft {

cufftHandle Plans::create() {
  const std::scoped_lock lock(mutex_);
  plans_.emplace(++last_, std::make_shared<Plan>());
  return last_;
}

bool Plans::destroy(cufftHandle plan) {
  std::shared_ptr<Plan> last;  // its memory is freed outside the lock
  const std::scoped_lock lock(mutex_);
  const auto found = plans_.find(plan);
  if (found == plans_.end()) return false;
  last = std::move(found->second);
  plans_.erase(found);
  return true;
}

std::shared_ptr<Plan> Plans::find(cufftHandle plan) const {
  const std::scoped_lock lock(mutex_);
  const auto found = plans_.find(plan);
  return found == plans_.end() ? nullptr : found->second;
}

/// Never destroyed: a program's destructors may use it after ours ran.
Plans& plans() {
  static auto& all = *new Plans;
  return all;
}

cufftResult answer(cufftResult status, const char* call, const char* argument, const char* why) {
  say_refused(call, argument, why);
  return status;
}

cufftResult fail(cufftResult status, const char* call, const char* why) {
  listen_to_log();
  support::log(support::LogLevel::warn, "%s: %s", call, why);
  return status;
}

namespace {

/// Calls `change` with the plan.
template <typename Change>
cufftResult with_plan(cufftHandle handle, const char* call, Change change) {
  const std::shared_ptr<Plan> plan = plans().find(handle);
  return plan ? change(*plan) : answer(CUFFT_INVALID_PLAN, call, "plan");
}

}  // namespace
}  // namespace gridspan::libraries::fft

using namespace gridspan::libraries;  // NOLINT(google-build-using-namespace): the C functions

extern "C" {

cufftResult cufftCreate(cufftHandle* handle) {
  if (!handle) return fft::answer(CUFFT_INVALID_VALUE, "cufftCreate", "handle");
  try {
    *handle = fft::plans().create();
  } catch (const std::bad_alloc&) {
    return fft::fail(CUFFT_ALLOC_FAILED, "cufftCreate", "no memory");
  }
  return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle plan) {
  return fft::plans().destroy(plan) ? CUFFT_SUCCESS
                                    : fft::answer(CUFFT_INVALID_PLAN, "cufftDestroy", "plan");
}

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  return fft::with_plan(handle, "cufftSetStream", [&](fft::Plan& plan) {
    plan.stream = stream;
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftSetAutoAllocation(cufftHandle handle, int allocates) {
  return fft::with_plan(handle, "cufftSetAutoAllocation", [&](fft::Plan& plan) {
    plan.allocates = allocates != 0;
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftSetWorkArea(cufftHandle handle, void* work) {
  return fft::with_plan(handle, "cufftSetWorkArea", [&](fft::Plan& plan) {
    plan.given_work = work;
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftXtSetWorkArea(cufftHandle handle, void** work) {
  return fft::with_plan(handle, "cufftXtSetWorkArea", [&](fft::Plan& plan) {
    if (!work) return fft::answer(CUFFT_INVALID_VALUE, "cufftXtSetWorkArea", "workArea");
    plan.given_work = work[0];
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftXtSetWorkAreaPolicy(cufftHandle handle, cufftXtWorkAreaPolicy policy,
                                     size_t* work_size) {
  return fft::with_plan(handle, "cufftXtSetWorkAreaPolicy", [&](fft::Plan& plan) {
    if (policy > CUFFT_WORKAREA_PERFORMANCE)
      return fft::answer(CUFFT_INVALID_VALUE, "cufftXtSetWorkAreaPolicy", "policy");
    if (policy == CUFFT_WORKAREA_USER) plan.allocates = false;
    if (work_size) *work_size = plan.work_bytes;
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftGetSize(cufftHandle handle, size_t* work_size) {
  return fft::with_plan(handle, "cufftGetSize", [&](fft::Plan& plan) {
    if (!work_size) return fft::answer(CUFFT_INVALID_VALUE, "cufftGetSize", "workSize");
    if (!plan.is_made) return fft::answer(CUFFT_INVALID_PLAN, "cufftGetSize", "plan");
    *work_size = plan.work_bytes;
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftSetPlanPropertyInt64(cufftHandle handle, cufftProperty property,
                                      const long long int value) {
  return fft::with_plan(handle, "cufftSetPlanPropertyInt64", [&](fft::Plan& plan) {
    if (property != NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT &&
        property != NVFFT_PLAN_PROPERTY_INT64_MAX_NUM_HOST_THREADS)
      return fft::answer(CUFFT_INVALID_VALUE, "cufftSetPlanPropertyInt64", "property");
    plan.properties[property] = value;
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftGetPlanPropertyInt64(cufftHandle handle, cufftProperty property,
                                      long long int* value) {
  return fft::with_plan(handle, "cufftGetPlanPropertyInt64", [&](fft::Plan& plan) {
    if (!value)
      return fft::answer(CUFFT_INVALID_VALUE, "cufftGetPlanPropertyInt64", "returnPtrValue");
    if (property != NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT &&
        property != NVFFT_PLAN_PROPERTY_INT64_MAX_NUM_HOST_THREADS)
      return fft::answer(CUFFT_INVALID_VALUE, "cufftGetPlanPropertyInt64", "property");
    const auto found = plan.properties.find(property);
    const long long by_default = property == NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT ? 0 : 1;
    *value = found == plan.properties.end() ? by_default : found->second;
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftResetPlanProperty(cufftHandle handle, cufftProperty property) {
  return fft::with_plan(handle, "cufftResetPlanProperty", [&](fft::Plan& plan) {
    plan.properties.erase(property);
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftGetVersion(int* version) {
  if (!version) return fft::answer(CUFFT_INVALID_VALUE, "cufftGetVersion", "version");
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}

cufftResult cufftGetProperty(libraryPropertyType type, int* value) {
  return give_version_part(type, CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH, value)
             ? CUFFT_SUCCESS
             : fft::answer(CUFFT_INVALID_VALUE, "cufftGetProperty", value ? "type" : "value");
}

}  // extern "C"
