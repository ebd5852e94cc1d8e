// cuSOLVER Mg: matrices that several devices hold, in blocks of columns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They are gathered into one array, solved as one device's, and given back: the run time spreads
// the work over its devices. Every call waits for its result, as documented.
#include "libraries/solver/api/arguments.h"

#include <cusolverMg.h>

#include <algorithm>
#include <cstdint>
#include <vector>

struct cusolverMgContext {
  cusolverDnHandle_t dense = nullptr;
  bool has_devices = false;
};

namespace gridspan::libraries::solver {
namespace {

struct DeviceGrid {
  std::int32_t devices = 0;
};
struct ColumnBlocks {
  std::int64_t rows = 0, columns = 0, block = 1;
  cudaDataType type = CUDA_R_32F;
  std::int32_t devices = 1;
};

const DeviceGrid* grid_of(cudaLibMgGrid_t grid) { return static_cast<const DeviceGrid*>(grid); }
const ColumnBlocks* blocks_of(cudaLibMgMatrixDesc_t desc) {
  return static_cast<const ColumnBlocks*>(desc);
}

std::size_t bytes_of(cudaDataType type) {
  switch (type) {
    case CUDA_R_32F:
      return sizeof(float);
    case CUDA_R_64F:
      return sizeof(double);
    case CUDA_C_32F:
      return sizeof(cuComplex);
    case CUDA_C_64F:
      return sizeof(cuDoubleComplex);
    default:
      return 0;
  }
}
cudaDataType type_of_real(cudaDataType type) {
  return type == CUDA_C_32F ? CUDA_R_32F : type == CUDA_C_64F ? CUDA_R_64F : type;
}

/// A part of a matrix, of rows and columns that begin at `row` and `column`, counted from 1.
struct Distributed {
  void** arrays;
  int row, column;
  cudaLibMgMatrixDesc_t desc;
  int rows, columns;
  const ColumnBlocks& blocks() const { return *blocks_of(desc); }
};

/// Device memory for the time of a call.
class DeviceRoom {
 public:
  explicit DeviceRoom(std::size_t bytes) {
    is_good_ = cudaMalloc(&place_, std::max<std::size_t>(bytes, 1)) == cudaSuccess;
  }
  DeviceRoom(const DeviceRoom&) = delete;
  DeviceRoom& operator=(const DeviceRoom&) = delete;
  ~DeviceRoom() { cudaFree(place_); }
  bool is_good() const { return is_good_; }
  template <typename T = void>
  T* as() const {
    return static_cast<T*>(place_);
  }

