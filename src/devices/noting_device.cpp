// Copies and fills, noted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/noting_device.h"

#include "devices/decorators.h"
#include "devices/written_bytes.h"

namespace gridspan::devices {
namespace {

class NotingMemory final : public ForwardedMemory {
 public:
  using ForwardedMemory::ForwardedMemory;

  RunResult copy_all(std::span<const BoxMove> moves) override {
    for (const BoxMove& move : moves) note(move.to, move.extent);
    return ForwardedMemory::copy_all(moves);
  }
  RunResult fill(const Pitched& to, const Extent& extent, unsigned char value) override {
    note(to, extent);
    return ForwardedMemory::fill(to, extent, value);
  }

 private:
  static void note(const Pitched& to, const Extent& extent) {
    const WrittenBytes* const written = written_bytes.load();
    for (std::size_t z = 0; z < extent.depth; ++z)
      for (std::size_t y = 0; y < extent.height; ++y)
        written->mark(reinterpret_cast<std::uintptr_t>(to.base + z * to.slice_pitch + y * to.pitch),
                      extent.width);
  }
};

class NotingDevice final : public ForwardedDevice {
 public:
  using ForwardedDevice::ForwardedDevice;

  DeviceMemory& memory() override { return memory_; }

 private:
  NotingMemory memory_{ForwardedDevice::memory()};
};

}  // namespace

std::unique_ptr<Device> make_noting(std::unique_ptr<Device> device) {
  return std::make_unique<NotingDevice>(std::move(device));
}

}  // namespace gridspan::devices
