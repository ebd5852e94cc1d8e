// Copies and fills, noted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/check/noting_device.h"

#include "devices/wrapped_device.h"
#include "devices/written_bytes.h"

namespace gridspan::runtime::check {
namespace {

using devices::Extent;
using devices::Pitched;

class NotingDevice final : public devices::WrappedDevice {
 public:
  using WrappedDevice::WrappedDevice;

  devices::RunResult copy(const Pitched& to, const Pitched& from, const Extent& extent) override {
    note(to, extent);
    return WrappedDevice::copy(to, from, extent);
  }
  devices::RunResult copy_all(std::span<const devices::BoxMove> moves) override {
    for (const devices::BoxMove& move : moves) note(move.to, move.extent);
    return WrappedDevice::copy_all(moves);
  }
  devices::RunResult fill(const Pitched& to, const Extent& extent, unsigned char value) override {
    note(to, extent);
    return WrappedDevice::fill(to, extent, value);
  }

 private:
  static void note(const Pitched& to, const Extent& extent) {
    const devices::WrittenBytes* const written = devices::written_bytes.load();
    for (std::size_t z = 0; z < extent.depth; ++z)
      for (std::size_t y = 0; y < extent.height; ++y)
        written->mark(reinterpret_cast<std::uintptr_t>(to.base + z * to.slice_pitch + y * to.pitch),
                      extent.width);
  }
};

}  // namespace

std::unique_ptr<devices::Device> make_noting(std::unique_ptr<devices::Device> device) {
  return std::make_unique<NotingDevice>(std::move(device));
}

}  // namespace gridspan::runtime::check
