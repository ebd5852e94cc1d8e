// A plan of cuFFT's: what it is set to, and its steps once it is made.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/fft/api/steps.h"

#include <cufftXt.h>

#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace gridspan::libraries::fft {

/// A function of the program's in device code, the kernel that calls it, and what it gets beside an
/// element.
struct Callback {
  void* function = nullptr;
  const void* kernel = nullptr;
  void* information = nullptr;
  std::size_t shared_bytes = 0;
};

struct Plan {
  cudaStream_t stream = nullptr;
  bool allocates = true;
  void* given_work = nullptr;  // by the program
  std::map<cufftProperty, long long> properties;
  std::vector<int> devices;  // of cufftXtSetGPUs; none: not called

  bool is_made = false;
  Shape shape;
  Steps steps;
  /// Of real numbers without a layout of the program's: lines of an array that is transformed in
  /// place have room for the result's.
  std::optional<Shape> shape_in_place;
  Steps steps_in_place;
  std::size_t work_bytes = 0;
  Tables tables;
  DeviceArray own_work;

  Callback load, store;        // without functions: none
  DeviceArray loaded, stored;  // what is transformed instead of the program's arrays
};

/// Plans are numbers: no number is given twice in a process.
class Plans {
 public:
  cufftHandle create();
  bool destroy(cufftHandle plan);
  /// Null if there is none. A plan lives while it is held.
  std::shared_ptr<Plan> find(cufftHandle plan) const;

 private:
  mutable std::mutex mutex_;
  std::map<cufftHandle, std::shared_ptr<Plan>> plans_;
  cufftHandle last_ = 0;
};

Plans& plans();

/// `status`, and a line of the log: the call, and the argument that it refuses.
cufftResult answer(cufftResult status, const char* call, const char* argument,
                   const char* why = "is not valid");
/// The same of a call that failed, though its arguments are right.
cufftResult fail(cufftResult status, const char* call, const char* why);

/// `in` becomes what the plan's function has loaded of it, if there is one.
cudaError_t load_by_callback(Plan& plan, const Shape& shape, void*& in);
cudaError_t store_by_callback(Plan& plan, const Shape& shape, void* out);

/// From one place to the other, which may be the same. The status is the documented one.
cufftResult run(Plan& plan, const char* call, void* in, void* out, int direction);

}  // namespace gridspan::libraries::fft
