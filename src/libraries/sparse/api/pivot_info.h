// cuSPARSE: infos that keep where a diagonal element is 0, or not there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/sparse/api/arguments.h"
#include "libraries/support/device_array.h"

#include <any>

struct gridspan_pivot {
  gridspan::libraries::DeviceArray row;  // an int, from `base`, or -1: see launch_incomplete_lu
  int height = 1;                        // rows of a block
  int base = 0;
};
struct gridspan_boosted_pivot : gridspan_pivot {
  std::any boost;  // a Boost<T>, if there is one
};
struct csrilu02Info : gridspan_boosted_pivot {};
struct csric02Info : gridspan_pivot {};
struct bsrilu02Info : gridspan_boosted_pivot {};
struct bsric02Info : gridspan_pivot {};
struct bsrsv2Info : gridspan_pivot {};
struct bsrsm2Info : gridspan_pivot {};

namespace gridspan::libraries::sparse {

template <typename Info>
cusparseStatus_t create_pivot(Info** info, const char* call = __builtin_FUNCTION()) {
  if (const Check check = Check(call).given(info, "info"); check.failed()) return check.status();
  Info* made = nullptr;
  if (!create_live(&made)) return CUSPARSE_STATUS_ALLOC_FAILED;
  const int none = -1;
  if (!made->row.make_copy(&none, sizeof none)) {
    live<Info>().destroy(made);
    return CUSPARSE_STATUS_ALLOC_FAILED;
  }
  *info = made;
  return CUSPARSE_STATUS_SUCCESS;
}

template <typename Info>
cusparseStatus_t destroy_pivot(Info* info, const char* call = __builtin_FUNCTION()) {
  return live<Info>().destroy(info) ? CUSPARSE_STATUS_SUCCESS : Check(call).no_object(info, "info");
}

/// Numbers are where the handle's pointers are; those in device memory are read with the matrix.
template <typename T>
cusparseStatus_t set_boost(Check check, Handle handle, gridspan_boosted_pivot* info, int is_on,
                           const double* tolerance, const T* value) {
  if (is_on != 0) check.given(tolerance, "tol").given(value, "boost_val");
  if (check.failed()) return check.status();
  info->boost.reset();
  if (is_on != 0)
    info->boost = Boost<T>{true, scalar<double>(handle, tolerance), scalar<T>(handle, value)};
  return CUSPARSE_STATUS_SUCCESS;
}
/// None, unless one of the type is set.
template <typename T>
Boost<T> boost_of(const gridspan_boosted_pivot& info) {
  const auto* const boost = std::any_cast<Boost<T>>(&info.boost);
  return boost ? *boost : Boost<T>{};
}

/// Documented: waits for what runs; the position, of a row of blocks, is where the handle's
/// pointers are.
template <typename Info>
cusparseStatus_t zero_pivot(Handle handle, Info* info, int* position) {
  const Check check = Check(handle).live(info, "info").given(position, "position");
  if (check.failed()) return check.status();
  int found = -1;
  cudaError_t error = cudaMemcpyAsync(&found, info->row.template as<int>(), sizeof found,
                                      cudaMemcpyDeviceToHost, handle->stream);
  if (error == cudaSuccess) error = cudaStreamSynchronize(handle->stream);
  if (found >= 0) found = (found - info->base) / info->height + info->base;
  if (error == cudaSuccess) error = cudaMemcpy(position, &found, sizeof found, cudaMemcpyDefault);
  if (error != cudaSuccess) return status_of(error);
  return found < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}

}  // namespace gridspan::libraries::sparse
