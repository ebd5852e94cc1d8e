// One row for each kind.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/kinds.h"

#include "devices/cuda/gpus.h"
#include "devices/machine/description.h"

namespace gridspan::devices {

std::span<const Kind> kinds() {
  static constexpr Kind table[] = {
      {"cpu", machine::describe_terms},
      {"cuda", cuda::describe_terms, "GPUs", cuda::list_devices},
  };
  return table;
}

}  // namespace gridspan::devices
