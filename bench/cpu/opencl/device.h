// What the OpenCL cases share: a program of one file, its kernels, arrays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One device, one queue, in order; any error ends the program with the call's name.
#pragma once

#include "../form.h"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstddef>
#include <string>
#include <vector>

namespace bench {

cl_context context();
cl_command_queue queue();
void check(cl_int status, const char* call);

/// Waits for all that was launched.
void finish();

/// A buffer of the device.
template <class T>
class Array {
 public:
  explicit Array(std::size_t count) : Array(std::vector<T>(count)) {}
  explicit Array(const std::vector<T>& values) : count_(values.size()) {
    cl_int status = 0;
    buffer_ = clCreateBuffer(context(), CL_MEM_READ_WRITE, count_ * sizeof(T), nullptr, &status);
    check(status, "clCreateBuffer");
    fill(values);
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { clReleaseMemObject(buffer_); }

  void fill(const std::vector<T>& values) {
    check(clEnqueueWriteBuffer(queue(), buffer_, CL_TRUE, 0, count_ * sizeof(T), values.data(), 0,
                               nullptr, nullptr),
          "clEnqueueWriteBuffer");
  }
  std::vector<T> values() const {
    std::vector<T> all(count_);
    check(clEnqueueReadBuffer(queue(), buffer_, CL_TRUE, 0, count_ * sizeof(T), all.data(), 0,
                              nullptr, nullptr),
          "clEnqueueReadBuffer");
    return all;
  }
  void report(Run& run) const { run.result(values().data(), count_); }
  cl_mem buffer() const { return buffer_; }

 private:
  cl_mem buffer_ = nullptr;
  std::size_t count_;
};

/// Work-groups of a launch, or work-items of a group: along x and y.
struct Extent {
  std::size_t x, y;
  Extent(std::size_t width, std::size_t height = 1) : x(width), y(height) {}
};

class Kernel {
 public:
  explicit Kernel(cl_kernel kernel) : kernel_(kernel) {}
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;
  ~Kernel() { clReleaseKernel(kernel_); }

  /// As CUDA's <<<groups, items>>>(values...).
  template <class... Values>
  void operator()(Extent groups, Extent items, const Values&... values) const {
    unsigned index = 0;
    (set(index++, values), ...);
    launch(groups, items);
  }

 private:
  cl_kernel kernel_;

  void set(unsigned index, std::size_t size, const void* value) const;
  template <class T>
  void set(unsigned index, const T& value) const {
    set(index, sizeof value, &value);
  }
  template <class T>
  void set(unsigned index, const Array<T>& array) const {
    const cl_mem buffer = array.buffer();
    set(index, sizeof buffer, &buffer);
  }
  void launch(Extent groups, Extent items) const;
};

/// A .cl file of this folder, compiled; `macros` are options of the compiler.
class Program {
 public:
  explicit Program(const char* file, const std::string& macros = "");
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() { clReleaseProgram(program_); }
  cl_kernel kernel(const char* name) const;

 private:
  cl_program program_;
};

/// " -D name=value"
std::string macro(const char* name, int value);

inline std::size_t blocks(int n, int size) {
  return static_cast<std::size_t>((n + size - 1) / size);
}
inline Extent blocks(int nx, int ny, Extent size) {
  return {blocks(nx, static_cast<int>(size.x)), blocks(ny, static_cast<int>(size.y))};
}

}  // namespace bench
