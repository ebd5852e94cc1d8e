// __managed__ variables that calls are handed before anything of their module has run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcuda
// FEATURE: Device variables | __managed__ variables known to copies, fills, attributes and the driver API before their module's first use, also in constructors and after cudaDeviceReset
#include <cuda.h>

#include <algorithm>

#include "check.h"

#define CU_OK(call) CHECK_EQ((call), CUDA_SUCCESS)

constexpr int n = 1003;

__managed__ int table[n];
__managed__ int first = 5;
__managed__ struct Mixed {
  double x;
  int count;
} mixed = {1.5, 3};
static __managed__ short rows[17][33];
__device__ int plain[n] = {7, 8};

__global__ void add(int by) {
  const int i = check::global_index();
  if (i < n) table[i] += by + first + plain[0] - 7;
  if (i == 0) mixed.x *= 2, ++mixed.count;
  if (i < 17 * 33) (&rows[0][0])[i] += 1;
}

/// The variables work on the device as they do after a launch that came first; `table` and `rows`
/// are as `want` says.
void check_on_device(std::vector<int> want_table, std::vector<short> want_rows) {
  CUDA_OK(cudaDeviceSynchronize());
  check::equal("table", std::vector<int>(table, table + n), want_table);
  add<<<9, 128>>>(100);
  KERNEL_OK();
  for (int& x : want_table) x += 105;
  for (short& x : want_rows) ++x;
  check::equal("table after a kernel", std::vector<int>(table, table + n), want_table);
  check::equal("rows after a kernel", std::vector<short>(rows[0], rows[0] + 17 * 33), want_rows);
  CHECK_EQ(mixed.x, 3.0);
  CHECK_EQ(mixed.count, 4);
}
std::vector<int> numbers() { return check::Random(3).integers<int>(n, -1000, 1000); }
const std::vector<short> no_rows(17 * 33);

