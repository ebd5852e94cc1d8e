// The OpenCL form's device: that of PoCL, or of another platform for CPUs: BENCH_OPENCL_PLATFORM.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace bench {

namespace {

std::string wanted_platform() {
  const char* const name = std::getenv("BENCH_OPENCL_PLATFORM");
  return name ? name : "Portable Computing Language";
}

std::string text(cl_device_id device, cl_device_info what) {
  char buffer[256] = "";
  clGetDeviceInfo(device, what, sizeof buffer, buffer, nullptr);
  return buffer;
}

/// Null where there is none.
cl_device_id find_device() {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS) return nullptr;
  for (cl_uint i = 0; i < count && i < 16; ++i) {
    char name[256] = "";
    clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, nullptr);
    cl_device_id device = nullptr;
    if (name == wanted_platform() &&
        clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, nullptr) == CL_SUCCESS)
      return device;
  }
  return nullptr;
}

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::exit(1);
}

/// The device with its context and queue; they live as long as the program.
struct Session {
  cl_device_id device = find_device();
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;

  Session() {
    if (!device) fail("no OpenCL platform named " + wanted_platform());
    cl_int status = 0;
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
    check(status, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
  }
};

Session& session() {
  static Session one;
  return one;
}

std::string contents(const std::string& path) {
  std::ifstream file(path);
  if (!file) fail("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

std::string device_name(std::string& why_not) {
  const cl_device_id device = find_device();
  if (!device) return why_not = "no OpenCL platform named " + wanted_platform(), "";
  return text(device, CL_DEVICE_NAME) + ", " + text(device, CL_DEVICE_VERSION);
}

cl_context context() { return session().context; }
cl_command_queue queue() { return session().queue; }

void check(cl_int status, const char* call) {
  if (status != CL_SUCCESS) fail(std::string(call) + ": error " + std::to_string(status));
}

void finish() { check(clFinish(queue()), "clFinish"); }

void Kernel::set(unsigned index, std::size_t size, const void* value) const {
  check(clSetKernelArg(kernel_, index, size, value), "clSetKernelArg");
}

void Kernel::launch(Extent groups, Extent items) const {
  const std::size_t global[] = {groups.x * items.x, groups.y * items.y};
  const std::size_t local[] = {items.x, items.y};
  check(clEnqueueNDRangeKernel(queue(), kernel_, 2, nullptr, global, local, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
}

Program::Program(const char* file, const std::string& macros) {
  const std::string source = contents(std::string(BENCH_OPENCL_FOLDER "/") + file);
  const char* start = source.c_str();
  cl_int status = 0;
  program_ = clCreateProgramWithSource(context(), 1, &start, nullptr, &status);
  check(status, "clCreateProgramWithSource");
  const std::string options = "-cl-std=CL1.2" + macros;
  if (clBuildProgram(program_, 1, &session().device, options.c_str(), nullptr, nullptr) ==
      CL_SUCCESS)
    return;
  std::vector<char> log(1 << 16);
  clGetProgramBuildInfo(program_, session().device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(),
                        nullptr);
  fail(std::string(file) + ": " + log.data());
}

cl_kernel Program::kernel(const char* name) const {
  cl_int status = 0;
  const cl_kernel kernel = clCreateKernel(program_, name, &status);
  check(status, name);
  return kernel;
}

std::string macro(const char* name, int value) {
  return std::string(" -D ") + name + "=" + std::to_string(value);
}

}  // namespace bench
