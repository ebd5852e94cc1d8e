// Takes argument buffers apart.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/argument_buffer.h"

#include <cstdint>

namespace gridspan::runtime {

namespace {

// The words of `extra`: CU_LAUNCH_PARAM_END and so on.
enum class Word : std::uintptr_t { end = 0, buffer = 1, size = 2 };

}  // namespace

Status unpack(const abi::Kernel& kernel, void* bytes, std::size_t size,
              std::vector<void*>& arguments) {
  for (std::uint32_t i = 0; i < kernel.parameter_count; ++i) {
    const abi::Parameter& parameter = kernel.parameters[i];
    if (std::size_t{parameter.offset} + parameter.size > size) {
      return refuse(cudaErrorInvalidValue,
                    "kernel %s: %zu bytes of arguments, argument %u ends at %u", kernel.name, size,
                    i, parameter.offset + parameter.size);
    }
    arguments.push_back(static_cast<char*>(bytes) + parameter.offset);
  }
  return cudaSuccess;
}

Status choose_arguments(const abi::Kernel& kernel, void**& parameters, void** extra,
                        std::vector<void*>& arguments) {
  if (!extra) return cudaSuccess;
  if (parameters) return refuse(cudaErrorInvalidValue, "arguments are given in two ways");
  void* bytes = nullptr;
  std::size_t size = 0;
  for (; *extra; extra += 2) {
    switch (static_cast<Word>(reinterpret_cast<std::uintptr_t>(extra[0]))) {
      case Word::buffer:
        bytes = extra[1];
        break;
      case Word::size:
        size = *static_cast<std::size_t*>(extra[1]);
        break;
      default:
        return refuse(cudaErrorInvalidValue, "extra: option %p is unknown", extra[0]);
    }
  }
  if (!bytes && kernel.parameter_count > 0) {
    return refuse(cudaErrorInvalidValue, "extra names no buffer");
  }
  GRIDSPAN_TRY(unpack(kernel, bytes, size, arguments));
  parameters = arguments.data();
  return cudaSuccess;
}

}  // namespace gridspan::runtime