void copies() {
  const std::vector<int> source = numbers();
  CUDA_OK(cudaMemcpy(table, source.data(), sizeof table, cudaMemcpyHostToDevice));
  check_on_device(source, no_rows);
}
void copies_by_default() {
  const std::vector<int> source = numbers();
  CUDA_OK(cudaMemcpyAsync(table + 3, &source[3], 40, cudaMemcpyDefault, 0));
  CUDA_OK(cudaStreamSynchronize(0));
  std::vector<int> want(n);
  std::copy_n(&source[3], 10, &want[3]);
  check_on_device(want, no_rows);
}
void copies_out() {
  table[7] = 77;
  int back[4] = {-1, -1, -1, -1};
  CUDA_OK(cudaMemcpy(back, table + 6, sizeof back, cudaMemcpyDeviceToHost));
  CHECK(back[0] == 0 && back[1] == 77 && back[2] == 0);
  Mixed seen;
  CUDA_OK(cudaMemcpyFromSymbol(&seen, mixed, sizeof seen));
  CHECK(seen.x == 1.5 && seen.count == 3);
  CUDA_OK(cudaMemcpy(&table[8], &table[7], 4, cudaMemcpyDeviceToDevice));
  std::vector<int> want(n);
  want[7] = want[8] = 77;
  check_on_device(want, no_rows);
}
void copies_of_rows() {
  const std::vector<short> source = check::Random(5).integers<short>(40 * 12, -99, 99);
  CUDA_OK(
      cudaMemcpy2D(&rows[2][5], sizeof rows[0], source.data(), 80, 40, 12, cudaMemcpyHostToDevice));
  std::vector<short> want(17 * 33);
  for (int y = 0; y < 12; ++y)
    for (int x = 0; x < 20; ++x) want[(y + 2) * 33 + x + 5] = source[y * 40 + x];
  check_on_device(std::vector<int>(n), want);
}
void fills() {
  std::memset(table, 0x11, sizeof table);
  CUDA_OK(cudaMemset(table, 0, 40));
  std::vector<int> want(n, 0x11111111);
  std::fill_n(want.begin(), 10, 0);
  check_on_device(want, no_rows);
}
void fills_in_streams() {
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  CUDA_OK(cudaMemsetAsync(table + 1, 1, sizeof table - 4, stream));
  CUDA_OK(cudaMemset2DAsync(&rows[1][1], sizeof rows[0], 3, 10, 7, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  std::vector<int> want(n, 0x01010101);
  want[0] = 0;
  std::vector<short> want_rows(17 * 33);
  for (int y = 0; y < 7; ++y)
    for (int x = 0; x < 5; ++x) want_rows[(y + 1) * 33 + x + 1] = 0x0303;
  check_on_device(want, want_rows);
}
void attributes() {
  cudaPointerAttributes known;
  CUDA_OK(cudaPointerGetAttributes(&known, table + 5));
  CHECK_EQ(int(known.type), int(cudaMemoryTypeManaged));
  CHECK(known.devicePointer == table + 5 && known.hostPointer == table + 5);
  CUDA_OK(cudaPointerGetAttributes(&known, &mixed.count));
  CHECK_EQ(int(known.type), int(cudaMemoryTypeManaged));
  static int other;
  CUDA_OK(cudaPointerGetAttributes(&known, &other));
  CHECK_EQ(int(known.type), int(cudaMemoryTypeUnregistered));
  CHECK_EQ(int(cudaMemset(table, 0, sizeof table + 4096)), int(cudaErrorInvalidValue));
  CHECK_EQ(int(cudaFree(table)), int(cudaErrorInvalidValue));
  (void)cudaGetLastError();
  check_on_device(std::vector<int>(n), no_rows);
}
void driver_attributes() {
  CU_OK(cuInit(0));
  CUdevice device;
  CUcontext context;
  CU_OK(cuDeviceGet(&device, 0));
  CU_OK(cuDevicePrimaryCtxRetain(&context, device));
  CU_OK(cuCtxSetCurrent(context));
  const auto address = reinterpret_cast<CUdeviceptr>(table + 9);
  unsigned managed = 2, type = 0;
  void* both[] = {&managed, &type};
  CUpointer_attribute names[] = {CU_POINTER_ATTRIBUTE_IS_MANAGED, CU_POINTER_ATTRIBUTE_MEMORY_TYPE};
  CU_OK(cuPointerGetAttributes(2, names, both, address));
  CHECK_EQ(managed, 1u);
  CUdeviceptr base = 0;
  size_t size = 0;
  CU_OK(cuMemGetAddressRange(&base, &size, address));
  CHECK_EQ(base, reinterpret_cast<CUdeviceptr>(table));
  CHECK_EQ(size, sizeof table);
  check_on_device(std::vector<int>(n), no_rows);
}
void driver_copies() {
  CU_OK(cuInit(0));
  CUcontext context;
  CU_OK(cuDevicePrimaryCtxRetain(&context, 0));
  CU_OK(cuCtxSetCurrent(context));
  const std::vector<int> source = numbers();
  const auto address = reinterpret_cast<CUdeviceptr>(table);
  CU_OK(cuMemcpyHtoD(address, source.data(), sizeof table));
  CU_OK(cuMemsetD32(address + 8, 123456, 11));
  CU_OK(cuCtxSynchronize());
  std::vector<int> want = source;
  std::fill_n(want.begin() + 2, 11, 123456);
  check_on_device(want, no_rows);
}
void graphs() {
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaGraphNode_t node;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  cudaMemsetParams fill = {};
  fill.dst = table + 2;
  fill.elementSize = 4;
  fill.value = 31;
  fill.width = 100;
  fill.height = 1;
  CUDA_OK(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill));
  CUDA_OK(cudaGraphInstantiate(&ready, graph, 0));
  CUDA_OK(cudaGraphLaunch(ready, 0));
  std::vector<int> want(n);
  std::fill_n(want.begin() + 2, 100, 31);
  check_on_device(want, no_rows);
}
void after_reset() {
  CUDA_OK(cudaMemset(table, 1, 4));
  CUDA_OK(cudaDeviceReset());
  const std::vector<int> source = numbers();
  CUDA_OK(cudaMemcpy(table, source.data(), sizeof table, cudaMemcpyDefault));
  check_on_device(source, no_rows);
}

/// Runs before main; what it does must be seen by the program and by kernels.
int code_of_constructor = -1;
struct Early {
  Early() {
    const int numbers[3] = {1, 2, 3};
    code_of_constructor = cudaMemcpy(&rows[16][30], numbers, 6, cudaMemcpyHostToDevice);
  }
};
static bool wants_constructor() { return std::getenv("MANAGED_EARLY_CONSTRUCTOR") != nullptr; }
static Early* const early = wants_constructor() ? new Early : nullptr;

void constructor() {
  CHECK_EQ(code_of_constructor, int(cudaSuccess));
  std::vector<short> want(no_rows);
  const int numbers[3] = {1, 2, 3};
  std::memcpy(&want[16 * 33 + 30], numbers, 6);
  check_on_device(std::vector<int>(n), want);
}

int main(int, char** arguments) {
  if (early) {
    constructor();
    return check::finish();
  }
  // Each in a process of its own, where it is the first that CUDA hears of.
  struct {
    const char* name;
    void (*run)();
  } const cases[] = {{"copies", copies},
                     {"copies_by_default", copies_by_default},
                     {"copies_out", copies_out},
                     {"copies_of_rows", copies_of_rows},
                     {"fills", fills},
                     {"fills_in_streams", fills_in_streams},
                     {"attributes", attributes},
                     {"driver_attributes", driver_attributes},
                     {"driver_copies", driver_copies},
                     {"graphs", graphs},
                     {"after_reset", after_reset}};
  for (const auto& [name, run] : cases) {
    const check::Outcome outcome = check::in_child([run = run] {
      run();
      return check::finish();
    });
    if (outcome.exit_code != 0) std::fprintf(stderr, "%s: %s", name, outcome.output.c_str());
    CHECK_EQ(outcome.exit_code, 0);
  }
  setenv("MANAGED_EARLY_CONSTRUCTOR", "1", 1);
  const std::string again = "'" + std::string(arguments[0]) + "' > /dev/null";
  CHECK_EQ(std::system(again.c_str()), 0);
  return check::finish();
}
