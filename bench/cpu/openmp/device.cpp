// The OpenMP form's device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../form.h"

#include <omp.h>

std::string bench::device_name(std::string&) {
  return "OpenMP, " + std::to_string(omp_get_max_threads()) + " threads";
}
