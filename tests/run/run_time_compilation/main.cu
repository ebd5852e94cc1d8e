// Compiles kernels at run time, loads them in every form and checks what they compute.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda.h>
#include <cuda_runtime.h>
#include <nvrtc.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "check.h"

namespace {

#define CU_OK(call)                                                               \
  do {                                                                            \
    if (const CUresult result = (call)) {                                         \
      std::fprintf(stderr, "%s:%d: %s: %d\n", __FILE__, __LINE__, #call, result); \
      std::_Exit(1);                                                              \
    }                                                                             \
  } while (0)
#define RTC_OK(call)                                                     \
  do {                                                                   \
    if (const nvrtcResult result = (call)) {                             \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, \
                   nvrtcGetErrorString(result));                         \
      std::_Exit(1);                                                     \
    }                                                                    \
  } while (0)

using Words = std::vector<const char*>;

/// Several runs of this test may go on at once.
const std::string& own_folder() {
  static const std::string folder = [] {
    std::string name = std::string(FOLDER) + "/run-XXXXXX";
    CHECK(mkdtemp(name.data()) != nullptr);
    return name;
  }();
  return folder;
}

/// A program, destroyed at its end.
struct Program {
  nvrtcProgram handle = nullptr;
  Program(const char* source, const char* name, const Words& texts = {}, const Words& names = {}) {
    RTC_OK(
        nvrtcCreateProgram(&handle, source, name, int(texts.size()), texts.data(), names.data()));
  }
  ~Program() {
    RTC_OK(nvrtcDestroyProgram(&handle));
    CHECK(handle == nullptr);
  }
  Program(const Program&) = delete;

