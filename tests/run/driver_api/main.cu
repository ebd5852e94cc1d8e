// A program that uses the driver API, and the run-time API beside it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda.h>

#include <fstream>
#include <iterator>

#include "check.h"

/// Ends the test if a driver call fails.
#define CU_OK(call)                                                               \
  do {                                                                            \
    if (const CUresult result = (call)) {                                         \
      std::fprintf(stderr, "%s:%d: %s: %d\n", __FILE__, __LINE__, #call, result); \
      std::_Exit(1);                                                              \
    }                                                                             \
  } while (0)

struct Pair {
  char tag;
  double weight;
};

constexpr int n = 997;
constexpr int table[5] = {2, 4, 8, 16, 32};

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Device memory of the driver API.
struct Memory {
  CUdeviceptr address = 0;
  std::size_t bytes;
  explicit Memory(std::size_t bytes_) : bytes(bytes_) {
    CU_OK(cuMemAlloc(&address, bytes));
    CU_OK(cuMemsetD8(address, 0xA5, bytes));
    CU_OK(cuCtxSynchronize());  // streams that do not block are not behind it
  }
  ~Memory() { CU_OK(cuMemFree(address)); }
  Memory(const Memory&) = delete;

  template <class T>
  std::vector<T> get() const {
    CU_OK(cuCtxSynchronize());
    std::vector<T> values(bytes / sizeof(T));
    CU_OK(cuMemcpyDtoH(values.data(), address, bytes));
    return values;
  }
};

void before_initialisation() {
  int count = -1;
  CHECK_EQ(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
  CHECK_EQ(cuInit(1), CUDA_ERROR_INVALID_VALUE);
  CU_OK(cuInit(0));
  CU_OK(cuDeviceGetCount(&count));
  CHECK_EQ(count, 1);
  CUdeviceptr address = 0;
  CUcontext none = nullptr;
  CU_OK(cuCtxSetCurrent(nullptr));
  (void)cuCtxGetCurrent(&none);
  if (!none) CHECK_EQ(cuMemAlloc(&address, 4), CUDA_ERROR_INVALID_CONTEXT);
}

void contexts(CUdevice device) {
  CUcontext first, second, current;
  CU_OK(cuCtxCreate(&first, 0, device));
  CU_OK(cuCtxCreate(&second, nullptr, CU_CTX_SCHED_YIELD, device));  // as from CUDA 13 on
  CU_OK(cuCtxGetCurrent(&current));
  CHECK(current == second);
  unsigned flags = 0;
  CU_OK(cuCtxGetFlags(&flags));
  CHECK_EQ(flags, unsigned(CU_CTX_SCHED_YIELD));
  CU_OK(cuCtxPopCurrent(&current));
  CHECK(current == second);
  CU_OK(cuCtxGetCurrent(&current));
  CHECK(current == first);
  CU_OK(cuCtxPushCurrent(second));
  CU_OK(cuCtxDestroy(second));
  CU_OK(cuCtxGetCurrent(&current));
  CHECK(current == first);
  CHECK_EQ(cuCtxPushCurrent(second), CUDA_ERROR_INVALID_CONTEXT);
}

void device_queries(CUdevice device) {
  char name[256] = "";
  CU_OK(cuDeviceGetName(name, sizeof name, device));
  cudaDeviceProp properties;
  CUDA_OK(cudaGetDeviceProperties(&properties, 0));
  CHECK(std::strcmp(name, properties.name) == 0);
  int major = 0, minor = 0, warp = 0;
  std::size_t bytes = 0, free_bytes = 0, total = 0;
  CU_OK(cuDeviceComputeCapability(&major, &minor, device));
  CHECK_EQ(major * 10 + minor, properties.major * 10 + properties.minor);
  CU_OK(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
  CHECK_EQ(warp, 32);
  CU_OK(cuDeviceTotalMem(&bytes, device));
  CU_OK(cuMemGetInfo(&free_bytes, &total));
  CHECK(bytes == total && free_bytes <= total);
  const char* text = nullptr;
  CU_OK(cuGetErrorName(CUDA_ERROR_NOT_FOUND, &text));
  CHECK(std::strcmp(text, "CUDA_ERROR_NOT_FOUND") == 0);
  CU_OK(cuGetErrorString(CUDA_ERROR_INVALID_IMAGE, &text));
  CHECK(text && *text);
  CUdevice other = 9;
  CHECK_EQ(cuDeviceGet(&other, 1), CUDA_ERROR_INVALID_DEVICE);
}

/// Runs affine() of a module in all ways to pass arguments, and checks it.
void affine(CUmodule module, int factor) {
  const auto in = check::Random(unsigned(factor)).integers<int>(n, -99, 99);
  Memory source(n * sizeof(int)), out(n * sizeof(int));
  CU_OK(cuMemcpyHtoD(source.address, in.data(), n * sizeof(int)));
  CUfunction function = nullptr;
  CU_OK(cuModuleGetFunction(&function, module, "affine"));
  CUmodule owner = nullptr;
  CU_OK(cuFuncGetModule(&owner, function));
  CHECK(owner == module);
  // Another value for the module's constant.
  CUdeviceptr offset = 0;
  std::size_t size = 0;
  CU_OK(cuModuleGetGlobal(&offset, &size, module, "offset"));
  CHECK_EQ(size, sizeof(int));
  const int shifted = 11 + factor;
  CU_OK(cuMemcpyHtoD(offset, &shifted, sizeof shifted));

  const auto expect = [&](const char* what, char shift, const Pair& pair) {
    std::vector<int> want(n);
    for (int i = 0; i < n; ++i)
      want[i] = in[i] * factor + shifted + shift + int(pair.weight) * pair.tag + table[i % 5];
    check::equal(what, out.get<int>(), want);
    CU_OK(cuMemsetD8(out.address, 0xA5, out.bytes));
  };
  char shift = -3;
  short count = n;
  Pair pair = {5, 2.5};
  void* parameters[] = {&shift, &out.address, &source.address, &count, &pair};
  CU_OK(cuLaunchKernel(function, 16, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr));
  expect("arguments as pointers", shift, pair);

  // As one buffer: natural alignment.
  struct {
    char shift;
    CUdeviceptr out, in;
    short n;
    Pair pair;
  } buffer = {4, out.address, source.address, count, {-7, 1.0}};
  std::size_t buffer_size = sizeof buffer;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE,
                   &buffer_size, CU_LAUNCH_PARAM_END};
  CU_OK(cuLaunchKernel(function, 8, 1, 1, 128, 1, 1, 0, nullptr, nullptr, extra));
  expect("arguments as a buffer", buffer.shift, buffer.pair);
  buffer_size = 16;
  CHECK_EQ(cuLaunchKernel(function, 8, 1, 1, 128, 1, 1, 0, nullptr, nullptr, extra),
           CUDA_ERROR_INVALID_VALUE);

  // As before CUDA 4.
  CU_OK(cuFuncSetBlockShape(function, 101, 1, 1));
  CU_OK(cuParamSetv(function, 0, &buffer, sizeof buffer));
  CU_OK(cuParamSetSize(function, sizeof buffer));
  CU_OK(cuLaunchGrid(function, 10, 1));
  expect("arguments set one by one", buffer.shift, buffer.pair);

  CUdeviceptr calls = 0;
  unsigned long long called = 0;
  CU_OK(cuModuleGetGlobal(&calls, nullptr, module, "calls"));
  CU_OK(cuMemcpyDtoH(&called, calls, sizeof called));
  CHECK_EQ(called, 3ull * n);
}

void shared_memory(CUmodule module) {
  const int block = 32, count = 10 * block;
  std::vector<int> values(count), want(count);
  for (int i = 0; i < count; ++i) values[i] = i * i;
  for (int i = 0; i < count; ++i) want[i] = values[i / block * block + block - 1 - i % block];
  Memory memory(count * sizeof(int));
  CUstream stream;
  CU_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CUevent start, end;
  CU_OK(cuEventCreate(&start, CU_EVENT_DEFAULT));
  CU_OK(cuEventCreate(&end, CU_EVENT_DEFAULT));
  CUfunction function;
  CU_OK(cuModuleGetFunction(&function, module, "reverse"));
  int number = count;
  void* parameters[] = {&memory.address, &number};
  CU_OK(cuMemcpyHtoDAsync(memory.address, values.data(), count * sizeof(int), stream));
  CU_OK(cuEventRecord(start, stream));
  CU_OK(cuLaunchKernel(function, 10, 1, 1, block, 1, 1, block * sizeof(int), stream, parameters,
                       nullptr));
  CU_OK(cuEventRecord(end, stream));
  CU_OK(cuEventSynchronize(end));
  float milliseconds = -1;
  CU_OK(cuEventElapsedTime(&milliseconds, start, end));
  CHECK(milliseconds >= 0);
  check::equal("reverse", memory.get<int>(), want);
  int most = 0, shared = -1, blocks = 0;
  CU_OK(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
  CU_OK(cuFuncGetAttribute(&shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function));
  CHECK(most == 1024 && shared == 0);
  CU_OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 256, 0));
  CHECK(blocks > 0);
  int grid = 0, size = 0;
  CU_OK(cuOccupancyMaxPotentialBlockSize(&grid, &size, function, nullptr, 0, 0));
  CHECK(grid > 0 && size > 0 && size <= 1024);
  CU_OK(cuEventDestroy(start));
  CU_OK(cuEventDestroy(end));
  CU_OK(cuStreamDestroy(stream));
}

void fills_and_copies() {
  const int rows = 23, columns = 41, pitch = 64;  // in shorts
  const auto in = check::Random(77).integers<short>(rows * columns, -999, 999);
  Memory padded(rows * pitch * sizeof(short));
  CU_OK(cuMemsetD16(padded.address, 0x1234, rows * pitch));
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = in.data();
  copy.srcPitch = columns * sizeof(short);
  copy.srcXInBytes = 3 * sizeof(short);
  copy.srcY = 2;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = padded.address;
  copy.dstPitch = pitch * sizeof(short);
  copy.dstY = 1;
  copy.WidthInBytes = 30 * sizeof(short);
  copy.Height = 20;
  CU_OK(cuMemcpy2D(&copy));
  std::vector<short> want(rows * pitch, 0x1234);
  for (int y = 0; y < 20; ++y)
    for (int x = 0; x < 30; ++x) want[(y + 1) * pitch + x] = in[(y + 2) * columns + x + 3];
  check::equal("box", padded.get<short>(), want);

  CUDA_ARRAY_DESCRIPTOR descriptor = {std::size_t(columns), std::size_t(rows),
                                      CU_AD_FORMAT_SIGNED_INT16, 1};
  CUarray array;
  CU_OK(cuArrayCreate(&array, &descriptor));
  CUDA_MEMCPY3D through = {};
  through.srcMemoryType = CU_MEMORYTYPE_HOST;
  through.srcHost = in.data();
  through.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  through.dstArray = array;
  through.WidthInBytes = columns * sizeof(short);
  through.Height = rows;
  through.Depth = 1;
  CU_OK(cuMemcpy3D(&through));
  std::vector<short> back(rows * columns, -1);
  copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.srcArray = array;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = back.data();
  copy.WidthInBytes = columns * sizeof(short);
  copy.Height = rows;
  CU_OK(cuMemcpy2D(&copy));
  check::equal("through an array", back, in);
  copy.srcXInBytes = 1;  // half a texel
  CHECK_EQ(cuMemcpy2D(&copy), CUDA_ERROR_INVALID_VALUE);
  CU_OK(cuArrayDestroy(array));

  Memory words(1003 * sizeof(unsigned));
  CU_OK(cuMemsetD32(words.address, 0xdeadbeef, 1003));
  CU_OK(cuMemsetD2D32(words.address + 4, 40, 7, 2, 20));
  std::vector<unsigned> filled(1003, 0xdeadbeef);
  for (int y = 0; y < 20; ++y) filled[1 + y * 10] = filled[2 + y * 10] = 7;
  check::equal("words", words.get<unsigned>(), filled);
  CUdeviceptr base = 0;
  std::size_t size = 0;
  CU_OK(cuMemGetAddressRange(&base, &size, words.address + 100));
  CHECK(base == words.address && size >= words.bytes && size < words.bytes + 4096);
  CUmemorytype type = CU_MEMORYTYPE_ARRAY;
  CU_OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, words.address));
  CHECK_EQ(type, CU_MEMORYTYPE_DEVICE);
  // One memory for both APIs.
  std::vector<unsigned> first(3);
  CUDA_OK(
      cudaMemcpy(first.data(), reinterpret_cast<void*>(words.address), 12, cudaMemcpyDeviceToHost));
  check::equal("by the run-time API", first, {0xdeadbeef, 7, 7});
}

