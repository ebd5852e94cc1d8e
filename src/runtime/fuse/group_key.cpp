// Kernels, shapes, addresses and scalars of launches as bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/group_key.h"

#include <type_traits>

namespace gridspan::runtime::fuse {

namespace {

template <class T>
void append_value(std::string& bytes, const T& value) {
  static_assert(std::has_unique_object_representations_v<T>);
  const auto own = std::as_bytes(std::span(&value, 1));
  bytes.append(reinterpret_cast<const char*>(own.data()), own.size());
}

void append_argument(std::string& bytes, const KernelCommand& command, std::int32_t argument,
                     std::uint32_t offset, std::size_t size) {
  const abi::Parameter& parameter = command.kernel->parameters[argument];
  const auto* from = reinterpret_cast<const char*>(command.arguments.bytes());
  bytes.append(from + parameter.offset + offset, size);
}

}  // namespace

GroupKey::GroupKey(std::span<KernelCommand* const> launches) {
  bytes_.reserve(launches.size() * 128);
  ends_.reserve(launches.size());
  for (const KernelCommand* launch : launches) {
    append(*launch);
    ends_.push_back(bytes_.size());
  }
}

void GroupKey::append(const KernelCommand& command) {
  append_value(bytes_, command.kernel);
  append_value(bytes_, command.symbols.addresses);
  append_value(bytes_, command.shape);
  const abi::KernelModel& model = *command.kernel->model;
  for (std::uint32_t i = 0; i < model.scalar_count; ++i) {
    const abi::ModelScalar& scalar = model.scalars[i];
    append_argument(bytes_, command, static_cast<std::int32_t>(scalar.argument), scalar.offset,
                    scalar.bytes);
  }
  for (std::uint32_t i = 0; i < model.array_count; ++i) {
    const abi::ModelArray& array = model.arrays[i];
    if (array.symbol < 0 && array.argument >= 0)
      append_argument(bytes_, command, array.argument, array.offset, sizeof(void*));
  }
}

std::string_view GroupKey::launch(std::size_t index) const {
  const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
  return std::string_view(bytes_).substr(begin, ends_[index] - begin);
}

std::size_t GroupKey::period() const {
  for (std::size_t period = 1; period < ends_.size(); ++period) {
    bool repeats = true;
    for (std::size_t i = 0; repeats && i + period < ends_.size(); ++i)
      repeats = launch(i) == launch(i + period);
    if (repeats) return period;
  }
  return 0;
}

}  // namespace gridspan::runtime::fuse