  nvrtcResult compile(const Words& options = {}) {
    return nvrtcCompileProgram(handle, int(options.size()), options.data());
  }
  void compile_well(const Words& options = {}) {
    const nvrtcResult result = compile(options);
    if (result) std::fprintf(stderr, "%s\n", log().c_str());
    CHECK_EQ(result, NVRTC_SUCCESS);
  }
  std::string log() const {
    std::size_t size = 0;
    RTC_OK(nvrtcGetProgramLogSize(handle, &size));
    std::string text(size, '?');
    RTC_OK(nvrtcGetProgramLog(handle, text.data()));
    CHECK(size > 0 && text.back() == '\0');
    return text.c_str();
  }
  std::string ptx() const {
    std::size_t size = 0;
    RTC_OK(nvrtcGetPTXSize(handle, &size));
    std::string text(size, '?');
    RTC_OK(nvrtcGetPTX(handle, text.data()));
    CHECK_EQ(std::strlen(text.c_str()) + 1, size);  // a C string: no null inside
    return text.c_str();
  }
  std::string cubin() const {
    std::size_t size = 0;
    RTC_OK(nvrtcGetCUBINSize(handle, &size));
    std::string bytes(size, '?');
    RTC_OK(nvrtcGetCUBIN(handle, bytes.data()));
    return bytes;
  }
  std::string lowered(const char* expression) const {
    const char* name = nullptr;
    RTC_OK(nvrtcGetLoweredName(handle, expression, &name));
    return name;
  }
};

constexpr int n = 517;

/// Runs `out[i] = f(i)` of a module over poisoned memory.
std::vector<int> run(CUmodule module, const char* kernel) {
  CUfunction function;
  CU_OK(cuModuleGetFunction(&function, module, kernel));
  CUdeviceptr out;
  CU_OK(cuMemAlloc(&out, n * sizeof(int)));
  CU_OK(cuMemsetD8(out, 0xA5, n * sizeof(int)));
  int count = n;
  void* arguments[] = {&out, &count};
  CU_OK(cuLaunchKernel(function, 9, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  std::vector<int> values(n);
  CU_OK(cuMemcpyDtoH(values.data(), out, n * sizeof(int)));
  CU_OK(cuMemFree(out));
  return values;
}

template <class F>
std::vector<int> expected(F f) {
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = f(i);
  return values;
}

CUmodule load(const void* image) {
  CUmodule module;
  CU_OK(cuModuleLoadData(&module, image));
  return module;
}

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

void forms() {
  Program program(R"(
static __constant__ int lowest[3] = {-7, 1, 2};
extern "C" __global__ void squares(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i * i + lowest[0];
})",
                  nullptr);
  std::size_t size = 0;
  CHECK(nvrtcGetPTXSize(program.handle, &size) != NVRTC_SUCCESS);  // nothing compiled yet
  program.compile_well();
  CHECK(program.log().empty());
  const auto want = expected([](int i) { return i * i - 7; });
  const std::string text = program.ptx();
  CUmodule module = load(text.c_str());
  check::equal("as a string", run(module, "squares"), want);
  CUdeviceptr lowest;
  CU_OK(cuModuleGetGlobal(&lowest, &size, module, "lowest"));  // named as in the source
  CHECK_EQ(size, 3 * sizeof(int));
  const int eight = 8;
  CU_OK(cuMemcpyHtoD(lowest, &eight, sizeof eight));
  check::equal("changed", run(module, "squares"), expected([](int i) { return i * i + 8; }));
  CU_OK(cuModuleUnload(module));
  const std::string bytes = program.cubin();
  module = load(bytes.data());
  check::equal("as bytes", run(module, "squares"), want);
  CU_OK(cuModuleUnload(module));

  // Written as text and read back, by the program and by the driver; with another system's lines.
  const std::string path = own_folder() + "/squares.ptx";
  std::ofstream(path) << text;
  CU_OK(cuModuleLoad(&module, path.c_str()));
  check::equal("from a file", run(module, "squares"), want);
  CU_OK(cuModuleUnload(module));
  std::string lines;
  for (const char c : text) lines += c == '\n' ? std::string("\r\n") : std::string(1, c);
  module = load((lines + "what follows is not read").c_str());
  check::equal("with other line ends", run(module, "squares"), want);
  CU_OK(cuModuleUnload(module));

  // Damaged.
  CUmodule none = nullptr;
  CHECK_EQ(cuModuleLoadData(&none, text.substr(0, text.size() / 2).c_str()),
           CUDA_ERROR_INVALID_IMAGE);
  std::string wrong = text;
  wrong[wrong.size() / 2] = '!';
  CHECK_EQ(cuModuleLoadData(&none, wrong.c_str()), CUDA_ERROR_INVALID_IMAGE);
  CHECK_EQ(cuModuleLoadData(&none, ".version 8.0\n.target sm_80\n.address_size 64\n"),
           CUDA_ERROR_INVALID_IMAGE);
}

void headers_and_options() {
  const std::string folder = own_folder() + "/headers here";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/on_disk.h") << "#define ON_DISK 1000\n";
  const std::string include = "-I" + folder;
  Program program(R"(
#include "first.h"
#include <folder/second.h>
#include "on_disk.h"
#ifndef __CUDACC_RTC__
#error not nvrtc
#endif
#if __CUDA_ARCH__ != 860
#error the wrong architecture
#endif
#ifdef GONE
#error defined
#endif
constexpr int power(int base, int exponent) {
  int value = 1;
  while (exponent-- > 0) value *= base;   // C++14 and later
  return value;
}
static int twice(int x) { return 2 * x; }
template <class T> auto halves(T x) { if constexpr (sizeof(T) == 4) return x / 2; else return x; }
extern "C" __global__ void mixed(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = FIRST(i) + second::value + ON_DISK + SPACED + twice(i) + halves(power(3, 4));
})",
                  "folder/mixed.cu",
                  {"#define FIRST(x) ((x) * 3)\n#include \"folder/second.h\"\n",
                   "#pragma once\nnamespace second { enum { value = 40 }; }\n"},
                  {"first.h", "folder/second.h"});
  program.compile_well({"--gpu-architecture=sm_86", "--std=c++17", include.c_str(), "-D", "GONE",
                        "-UGONE", "-D SPACED=5", "-default-device", "--use_fast_math",
                        "-fmad=false", "-lineinfo", "--relocatable-device-code=false",
                        "--maxrregcount=32", "--disable-warnings", "--device-int128"});
  const std::string text = program.ptx();
  const CUmodule module = load(text.c_str());
  check::equal("headers and options", run(module, "mixed"),
               expected([](int i) { return 3 * i + 40 + 1000 + 5 + 2 * i + 40; }));
  CU_OK(cuModuleUnload(module));
  Program wrong("int x;", "x.cu");
  CHECK_EQ(wrong.compile({"--no-such-option"}), NVRTC_ERROR_INVALID_OPTION);
  CHECK(contains(wrong.log(), "--no-such-option"));
  Program outside("int x;", "x.cu", {"int y;"}, {"../outside.h"});
  CHECK(outside.compile() != NVRTC_SUCCESS);
  CHECK(contains(outside.log(), "../outside.h"));
}

/// Macros of the options may have names that our headers, or the standard library's, use: those of
/// types which nvrtc does not know, of template parameters.
void macros() {
  Program program(R"(
#if defined GONE || !defined __STAYS || !NUMBER
#error
#endif
#ifndef NDEBUG
#error
#endif
#include "first.h"
extern "C" __global__ void of_options(T* out, int n) {
  int32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = TWICE(i) + value + N + M_PI + sizeof(int64_t) + sizeof(uint8_t) + __STAYS;
})",
                  "macros.cu", {"enum { value = N };"}, {"first.h"});
  program.compile_well({"-Dint32_t=int", "-D", "uint8_t=unsigned char", "-DT=int", "-DM_PI=3",
                        "--define-macro=int64_t=long long", "--define-macro", "N=40", "-DGONE",
                        "--undefine-macro=GONE", "-DTWICE(x)=((x) * 2)", "-D__STAYS=500",
                        "-DNDEBUG", "-DNUMBER", "-D second=1", "-D float_2=\n1"});
  const std::string text = program.ptx();
  const CUmodule module = load(text.c_str());
  check::equal("macros", run(module, "of_options"),
               expected([](int i) { return 2 * i + 40 + 40 + 3 + 8 + 1 + 500; }));
  CU_OK(cuModuleUnload(module));
}