void refusals(CUmodule module) {
  CUfunction function = nullptr;
  CUdeviceptr address = 0;
  CUmodule other = nullptr;
  CHECK_EQ(cuModuleGetFunction(&function, module, "missing"), CUDA_ERROR_NOT_FOUND);
  CHECK_EQ(cuModuleGetGlobal(&address, nullptr, module, "missing"), CUDA_ERROR_NOT_FOUND);
  CHECK_EQ(cuModuleLoad(&other, "/no such file"), CUDA_ERROR_FILE_NOT_FOUND);
  CHECK_EQ(cuModuleLoad(&other, "/etc/passwd"), CUDA_ERROR_INVALID_IMAGE);
  CHECK_EQ(cuModuleLoadData(&other, "//\n.version 8.0\n.target sm_80\n"), CUDA_ERROR_INVALID_IMAGE);
  CHECK_EQ(cuMemAlloc(&address, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK(cudaGetLastError() == cudaSuccess);  // the driver's errors are not the run-time API's
}

int main() {
  before_initialisation();
  CUdevice device;
  CU_OK(cuDeviceGet(&device, 0));
  contexts(device);
  device_queries(device);
  const std::string folder = check::own_folder();
  CUmodule from_file, from_memory, again;
  CU_OK(cuModuleLoad(&from_file, (folder + "/kernels.fatbin").c_str()));
  const std::string image = read(folder + "/kernels.cubin");
  CU_OK(cuModuleLoadDataEx(&from_memory, image.data(), 0, nullptr, nullptr));
  CU_OK(cuModuleLoadData(&again, image.data()));
  affine(from_file, 3);
  affine(from_memory, 7);
  affine(again, 7);  // with variables of its own: its count of calls begins at 0
  shared_memory(from_file);
  fills_and_copies();
  refusals(from_file);
  CU_OK(cuModuleUnload(from_memory));
  CUfunction function = nullptr;
  CHECK_EQ(cuModuleGetFunction(&function, from_memory, "affine"), CUDA_ERROR_INVALID_HANDLE);
  shared_memory(again);
  CU_OK(cuModuleUnload(again));
  CU_OK(cuModuleUnload(from_file));
  return check::finish();
}
