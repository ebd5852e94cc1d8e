// The causes' names, as in the log.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/cause.h"

namespace gridspan::runtime {

const char* cause_name(Cause cause) {
  switch (cause) {
    case Cause::upload:
      return "upload";
    case Cause::download:
      return "download";
    case Cause::copy:
      return "copy";
    case Cause::read:
      return "read";
    case Cause::gather:
      return "gather";
    case Cause::change_over:
      return "change_over";
    case Cause::eviction:
      return "eviction";
    case Cause::merge:
      return "merge";
    case Cause::combination:
      return "combination";
  }
  return "";
}

}  // namespace gridspan::runtime
