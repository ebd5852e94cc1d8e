// The table of cures.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/cures.h"

#include "clang_plugin/attribute_order.h"
#include "clang_plugin/instantiations.h"
#include "clang_plugin/repeated_arguments.h"

#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"

namespace gridspan::clang_plugin {

Cure cure_of(unsigned diagnostic) {
  switch (diagnostic) {
    case clang::diag::err_attributes_not_allowed:
    case clang::diag::err_attribute_not_type_attr:
      return attribute_first;
    case clang::diag::note_cuda_ovl_candidate_target_mismatch:
      return specifiers_of_instantiation;
    case clang::diag::err_function_template_partial_spec:
      return without_repeated_arguments;
    default:
      return nullptr;
  }
}

}  // namespace gridspan::clang_plugin
