// Links pieces in all their forms and runs what comes of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda.h>
#include <nvrtc.h>

#include <fstream>
#include <iterator>

#include "check.h"

namespace {

#define CU_OK(call)                                                               \
  do {                                                                            \
    if (const CUresult result = (call)) {                                         \
      std::fprintf(stderr, "%s:%d: %s: %d\n", __FILE__, __LINE__, #call, result); \
      std::_Exit(1);                                                              \
    }                                                                             \
  } while (0)

constexpr int n = 211;

std::string file(const char* name) { return std::string(FOLDER) + "/" + name; }

std::string read(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

template <class Function>
std::vector<int> run(Function function) {
  CUdeviceptr out;
  CU_OK(cuMemAlloc(&out, n * sizeof(int)));
  CU_OK(cuMemsetD8(out, 0xA5, n * sizeof(int)));
  int count = n;
  void* arguments[] = {&out, &count};
  CU_OK(cuLaunchKernel((CUfunction)function, 4, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  CU_OK(cuCtxSynchronize());
  std::vector<int> values(n);
  CU_OK(cuMemcpyDtoH(values.data(), out, n * sizeof(int)));
  CU_OK(cuMemFree(out));
  return values;
}

std::vector<int> run(CUmodule module, const char* name) {
  CUfunction function;
  CU_OK(cuModuleGetFunction(&function, module, name));
  return run(function);
}

template <class F>
std::vector<int> expected(F f) {
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = f(i);
  return values;
}

int doubled(int i) { return 2 * i + 5; }
int lowered(int i) { return i - 60; }

/// A link with logs, destroyed at its end.
struct Link {
  CUlinkState state = nullptr;
  char errors[512], information[64];
  CUjit_option options[5] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                             CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
                             CU_JIT_OPTIMIZATION_LEVEL};
  void* values[5] = {errors, (void*)sizeof errors, information, (void*)sizeof information,
                     (void*)3};
  Link() { CU_OK(cuLinkCreate(5, options, values, &state)); }
  ~Link() {
    CU_OK(cuLinkDestroy(state));
    CHECK_EQ(cuLinkDestroy(state), CUDA_ERROR_INVALID_HANDLE);
  }
  Link(const Link&) = delete;

  CUresult add(CUjitInputType type, std::string bytes, const char* name) {
    return cuLinkAddData(state, type, bytes.data(), bytes.size(), name, 0, nullptr, nullptr);
  }
  CUresult add_file(CUjitInputType type, const std::string& path) {
    return cuLinkAddFile(state, type, path.c_str(), 0, nullptr, nullptr);
  }
  CUmodule load() {
    void* image = nullptr;
    std::size_t size = 0;
    const CUresult result = cuLinkComplete(state, &image, &size);
    if (result) std::fprintf(stderr, "%s\n", errors);
    CHECK_EQ(result, CUDA_SUCCESS);
    CHECK(size > 0);
    CUmodule module;
    CU_OK(cuModuleLoadData(&module, image));
    return module;
  }
  bool says(const char* what) const { return std::strstr(errors, what) != nullptr; }
};

void objects_and_archives() {
  Link link;
  CU_OK(link.add_file(CU_JIT_INPUT_OBJECT, file("kernels.o")));
  CU_OK(link.add_file(CU_JIT_INPUT_LIBRARY, file("libpieces.a")));
  CU_OK(link.add_file(CU_JIT_INPUT_LIBRARY, std::string(TOOLKIT) + "/lib64/libcudadevrt.a"));
  const CUmodule module = link.load();
  check::equal("object and archive", run(module, "through_a_child"), expected(doubled));
  CUdeviceptr calls;
  CU_OK(cuModuleGetGlobal(&calls, nullptr, module, "calls"));
  const int other = -1000;
  CU_OK(cuMemcpyHtoD(calls, &other, sizeof other));
  check::equal("a variable of the other file", run(module, "through_a_child"),
               expected([](int i) { return 2 * i - 1000; }));
  CU_OK(cuModuleUnload(module));
  CUmodule linked;
  CU_OK(cuModuleLoad(&linked, file("linked.cubin").c_str()));
  check::equal("linked by gridcc", run(linked, "through_a_child"), expected(doubled));
  CU_OK(cuModuleUnload(linked));
}

void text_and_data() {
  Link link;
  CU_OK(link.add(CU_JIT_INPUT_PTX, read(file("kernels.ptx")) + '\0', "kernels.ptx"));
  CU_OK(link.add(CU_JIT_INPUT_OBJECT, read(file("pieces.o")), nullptr));
  const CUmodule module = link.load();
  check::equal("as text and as bytes", run(module, "through_a_child"), expected(doubled));
  CU_OK(cuModuleUnload(module));
}

void whole_modules() {
  {
    Link link;
    CU_OK(link.add(CU_JIT_INPUT_CUBIN, read(file("first.cubin")), "first"));
    const CUmodule module = link.load();
    check::equal("alone", run(module, "first"), expected(lowered));
    CU_OK(cuModuleUnload(module));
  }
  Link link;
  CU_OK(link.add(CU_JIT_INPUT_CUBIN, read(file("first.cubin")), "first"));
  CU_OK(link.add_file(CU_JIT_INPUT_PTX, file("second.ptx")));
  const CUmodule module = link.load();
  check::equal("first of two", run(module, "first"), expected(lowered));
  check::equal("second of two", run(module, "second"), expected(lowered));
  CU_OK(cuModuleUnload(module));
}

std::string compile(const char* source, const char* expression, std::string& name) {
  nvrtcProgram program;
  const char* option = "--relocatable-device-code=true";
  CHECK_EQ(nvrtcCreateProgram(&program, source, "at_run_time.cu", 0, nullptr, nullptr),
           NVRTC_SUCCESS);
  if (expression) CHECK_EQ(nvrtcAddNameExpression(program, expression), NVRTC_SUCCESS);
  CHECK_EQ(nvrtcCompileProgram(program, 1, &option), NVRTC_SUCCESS);
  std::size_t size = 0;
  CHECK_EQ(nvrtcGetPTXSize(program, &size), NVRTC_SUCCESS);
  std::string text(size, '\0');
  CHECK_EQ(nvrtcGetPTX(program, text.data()), NVRTC_SUCCESS);
  const char* lowered_name = nullptr;
  if (expression) {
    CHECK_EQ(nvrtcGetLoweredName(program, expression, &lowered_name), NVRTC_SUCCESS);
    name = lowered_name;
  }
  nvrtcDestroyProgram(&program);
  return text;
}

void compiled_at_run_time() {
  std::string name;
  const std::string kernel = compile(
      "extern __device__ int calls;\n__device__ int twice(int);\n"
      "template <int Factor> __global__ void scaled(int* out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) out[i] = Factor * twice(i) + calls;\n}",
      "scaled<3>", name);
  Link link;
  CU_OK(link.add(CU_JIT_INPUT_PTX, kernel, "kernel"));
  CU_OK(link.add_file(CU_JIT_INPUT_OBJECT, file("pieces.o")));
  const CUmodule module = link.load();
  check::equal("compiled at run time", run(module, name.c_str()),
               expected([](int i) { return 6 * i + 5; }));
  CU_OK(cuModuleUnload(module));
  // What needs nothing else need not be linked by hand.
  const std::string alone = compile(
      "__device__ int half(int x) { return x / 2; }\n"
      "extern \"C\" __global__ void halves(int* out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[i] = half(i);\n}",
      nullptr, name);
  CUmodule loaded;
  char log[32] = "not written";
  CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, (void*)sizeof log};
  CU_OK(cuModuleLoadDataEx(&loaded, alone.c_str(), 2, options, values));
  CHECK_EQ(log[0], '\0');
  check::equal("not linked", run(loaded, "halves"), expected([](int i) { return i / 2; }));
  CU_OK(cuModuleUnload(loaded));
}

void errors() {
  void* image = nullptr;
  Link link;
  CHECK(cuLinkComplete(link.state, &image, nullptr) != CUDA_SUCCESS);
  CHECK_EQ(link.add_file(CU_JIT_INPUT_OBJECT, "/nowhere/x.o"), CUDA_ERROR_FILE_NOT_FOUND);
  CHECK_EQ(link.add(CU_JIT_INPUT_PTX, ".version 8.0\n.target sm_80\n", "foreign.ptx"),
           CUDA_ERROR_INVALID_IMAGE);
  CHECK(link.says("foreign.ptx is PTX; modules are made with gridcc"));
  CHECK(link.add(CU_JIT_INPUT_CUBIN, "nonsense", "nonsense") != CUDA_SUCCESS);
  CU_OK(link.add_file(CU_JIT_INPUT_OBJECT, file("kernels.o")));
  CHECK(cuLinkComplete(link.state, &image, nullptr) != CUDA_SUCCESS);
  CHECK(link.says("undefined reference to device function 'twice(int)'"));
  CHECK_EQ(cuLinkComplete(nullptr, &image, nullptr), CUDA_ERROR_INVALID_HANDLE);
}

void libraries() {
  CUlibrary library;
  CU_OK(cuLibraryLoadFromFile(&library, file("linked.cubin").c_str(), nullptr, nullptr, 0, nullptr,
                              nullptr, 0));
  CUkernel kernel;
  CU_OK(cuLibraryGetKernel(&kernel, library, "through_a_child"));
  check::equal("a kernel", run(kernel), expected(doubled));
  CUfunction function;
  CU_OK(cuKernelGetFunction(&function, kernel));
  check::equal("its function", run(function), expected(doubled));
  const char* name = nullptr;
  CU_OK(cuKernelGetName(&name, kernel));
  CHECK(std::strcmp(name, "through_a_child") == 0);
  int most = 0;
  CU_OK(cuKernelGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, 0));
  CHECK_EQ(most, 1024);
  CUmodule module;
  CU_OK(cuLibraryGetModule(&module, library));
  check::equal("its module", run(module, "through_a_child"), expected(doubled));
  CUdeviceptr calls;
  std::size_t size = 0;
  CU_OK(cuLibraryGetGlobal(&calls, &size, library, "calls"));
  CHECK_EQ(size, sizeof(int));
  CHECK_EQ(cuLibraryGetKernel(&kernel, library, "nothing"), CUDA_ERROR_NOT_FOUND);
  CU_OK(cuLibraryUnload(library));
}

}  // namespace

int main() {
  CU_OK(cuInit(0));
  CUdevice device;
  CUcontext context;
  CU_OK(cuDeviceGet(&device, 0));
  CU_OK(cuCtxCreate(&context, 0, device));
  objects_and_archives();
  text_and_data();
  whole_modules();
  compiled_at_run_time();
  errors();
  libraries();
  return check::finish();
}