void names() {
  Program program(R"(
namespace deep { namespace er {
template <class T, int Step> __global__ void fill(T* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = T(i) * Step + sizeof(T);
}
__constant__ int offset = 1;
static __device__ double weight = 2.5;
} }
static __global__ void overloaded(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i + deep::er::offset + int(deep::er::weight * 4);
}
__global__ void overloaded(float* out) { *out = 1; }
)",
                  "names.cu");
  const char* const fill = "deep::er::fill<int, 5>";
  const char* const one = "(void (*)(int*, int))overloaded";
  const char* const spaced = "  & deep::er::offset ";
  for (const char* expression : {fill, one, spaced, "&deep::er::weight"})
    RTC_OK(nvrtcAddNameExpression(program.handle, expression));
  const char* name = nullptr;
  CHECK_EQ(nvrtcGetLoweredName(program.handle, fill, &name),
           NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
  program.compile_well({"-arch=compute_80"});
  CHECK_EQ(nvrtcAddNameExpression(program.handle, "x"),
           NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
  CHECK_EQ(nvrtcGetLoweredName(program.handle, "other", &name),
           NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
  const std::string text = program.ptx();
  CHECK(!contains(text, "gridspan_lowered"));
  const CUmodule module = load(text.c_str());
  check::equal("a template", run(module, program.lowered(fill).c_str()),
               expected([](int i) { return 5 * i + 4; }));
  CUdeviceptr address;
  std::size_t size;
  CU_OK(cuModuleGetGlobal(&address, &size, module, program.lowered("& deep::er::offset").c_str()));
  CHECK_EQ(size, sizeof(int));
  const int offset = 100;
  CU_OK(cuMemcpyHtoD(address, &offset, sizeof offset));
  CU_OK(cuModuleGetGlobal(&address, &size, module, program.lowered("&deep::er::weight").c_str()));
  CHECK_EQ(size, sizeof(double));
  const double weight = -1.5;
  CU_OK(cuMemcpyHtoD(address, &weight, sizeof weight));
  check::equal("one of two", run(module, program.lowered(one).c_str()),
               expected([](int i) { return i + 100 - 6; }));
  CU_OK(cuModuleUnload(module));
}

void launches() {
  Program program(R"(
template <class T> __global__ void filled(T* out, int n, const T* add) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = T(3) * i + (add ? *add : 0);
}
extern "C" __global__ void parent(int* out, int n) {
  filled<<<1, 33>>>(out, n, (const int*)nullptr);
})",
                  "parent.cu");
  program.compile_well({"-default-device"});
  const CUmodule module = load(program.ptx().c_str());
  check::equal("a child", run(module, "parent"), expected([](int i) { return 3 * i; }));
  CU_OK(cuModuleUnload(module));
}

