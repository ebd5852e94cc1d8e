// Copies launch arguments out of the caller's hands.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/schedule/command.h"

#include <cstring>
#include <new>

namespace gridspan::runtime {

void Arguments::AlignedDelete::operator()(std::byte* bytes) const {
  ::operator delete(bytes, std::align_val_t{alignment});
}

Arguments::Arguments(const abi::Kernel& kernel, void* const* values) {
  std::size_t size = 0;
  if (kernel.parameter_count > 0) {
    const abi::Parameter& last = kernel.parameters[kernel.parameter_count - 1];
    size = std::size_t{last.offset} + last.size;
  }
  std::byte* to = small_;
  if (size > small_size) {
    large_.reset(static_cast<std::byte*>(::operator new(size, std::align_val_t{alignment})));
    to = large_.get();
  }
  for (std::uint32_t i = 0; i < kernel.parameter_count; ++i) {
    const abi::Parameter& parameter = kernel.parameters[i];
    std::memcpy(to + parameter.offset, values[i], parameter.size);
  }
}

}  // namespace gridspan::runtime
