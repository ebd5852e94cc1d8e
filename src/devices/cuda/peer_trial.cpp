// A stretch of bytes and a box of rows, there and back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/peer_trial.h"

#include "devices/cuda/gpu_memory.h"

#include <cstdint>
#include <cstdlib>
#include <vector>

namespace gridspan::devices::cuda {
namespace {

constexpr std::size_t row = 1 << 10, rows = 64;
constexpr std::size_t stretch = row * rows, all = 2 * stretch;  // in one piece, then in rows

/// One GPU's memory and stream, for as long as the trial takes.
class Side {
 public:
  explicit Side(const GpuContext& gpu) : gpu_(gpu), memory_(gpu_, gpu.granularity) {
    is_made_ = gpu_.make_current() == success &&
               gpu_.driver.cuStreamCreate(&stream_, stream_non_blocking) == success;
    bytes_ = is_made_ ? memory_.take(gpu_.granularity, 256) : nullptr;
  }
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;
  ~Side() {
    if (bytes_) memory_.give_back(bytes_);
    if (is_made_ && gpu_.make_current() == success) gpu_.driver.cuStreamDestroy(stream_);
  }

  bool is_ready() const { return bytes_ != nullptr; }
  Address address() const { return reinterpret_cast<Address>(bytes_); }

  /// Calls body(driver, stream) with the GPU current and waits for what it began.
  template <class Body>
  std::string with(Body body) const {
    const Driver& api = gpu_.driver;
    if (const Result error = gpu_.make_current(); error != success)
      return api.describe(error, "cuCtxSetCurrent");
    const Result begun = body(api, stream_);
    const Result ended = api.cuStreamSynchronize(stream_);
    if (begun != success) return api.describe(begun, "a copy");
    return ended == success ? std::string() : api.describe(ended, "cuStreamSynchronize");
  }

 private:
  const GpuContext gpu_;
  GpuMemory memory_;
  Stream stream_ = nullptr;
  bool is_made_ = false;
  void* bytes_ = nullptr;
};

std::vector<unsigned char> random_bytes() {
  std::vector<unsigned char> bytes;
  std::uint32_t state = 12345;
  while (bytes.size() < all) {
    state = state * 1664525 + 1013904223;
    bytes.push_back(static_cast<unsigned char>(state >> 24));
  }
  return bytes;
}

Result copy_across(const Driver& api, Stream stream, Address to, Address from) {
  if (const Result error = api.cuMemcpyAsync(to, from, stretch, stream); error != success)
    return error;
  Copy2d box{};
  box.source_type = box.target_type = memory_device;
  box.source = from + stretch;
  box.target = to + stretch;
  box.source_pitch = box.target_pitch = row;
  box.width = row / 2;
  box.height = rows;
  return api.cuMemcpy2DAsync(&box, stream);
}

}  // namespace

std::string try_peers(const GpuContext& reader, const GpuContext& owner) {
  const Side to(reader), from(owner);
  if (!to.is_ready() || !from.is_ready()) return "there is no memory to try it with";
  const std::vector<unsigned char> sent = random_bytes();
  // What stands there before differs everywhere.
  std::vector<unsigned char> others = sent, arrived(all);
  for (unsigned char& byte : others) byte = static_cast<unsigned char>(~byte);
  const auto host = [](auto& bytes) { return reinterpret_cast<Address>(bytes.data()); };
  std::string wrong = from.with([&](const Driver& api, Stream stream) {
    return api.cuMemcpyAsync(from.address(), host(sent), all, stream);
  });
  if (!wrong.empty()) return wrong;
  wrong = to.with([&](const Driver& api, Stream stream) {
    Result error = api.cuMemcpyAsync(to.address(), host(others), all, stream);
    if (error == success) error = copy_across(api, stream, to.address(), from.address());
    if (error == success) error = api.cuMemcpyAsync(host(arrived), to.address(), all, stream);
    return error;
  });
  if (!wrong.empty()) return wrong;
  for (std::size_t i = 0; i < all; ++i) {
    const bool is_copied = i < stretch || i % row < row / 2;
    if (arrived[i] != (is_copied ? sent[i] : others[i])) return "other bytes arrive than were sent";
  }
  return {};
}

}  // namespace gridspan::devices::cuda