 private:
  void* place_ = nullptr;
  bool is_good_;
};

void check_part(Check& check, const Distributed& part, cudaDataType compute, const char* name) {
  check.that(is_live(blocks_of(part.desc)), "descr");
  if (check.failed()) return;
  const ColumnBlocks& blocks = part.blocks();
  check.that(part.rows >= 0 && part.columns >= 0, "N")
      .that(part.row >= 1 && part.column >= 1, name)
      .that(part.row - 1 + std::int64_t{part.rows} <= blocks.rows &&
                part.column - 1 + std::int64_t{part.columns} <= blocks.columns,
            name)
      .that(compute == blocks.type, "computeType")
      .that(part.arrays != nullptr, name);
}

/// Columns of a part that lie together, from or to an array that has `lead` elements a column.
bool move_columns(const Distributed& part, void* array, std::int64_t lead, bool gathers) {
  const ColumnBlocks& blocks = part.blocks();
  const std::size_t size = bytes_of(blocks.type);
  for (std::int64_t done = 0; done < part.columns && part.rows > 0;) {
    const std::int64_t column = part.column - 1 + done, block = column / blocks.block,
                       in_block = column % blocks.block;
    const std::int64_t count = std::min(part.columns - done, blocks.block - in_block);
    const std::int64_t local = block / blocks.devices * blocks.block + in_block;
    char* const there = static_cast<char*>(part.arrays[block % blocks.devices]) +
                        (local * blocks.rows + part.row - 1) * static_cast<std::int64_t>(size);
    char* const here = static_cast<char*>(array) + done * lead * static_cast<std::int64_t>(size);
    const std::size_t pitch_there = static_cast<std::size_t>(blocks.rows) * size,
                      pitch_here = static_cast<std::size_t>(lead) * size;
    const cudaError_t error = cudaMemcpy2D(
        gathers ? here : there, gathers ? pitch_here : pitch_there, gathers ? there : here,
        gathers ? pitch_there : pitch_here, static_cast<std::size_t>(part.rows) * size,
        static_cast<std::size_t>(count), cudaMemcpyDefault);
    if (error != cudaSuccess) return false;
    done += count;
  }
  return true;
}

/// Numbers of rows, one for each column, from or to where the columns are.
bool move_pivots(const Distributed& part, int* arrays[], std::vector<std::int64_t>& pivots,
                 bool gathers) {
  const ColumnBlocks& blocks = part.blocks();
  for (std::size_t i = 0; i < pivots.size(); ++i) {
    const std::int64_t column = part.column - 1 + static_cast<std::int64_t>(i),
                       block = column / blocks.block;
    int* const there = arrays[block % blocks.devices] + block / blocks.devices * blocks.block +
                       column % blocks.block;
    int number = static_cast<int>(pivots[i]);
    const cudaError_t error =
        gathers ? cudaMemcpy(&number, there, sizeof number, cudaMemcpyDeviceToHost)
                : cudaMemcpy(there, &number, sizeof number, cudaMemcpyHostToDevice);
    if (error != cudaSuccess) return false;
    pivots[i] = number;
  }
  return true;
}

/// `solve` gets the gathered array and where it writes info; what it did is given back.
template <typename Solve>
cusolverStatus_t on_one(const Distributed& part, int* info, bool gives_back, Solve solve) {
  const std::int64_t lead = std::max(1, part.rows);
  const DeviceRoom array(static_cast<std::size_t>(lead) * part.columns *
                         bytes_of(part.blocks().type));
  const DeviceRoom found(sizeof(int));
  if (!array.is_good() || !found.is_good()) return CUSOLVER_STATUS_ALLOC_FAILED;
  if (cudaMemset(found.as(), 0, sizeof(int)) != cudaSuccess ||
      !move_columns(part, array.as(), lead, true))
    return CUSOLVER_STATUS_EXECUTION_FAILED;
  const cusolverStatus_t status = solve(array.as(), lead, found.as<int>());
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  const bool is_good =
      cudaMemcpy(info, found.as(), sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess &&
      (!gives_back || move_columns(part, array.as(), lead, false));
  return is_good ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_EXECUTION_FAILED;
}

/// One of cusolverDn's functions with a workspace: `size` asks for it, `run` gets it.
template <typename AskSize, typename Run>
cusolverStatus_t with_workspace(AskSize size, Run run) {
  std::size_t on_device = 0, on_host = 0;
  if (const cusolverStatus_t status = size(&on_device, &on_host); status != CUSOLVER_STATUS_SUCCESS)
    return status;
  const DeviceRoom work(on_device);
  std::vector<char> host_work(on_host + 1);
  return work.is_good() ? run(work.as(), on_device, host_work.data(), on_host)
                        : CUSOLVER_STATUS_ALLOC_FAILED;
}

template <typename T, typename Ask, typename Run>
cusolverStatus_t inverse_of(cusolverDnHandle_t dense, cublasFillMode_t uplo, int n, void* a,
                            int lead, int* info, Ask ask, Run run) {
  int count = 0;
  T* const array = static_cast<T*>(a);
  if (const cusolverStatus_t status = ask(dense, uplo, n, array, lead, &count);
      status != CUSOLVER_STATUS_SUCCESS)
    return status;
  const DeviceRoom work(static_cast<std::size_t>(count) * sizeof(T));
  return work.is_good() ? run(dense, uplo, n, array, lead, work.as<T>(), count, info)
                        : CUSOLVER_STATUS_ALLOC_FAILED;
}

Check begun_mg(const char* call, cusolverMgHandle_t handle) {
  Check check(call, handle);
  return check.failed() ? check : check.that(handle->has_devices, "handle");
}

/// No workspace is needed.
cusolverStatus_t give_mg_room(Check check, int64_t* lwork) {
  check.given(lwork, "lwork");
  if (!check.failed()) *lwork = 1;
  return check.status();
}

}  // namespace
}  // namespace gridspan::libraries::solver

using namespace gridspan::libraries;  // NOLINT(google-build-using-namespace): the C functions

extern "C" {

cusolverStatus_t cusolverMgCreate(cusolverMgHandle_t* handle) {
  if (const auto check = solver::Check(__func__).given(handle, "handle"); check.failed())
    return check.status();
  cusolverMgHandle_t made = nullptr;
  if (!create_live(&made)) return CUSOLVER_STATUS_ALLOC_FAILED;
  const cusolverStatus_t status = cusolverDnCreate(&made->dense);
  if (status != CUSOLVER_STATUS_SUCCESS) {
    live<cusolverMgContext>().destroy(made);
    return status;
  }
  *handle = made;
  return status;
}

cusolverStatus_t cusolverMgDestroy(cusolverMgHandle_t handle) {
  if (const solver::Check check(__func__, handle); check.failed()) return check.status();
  cusolverDnDestroy(handle->dense);
  live<cusolverMgContext>().destroy(handle);
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverMgDeviceSelect(cusolverMgHandle_t handle, int nbDevices, int deviceId[]) {
  solver::Check check(__func__, handle);
  if (check.at_least(nbDevices, 1, "nbDevices").given(deviceId, "deviceId").failed())
    return check.status();
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) return CUSOLVER_STATUS_INVALID_VALUE;
  for (int i = 0; i < nbDevices; ++i)
    check.that(deviceId[i] >= 0 && deviceId[i] < count, "deviceId", CUSOLVER_STATUS_INVALID_VALUE,
               "names a device that is not there");
  if (check.failed()) return check.status();
  handle->has_devices = true;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverMgCreateDeviceGrid(cudaLibMgGrid_t* grid, int32_t numRowDevices,
                                            int32_t numColDevices, const int32_t deviceId[],
                                            cusolverMgGridMapping_t) {
  // Documented: one row of devices.
  solver::Check check(__func__);
  check.given(grid, "grid").same(numRowDevices, 1, "numRowDevices", "documented");
  check.at_least(numColDevices, 1, "numColDevices").given(deviceId, "deviceId");
  if (check.failed()) return check.status();
  solver::DeviceGrid* made = nullptr;
  if (!create_live(&made)) return CUSOLVER_STATUS_ALLOC_FAILED;
  made->devices = numColDevices;
  *grid = made;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverMgDestroyGrid(cudaLibMgGrid_t grid) {
  return live<solver::DeviceGrid>().destroy(solver::grid_of(grid))
             ? CUSOLVER_STATUS_SUCCESS
             : solver::Check(__func__).no_object(grid, "grid");
}

cusolverStatus_t cusolverMgCreateMatrixDesc(cudaLibMgMatrixDesc_t* desc, int64_t numRows,
                                            int64_t numCols, int64_t rowBlockSize,
                                            int64_t colBlockSize, cudaDataType dataType,
                                            const cudaLibMgGrid_t grid) {
  // Documented: blocks of whole columns.
  solver::Check check(__func__);
  check.given(desc, "desc").size(numRows, "numRows").size(numCols, "numCols");
  check.same(rowBlockSize, numRows, "rowBlockSize", "numRows")
      .at_least(colBlockSize, 1, "colBlockSize")
      .known(solver::bytes_of(dataType) != 0, dataType, "dataType")
      .live(solver::grid_of(grid), "grid");
  if (check.failed()) return check.status();
  solver::ColumnBlocks* made = nullptr;
  if (!create_live(&made)) return CUSOLVER_STATUS_ALLOC_FAILED;
  *made = {numRows, numCols, colBlockSize, dataType, solver::grid_of(grid)->devices};
  *desc = made;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverMgDestroyMatrixDesc(cudaLibMgMatrixDesc_t desc) {
  return live<solver::ColumnBlocks>().destroy(solver::blocks_of(desc))
             ? CUSOLVER_STATUS_SUCCESS
             : solver::Check(__func__).no_object(desc, "desc");
}

cusolverStatus_t cusolverMgSyevd_bufferSize(cusolverMgHandle_t handle, cusolverEigMode_t,
                                            cublasFillMode_t uplo, int N, void* array_d_A[], int IA,
                                            int JA, cudaLibMgMatrixDesc_t descrA, void*,
                                            cudaDataType, cudaDataType computeType,
                                            int64_t* lwork) {
  solver::Check check = solver::begun_mg("cusolverMgSyevd_bufferSize", handle);
  check.fill(uplo);
  solver::check_part(check, {array_d_A, IA, JA, descrA, N, N}, computeType, "A");
  return solver::give_mg_room(check, lwork);
}

cusolverStatus_t cusolverMgSyevd(cusolverMgHandle_t handle, cusolverEigMode_t jobz,
                                 cublasFillMode_t uplo, int N, void* array_d_A[], int IA, int JA,
                                 cudaLibMgMatrixDesc_t descrA, void* W, cudaDataType dataTypeW,
                                 cudaDataType computeType, void*[], int64_t, int* info) {
  solver::Check check = solver::begun_mg("cusolverMgSyevd", handle);
  const solver::Distributed part = {array_d_A, IA, JA, descrA, N, N};
  check.fill(uplo);
  solver::check_part(check, part, computeType, "A");
  check.that(W || N == 0, "W")
      .that(dataTypeW == solver::type_of_real(computeType), "dataTypeW")
      .given(info, "info");
  if (check.failed()) return check.status();
  const std::size_t bytes = solver::bytes_of(dataTypeW) * static_cast<std::size_t>(N);
  const solver::DeviceRoom values(bytes);
  if (!values.is_good()) return CUSOLVER_STATUS_ALLOC_FAILED;
  const cusolverStatus_t status =
      solver::on_one(part, info, true, [&](void* a, std::int64_t lead, int* found) {
        return solver::with_workspace(
            [&](std::size_t* on_device, std::size_t* on_host) {
              return cusolverDnXsyevd_bufferSize(handle->dense, nullptr, jobz, uplo, N, computeType,
                                                 a, lead, dataTypeW, values.as(), computeType,
                                                 on_device, on_host);
            },
            [&](void* work, std::size_t on_device, void* host_work, std::size_t on_host) {
              return cusolverDnXsyevd(handle->dense, nullptr, jobz, uplo, N, computeType, a, lead,
                                      dataTypeW, values.as(), computeType, work, on_device,
                                      host_work, on_host, found);
            });
      });
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  return solver::status_of(cudaMemcpy(W, values.as(), bytes, cudaMemcpyDefault));
}

cusolverStatus_t cusolverMgGetrf_bufferSize(cusolverMgHandle_t handle, int M, int N,
                                            void* array_d_A[], int IA, int JA,
                                            cudaLibMgMatrixDesc_t descrA, int*[],
                                            cudaDataType computeType, int64_t* lwork) {
  solver::Check check = solver::begun_mg("cusolverMgGetrf_bufferSize", handle);
  solver::check_part(check, {array_d_A, IA, JA, descrA, M, N}, computeType, "A");
  return solver::give_mg_room(check, lwork);
}

cusolverStatus_t cusolverMgGetrf(cusolverMgHandle_t handle, int M, int N, void* array_d_A[], int IA,
                                 int JA, cudaLibMgMatrixDesc_t descrA, int* array_d_IPIV[],
                                 cudaDataType computeType, void*[], int64_t, int* info) {
  solver::Check check = solver::begun_mg("cusolverMgGetrf", handle);
  const solver::Distributed part = {array_d_A, IA, JA, descrA, M, N};
  solver::check_part(check, part, computeType, "A");
  check.given(array_d_IPIV, "IPIV").given(info, "info");
  if (check.failed()) return check.status();
  std::vector<std::int64_t> pivots(static_cast<std::size_t>(std::min(M, N)));
  const std::size_t bytes = pivots.size() * sizeof pivots[0];
  const solver::DeviceRoom rows(bytes);
  if (!rows.is_good()) return CUSOLVER_STATUS_ALLOC_FAILED;
  const cusolverStatus_t status =
      solver::on_one(part, info, true, [&](void* a, std::int64_t lead, int* found) {
        return solver::with_workspace(
            [&](std::size_t* on_device, std::size_t* on_host) {
              return cusolverDnXgetrf_bufferSize(handle->dense, nullptr, M, N, computeType, a, lead,
                                                 computeType, on_device, on_host);
            },
            [&](void* work, std::size_t on_device, void* host_work, std::size_t on_host) {
              return cusolverDnXgetrf(handle->dense, nullptr, M, N, computeType, a, lead,
                                      rows.as<std::int64_t>(), computeType, work, on_device,
                                      host_work, on_host, found);
            });
      });
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  const bool is_good =
      cudaMemcpy(pivots.data(), rows.as(), bytes, cudaMemcpyDeviceToHost) == cudaSuccess &&
      solver::move_pivots(part, array_d_IPIV, pivots, false);
  return is_good ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_EXECUTION_FAILED;
}

cusolverStatus_t cusolverMgGetrs_bufferSize(cusolverMgHandle_t handle, cublasOperation_t TRANS,
                                            int N, int NRHS, void* array_d_A[], int IA, int JA,
                                            cudaLibMgMatrixDesc_t descrA, int*[], void* array_d_B[],
                                            int IB, int JB, cudaLibMgMatrixDesc_t descrB,
                                            cudaDataType computeType, int64_t* lwork) {
  solver::Check check = solver::begun_mg("cusolverMgGetrs_bufferSize", handle);
  check.operation(TRANS);
  solver::check_part(check, {array_d_A, IA, JA, descrA, N, N}, computeType, "A");
  solver::check_part(check, {array_d_B, IB, JB, descrB, N, NRHS}, computeType, "B");
  return solver::give_mg_room(check, lwork);
}

cusolverStatus_t cusolverMgGetrs(cusolverMgHandle_t handle, cublasOperation_t TRANS, int N,
                                 int NRHS, void* array_d_A[], int IA, int JA,
                                 cudaLibMgMatrixDesc_t descrA, int* array_d_IPIV[],
                                 void* array_d_B[], int IB, int JB, cudaLibMgMatrixDesc_t descrB,
                                 cudaDataType computeType, void*[], int64_t, int* info) {
  solver::Check check = solver::begun_mg("cusolverMgGetrs", handle);
  const solver::Distributed factors = {array_d_A, IA, JA, descrA, N, N},
                            sides = {array_d_B, IB, JB, descrB, N, NRHS};
  check.operation(TRANS);
  solver::check_part(check, factors, computeType, "A");
  solver::check_part(check, sides, computeType, "B");
  check.given(array_d_IPIV, "IPIV").given(info, "info");
  if (check.failed()) return check.status();
  std::vector<std::int64_t> pivots(static_cast<std::size_t>(N));
  const std::size_t bytes = pivots.size() * sizeof pivots[0];
  const solver::DeviceRoom rows(bytes);
  if (!rows.is_good()) return CUSOLVER_STATUS_ALLOC_FAILED;
  if (!solver::move_pivots(factors, array_d_IPIV, pivots, true) ||
      cudaMemcpy(rows.as(), pivots.data(), bytes, cudaMemcpyHostToDevice) != cudaSuccess)
    return CUSOLVER_STATUS_EXECUTION_FAILED;
  return solver::on_one(factors, info, false, [&](void* a, std::int64_t lead, int*) {
    return solver::on_one(sides, info, true, [&](void* b, std::int64_t b_lead, int* found) {
      return cusolverDnXgetrs(handle->dense, nullptr, TRANS, N, NRHS, computeType, a, lead,
                              rows.as<std::int64_t>(), computeType, b, b_lead, found);
    });
  });
}

cusolverStatus_t cusolverMgPotrf_bufferSize(cusolverMgHandle_t handle, cublasFillMode_t uplo, int N,
                                            void* array_d_A[], int IA, int JA,
                                            cudaLibMgMatrixDesc_t descrA, cudaDataType computeType,
                                            int64_t* lwork) {
  solver::Check check = solver::begun_mg("cusolverMgPotrf_bufferSize", handle);
  check.fill(uplo);
  solver::check_part(check, {array_d_A, IA, JA, descrA, N, N}, computeType, "A");
  return solver::give_mg_room(check, lwork);
}

cusolverStatus_t cusolverMgPotrf(cusolverMgHandle_t handle, cublasFillMode_t uplo, int N,
                                 void* array_d_A[], int IA, int JA, cudaLibMgMatrixDesc_t descrA,
                                 cudaDataType computeType, void*[], int64_t, int* h_info) {
  solver::Check check = solver::begun_mg("cusolverMgPotrf", handle);
  const solver::Distributed part = {array_d_A, IA, JA, descrA, N, N};
  check.fill(uplo);
  solver::check_part(check, part, computeType, "A");
  check.given(h_info, "h_info");
  if (check.failed()) return check.status();
  return solver::on_one(part, h_info, true, [&](void* a, std::int64_t lead, int* found) {
    return solver::with_workspace(
        [&](std::size_t* on_device, std::size_t* on_host) {
          return cusolverDnXpotrf_bufferSize(handle->dense, nullptr, uplo, N, computeType, a, lead,
                                             computeType, on_device, on_host);
        },
        [&](void* work, std::size_t on_device, void* host_work, std::size_t on_host) {
          return cusolverDnXpotrf(handle->dense, nullptr, uplo, N, computeType, a, lead,
                                  computeType, work, on_device, host_work, on_host, found);
        });
  });
}

cusolverStatus_t cusolverMgPotrs_bufferSize(cusolverMgHandle_t handle, cublasFillMode_t uplo, int n,
                                            int nrhs, void* array_d_A[], int IA, int JA,
                                            cudaLibMgMatrixDesc_t descrA, void* array_d_B[], int IB,
                                            int JB, cudaLibMgMatrixDesc_t descrB,
                                            cudaDataType computeType, int64_t* lwork) {
  solver::Check check = solver::begun_mg("cusolverMgPotrs_bufferSize", handle);
  check.fill(uplo);
  solver::check_part(check, {array_d_A, IA, JA, descrA, n, n}, computeType, "A");
  solver::check_part(check, {array_d_B, IB, JB, descrB, n, nrhs}, computeType, "B");
  return solver::give_mg_room(check, lwork);
}

cusolverStatus_t cusolverMgPotrs(cusolverMgHandle_t handle, cublasFillMode_t uplo, int n, int nrhs,
                                 void* array_d_A[], int IA, int JA, cudaLibMgMatrixDesc_t descrA,
                                 void* array_d_B[], int IB, int JB, cudaLibMgMatrixDesc_t descrB,
                                 cudaDataType computeType, void*[], int64_t, int* h_info) {
  solver::Check check = solver::begun_mg("cusolverMgPotrs", handle);
  const solver::Distributed factors = {array_d_A, IA, JA, descrA, n, n},
                            sides = {array_d_B, IB, JB, descrB, n, nrhs};
  check.fill(uplo);
  solver::check_part(check, factors, computeType, "A");
  solver::check_part(check, sides, computeType, "B");
  check.given(h_info, "h_info");
  if (check.failed()) return check.status();
  return solver::on_one(factors, h_info, false, [&](void* a, std::int64_t lead, int*) {
    return solver::on_one(sides, h_info, true, [&](void* b, std::int64_t b_lead, int* found) {
      return cusolverDnXpotrs(handle->dense, nullptr, uplo, n, nrhs, computeType, a, lead,
                              computeType, b, b_lead, found);
    });
  });
}

cusolverStatus_t cusolverMgPotri_bufferSize(cusolverMgHandle_t handle, cublasFillMode_t uplo, int N,
                                            void* array_d_A[], int IA, int JA,
                                            cudaLibMgMatrixDesc_t descrA, cudaDataType computeType,
                                            int64_t* lwork) {
  solver::Check check = solver::begun_mg("cusolverMgPotri_bufferSize", handle);
  check.fill(uplo);
  solver::check_part(check, {array_d_A, IA, JA, descrA, N, N}, computeType, "A");
  return solver::give_mg_room(check, lwork);
}

cusolverStatus_t cusolverMgPotri(cusolverMgHandle_t handle, cublasFillMode_t uplo, int N,
                                 void* array_d_A[], int IA, int JA, cudaLibMgMatrixDesc_t descrA,
                                 cudaDataType computeType, void*[], int64_t, int* h_info) {
  solver::Check check = solver::begun_mg("cusolverMgPotri", handle);
  const solver::Distributed part = {array_d_A, IA, JA, descrA, N, N};
  check.fill(uplo);
  solver::check_part(check, part, computeType, "A");
  check.given(h_info, "h_info");
  if (check.failed()) return check.status();
  return solver::on_one(part, h_info, true, [&](void* a, std::int64_t long_lead, int* found) {
    const int lead = static_cast<int>(long_lead);
    switch (computeType) {
      case CUDA_R_32F:
        return solver::inverse_of<float>(handle->dense, uplo, N, a, lead, found,
                                         cusolverDnSpotri_bufferSize, cusolverDnSpotri);
      case CUDA_R_64F:
        return solver::inverse_of<double>(handle->dense, uplo, N, a, lead, found,
                                          cusolverDnDpotri_bufferSize, cusolverDnDpotri);
      case CUDA_C_32F:
        return solver::inverse_of<cuComplex>(handle->dense, uplo, N, a, lead, found,
                                             cusolverDnCpotri_bufferSize, cusolverDnCpotri);
      default:
        return solver::inverse_of<cuDoubleComplex>(handle->dense, uplo, N, a, lead, found,
                                                   cusolverDnZpotri_bufferSize, cusolverDnZpotri);
    }
  });
}

}  // extern "C"
