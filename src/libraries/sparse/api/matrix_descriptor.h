// What a matrix descriptor of the legacy functions holds; cuSOLVER takes it, too.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cusparse.h>

struct cusparseMatDescr {
  cusparseMatrixType_t type = CUSPARSE_MATRIX_TYPE_GENERAL;
  cusparseFillMode_t fill_mode = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal_type = CUSPARSE_DIAG_TYPE_NON_UNIT;
  cusparseIndexBase_t index_base = CUSPARSE_INDEX_BASE_ZERO;
};
