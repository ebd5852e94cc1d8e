// cuSOLVER: what the chains of low-level sparse functions share: infos, analysis, room.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/solver/api/sparse_arguments.h"
#include "libraries/solver/api/sparse_factors.h"

namespace gridspan::libraries::solver {

template <typename Info>
cusolverStatus_t create_info(Info** info, const char* call = __builtin_FUNCTION()) {
  if (const Check check = Check(call).given(info, "info"); check.failed()) return check.status();
  return create_live(info) ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}
template <typename Info>
cusolverStatus_t destroy_info(const Info* info, const char* call = __builtin_FUNCTION()) {
  return live<Info>().destroy(info) ? CUSOLVER_STATUS_SUCCESS : Check(call).no_object(info, "info");
}

/// The checks of a call with a handle and an info begin.
template <typename Info>
Check checked(const char* call, cusolverSpHandle_t handle, const Info* info) {
  Check check(call, handle);
  return check.live(info, "info");
}

/// The pattern into `info`, which loses what it had.
inline cusolverStatus_t analyse(Check check, cusolverSpHandle_t handle, bool on_device, int columns,
                                const Csr& a, SparseFactors* info) {
  check_csr(check, a);
  check.that(check.failed() || columns == a.rows, "n", CUSOLVER_STATUS_NOT_SUPPORTED);
  if (check.failed()) return check.status();
  return guarded([&] {
    info->is_analysed = false;
    info->numbers.reset();
    info->factors.reset();
    const cusolverStatus_t status =
        take_pattern(check, on_device, a, handle->stream, info->pattern);
    info->is_analysed = status == CUSOLVER_STATUS_SUCCESS;
    return status;
  });
}

/// How much room a call needs, which has its own.
inline cusolverStatus_t give_room(Check check, const Csr& a, std::size_t* internal,
                                  std::size_t* room) {
  check_csr(check, a);
  check.given(internal, "internalDataInBytes").given(room, "workspaceInBytes");
  if (!check.failed()) *internal = *room = 16;
  return check.status();
}

}  // namespace gridspan::libraries::solver
