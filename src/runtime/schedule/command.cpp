// Copies launch arguments out of the caller's hands.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/schedule/command.h"

#include <cstring>
#include <new>

namespace gridspan::runtime {

namespace {

std::size_t packed_size(const abi::Kernel& kernel) {
  if (kernel.parameter_count == 0) return 0;
  const abi::Parameter& last = kernel.parameters[kernel.parameter_count - 1];
  return std::size_t{last.offset} + last.size;
}

}  // namespace

void Arguments::AlignedDelete::operator()(std::byte* bytes) const {
  ::operator delete(bytes, std::align_val_t{alignment});
}

std::byte* Arguments::make_room(std::size_t size) {
  if (size > small_size) {
    large_.reset(static_cast<std::byte*>(::operator new(size, std::align_val_t{alignment})));
  }
  return bytes();
}

Arguments::Arguments(const abi::Kernel& kernel, void* const* values) {
  std::byte* to = make_room(packed_size(kernel));
  for (std::uint32_t i = 0; i < kernel.parameter_count; ++i) {
    const abi::Parameter& parameter = kernel.parameters[i];
    std::memcpy(to + parameter.offset, values[i], parameter.size);
  }
}

Arguments::Arguments(const abi::Kernel& kernel, const Arguments& other) {
  const std::size_t size = packed_size(kernel);
  std::memcpy(make_room(size), other.bytes(), size);
}

}  // namespace gridspan::runtime
