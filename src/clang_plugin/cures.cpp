// The table of cures.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/cures.h"

#include "clang_plugin/array_bounds.h"
#include "clang_plugin/attribute_order.h"
#include "clang_plugin/builtin_declarations.h"
#include "clang_plugin/incomplete_members.h"
#include "clang_plugin/instantiations.h"
#include "clang_plugin/loose_pragmas.h"
#include "clang_plugin/operand_commas.h"
#include "clang_plugin/repeated_arguments.h"
#include "clang_plugin/template_keyword.h"
#include "clang_plugin/void_pointers.h"

#include "clang/Basic/DiagnosticIDs.h"
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
    case clang::diag::err_cuda_vla:
      return bound_of_class;
    case clang::diag::err_expected:
      return operand_commas;
    case clang::diag::err_function_template_partial_spec:
      return without_repeated_arguments;
    case clang::diag::err_non_thread_thread:
      return without_builtin_declaration;
    case clang::diag::err_missing_dependent_template_keyword:
    case clang::diag::err_template_kw_missing:
      return template_keyword;
    case clang::diag::err_bound_member_function:
    case clang::diag::err_ovl_unresolvable:
      return template_keyword_of_member;
    case clang::diag::err_access:
    case clang::diag::err_incomplete_member_access:
    case clang::diag::err_subscript_incomplete_or_sizeless_type:
      return later_lookup;
    case clang::diag::err_typecheck_pointer_arith_void_type:
      return arithmetic_in_bytes;
    case clang::diag::err_bad_reinterpret_cast_small_int:
      return cast_of_address;
    case clang::diag::err_sizeof_alignof_incomplete_or_sizeless_type:
      return size_of_void;
    case clang::diag::err_pragma_loop_precedes_nonloop:
      return without_loose_pragma;
    default:
      return nullptr;
  }
}

}  // namespace gridspan::clang_plugin
