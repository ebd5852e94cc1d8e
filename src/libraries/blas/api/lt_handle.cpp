// cuBLASLt: handles, versions, statuses, the program's log.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/api/lt_matmul.h"
#include "libraries/support/live_objects.h"

#include <cublasLt.h>

#include <cstdio>
#include <mutex>

struct cublasLtContext {};

namespace gridspan::libraries::blas {
namespace {

/// Where the program wants lines, and which: those up to a level, or those of a mask's bits.
struct LtLogging {
  std::mutex mutex;
  cublasLtLoggerCallback_t callback = nullptr;
  std::FILE* file = nullptr;
  bool is_own_file = false, is_disabled = false;
  int level = 0, mask = 0;
};

/// Never destroyed: a program's destructors may call.
LtLogging& lt_logging() {
  static auto& logging = *new LtLogging;
  return logging;
}

cublasStatus_t set_file(std::FILE* file, bool is_own) {
  LtLogging& logging = lt_logging();
  const std::lock_guard lock(logging.mutex);
  if (logging.is_own_file) std::fclose(logging.file);
  logging.file = file;
  logging.is_own_file = is_own;
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace

bool is_lt_handle(cublasLtHandle_t handle) {
  return is_live(handle) || is_live(reinterpret_cast<const cublasContext*>(handle));
}

Check lt_check(cublasLtHandle_t handle, const char* call) {
  Check check(call);
  if (!is_lt_handle(handle)) check.no_object(handle, "lightHandle", Answers::no_handle);
  return check;
}

void lt_log(LtLog level, const char* function, const char* message) {
  LtLogging& logging = lt_logging();
  cublasLtLoggerCallback_t callback = nullptr;
  const int number = static_cast<int>(level);
  {
    const std::lock_guard lock(logging.mutex);
    const bool is_wanted = logging.level >= number || (logging.mask >> (number - 1) & 1) != 0;
    if (logging.is_disabled || !is_wanted) return;
    callback = logging.callback;
    if (logging.file) {
      std::fprintf(logging.file, "[cublasLt][%d][%s] %s\n", number, function, message);
      std::fflush(logging.file);
    }
  }
  if (callback) callback(number, function, message);
}

}  // namespace gridspan::libraries::blas

using namespace gridspan::libraries;  // NOLINT(google-build-using-namespace): the C functions

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  if (const auto check = blas::Check(__func__).given(handle, "lightHandle"); check.failed())
    return check.status();
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
  return create_live(handle) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  if (live<cublasLtContext>().destroy(handle)) return CUBLAS_STATUS_SUCCESS;
  return blas::Check(__func__).no_object(handle, "lightHandle", CUBLAS_STATUS_NOT_INITIALIZED);
}

size_t cublasLtGetVersion() { return CUBLAS_VERSION; }
size_t cublasLtGetCudartVersion() { return CUDART_VERSION; }
cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int* value) {
  return cublasGetProperty(type, value);
}
const char* cublasLtGetStatusName(cublasStatus_t status) { return cublasGetStatusName(status); }
const char* cublasLtGetStatusString(cublasStatus_t status) { return cublasGetStatusString(status); }

// There is one heuristic answer, and nothing to keep of it.
cublasStatus_t cublasLtHeuristicsCacheGetCapacity(size_t* capacity) {
  if (const auto check = blas::Check(__func__).given(capacity, "capacity"); check.failed())
    return check.status();
  *capacity = 0;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtHeuristicsCacheSetCapacity(size_t) { return CUBLAS_STATUS_SUCCESS; }
unsigned cublasLtDisableCpuInstructionsSetMask(unsigned) { return 0; }

cublasStatus_t cublasLtLoggerSetCallback(cublasLtLoggerCallback_t callback) {
  const std::lock_guard lock(blas::lt_logging().mutex);
  blas::lt_logging().callback = callback;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtLoggerSetFile(FILE* file) { return blas::set_file(file, false); }
cublasStatus_t cublasLtLoggerOpenFile(const char* name) {
  std::FILE* const file = name ? std::fopen(name, "w") : nullptr;
  if (!file) return blas::Check(__func__).refuse("logFile", "cannot be opened");
  return blas::set_file(file, true);
}
cublasStatus_t cublasLtLoggerSetLevel(int level) {
  const bool is_level = level >= 0 && level <= 5;
  if (!is_level) return blas::Check(__func__).known(false, level, "level").status();
  const std::lock_guard lock(blas::lt_logging().mutex);
  blas::lt_logging().level = level;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtLoggerSetMask(int mask) {
  const std::lock_guard lock(blas::lt_logging().mutex);
  blas::lt_logging().mask = mask;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtLoggerForceDisable() {
  const std::lock_guard lock(blas::lt_logging().mutex);
  blas::lt_logging().is_disabled = true;
  return CUBLAS_STATUS_SUCCESS;
}

}  // extern "C"