void errors() {
  Program program("__global__ void good(int*) {}\n__global__ void bad(int* p) {\n  p[0] = q;\n}\n",
                  "folder/wrong \"name\".cu");
  CHECK_EQ(program.compile(), NVRTC_ERROR_COMPILATION);
  CHECK(contains(program.log(), "wrong \"name\".cu:3:10: error: use of undeclared identifier 'q'"));
  std::size_t size = 0;
  CHECK(nvrtcGetPTXSize(program.handle, &size) != NVRTC_SUCCESS);
  Program header("#include \"h.h\"\n", "main.cu", {"\n#error in the header\n"}, {"h.h"});
  CHECK_EQ(header.compile(), NVRTC_ERROR_COMPILATION);
  CHECK(contains(header.log(), "h.h:2:2: error: in the header"));
  CHECK(!contains(header.log(), "/gridspan-"));
  Program missing("__global__ void k() {}", "m.cu");
  RTC_OK(nvrtcAddNameExpression(missing.handle, "nowhere<int>"));
  CHECK_EQ(missing.compile(), NVRTC_ERROR_COMPILATION);
  CHECK(contains(missing.log(), "name expression nowhere<int>:"));
  Program warned("__global__ void k(int* p) { int unused_one = 3; p[0] = 1 / 0; }", "w.cu");
  warned.compile_well();
  CHECK(contains(warned.log(), "w.cu:1:58: warning: division by zero"));

  nvrtcProgram none = nullptr;
  CHECK_EQ(nvrtcCreateProgram(&none, nullptr, "x", 0, nullptr, nullptr), NVRTC_ERROR_INVALID_INPUT);
  CHECK_EQ(nvrtcCreateProgram(&none, "", "x", 1, nullptr, nullptr), NVRTC_ERROR_INVALID_INPUT);
  CHECK_EQ(nvrtcDestroyProgram(&none), NVRTC_ERROR_INVALID_PROGRAM);
  CHECK_EQ(nvrtcCompileProgram(none, 0, nullptr), NVRTC_ERROR_INVALID_PROGRAM);
  CHECK(contains(nvrtcGetErrorString(NVRTC_ERROR_COMPILATION), "NVRTC_ERROR_COMPILATION"));
}

void questions() {
  int major = 0, minor = -1, count = 0;
  RTC_OK(nvrtcVersion(&major, &minor));
  CHECK(major == 12 && minor >= 0);
  RTC_OK(nvrtcGetNumSupportedArchs(&count));
  std::vector<int> architectures(count);
  RTC_OK(nvrtcGetSupportedArchs(architectures.data()));
  CHECK(std::count(architectures.begin(), architectures.end(), 80) == 1);
  CHECK(std::is_sorted(architectures.begin(), architectures.end()));
  std::string name;
  RTC_OK(nvrtcGetTypeName<const unsigned*>(&name));
  CHECK(name == "unsigned int const*");
  RTC_OK(nvrtcGetTypeName<float>(&name));
  CHECK(name == "float");
}

/// No compiler: said in the log.
void without_compiler() {
  setenv("GRIDSPAN_GRIDCC", "/nowhere/gridcc", 1);
  Program program("__global__ void k() {}", "k.cu");
  CHECK(program.compile() != NVRTC_SUCCESS);
  CHECK(contains(program.log(), "GRIDSPAN_GRIDCC=/nowhere/gridcc: no such program"));
  unsetenv("GRIDSPAN_GRIDCC");
}

bool anything_left_in(const std::string& folder) { return !std::filesystem::is_empty(folder); }

}  // namespace

int main() {
  const std::string temporary = own_folder() + "/tmp";
  std::filesystem::create_directory(temporary);
  setenv("TMPDIR", temporary.c_str(), 1);
  CU_OK(cuInit(0));
  CUdevice device;
  CUcontext context;
  CU_OK(cuDeviceGet(&device, 0));
  CU_OK(cuCtxCreate(&context, 0, device));
  forms();
  headers_and_options();
  macros();
  names();
  launches();
  errors();
  questions();
  without_compiler();
  CHECK(!anything_left_in(temporary));
  std::filesystem::remove_all(own_folder());
  return check::finish();
}
