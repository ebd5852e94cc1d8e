// What handles and descriptors of cuSPARSE hold.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cusparse.h>

#include <cstdint>

struct cusparseContext {
  cudaStream_t stream = nullptr;
  cusparsePointerMode_t pointer_mode = CUSPARSE_POINTER_MODE_HOST;
};

// Arrays are the program's. Those that it gave to be read only are never written: functions that
// write take descriptors that are not const.
struct cusparseSpVecDescr {
  std::int64_t size = 0, count = 0;
  void* indices = nullptr;
  void* values = nullptr;
  cusparseIndexType_t index_type = CUSPARSE_INDEX_32I;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
  cudaDataType type = CUDA_R_32F;
};

struct cusparseDnVecDescr {
  std::int64_t size = 0;
  void* values = nullptr;
  cudaDataType type = CUDA_R_32F;
};

/// CSR's rows, CSC's columns are compressed: `offsets`. COO has the row of each element there. Rows
/// and columns of formats in blocks and slices are those of elements; see Packed.
struct cusparseSpMatDescr {
  cusparseFormat_t format = CUSPARSE_FORMAT_CSR;
  std::int64_t rows = 0, columns = 0, count = 0;
  void* offsets = nullptr;
  void* indices = nullptr;
  void* values = nullptr;
  cusparseIndexType_t offset_type = CUSPARSE_INDEX_32I;
  cusparseIndexType_t index_type = CUSPARSE_INDEX_32I;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
  cudaDataType type = CUDA_R_32F;
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
  int batch_count = 1;
  std::int64_t offset_stride = 0, value_stride = 0;  // elements, from one matrix to the next
  std::int64_t index_stride = 0;                     // the same, where blocks have one index
  std::int64_t height = 1, width = 1;                // of blocks; slices have a height only
  std::int64_t blocks = 0;                           // of Blocked-ELL, in each row of them
  cusparseOrder_t block_order = CUSPARSE_ORDER_ROW;
};

struct cusparseDnMatDescr {
  std::int64_t rows = 0, columns = 0, leading = 0;
  void* values = nullptr;
  cudaDataType type = CUDA_R_32F;
  cusparseOrder_t order = CUSPARSE_ORDER_COL;
  int batch_count = 1;
  std::int64_t batch_stride = 0;
};
