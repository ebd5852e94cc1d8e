// A GPU, or a share of one, as a device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/cuda_device.h"

#include "devices/cuda/cuda_code.h"
#include "devices/cuda/cuda_host_memory.h"
#include "devices/cuda/cuda_memory.h"
#include "devices/cuda/cuda_queue.h"
#include "devices/cuda/fake_hooks.h"
#include "devices/cuda/neighbours.h"
#include "devices/cuda/peers.h"

#include <utility>

namespace gridspan::devices::cuda {
namespace {

class CudaDevice final : public Device {
 public:
  CudaDevice(const Share& share, const GpuContext& gpu, Stream compute, Stream copies)
      : facts_(share.facts),
        gpu_(gpu),
        suspects_(suspects_on(gpu_.gpu)),
        lines_(gpu_, suspects_, compute),
        table_(gpu_, facts_.capability),
        copier_(gpu_, copies),
        memory_(gpu_, facts_.memory_bytes, copier_, staged_) {
    neighbours().add({.id = id_,
                      .memory = memory_,
                      .gpu = gpu_,
                      .holds = [this](const void* address) { return holds(address); },
                      .timeline = [this](Mark mark) -> Timeline& { return lines_.of(mark); }});
  }
  ~CudaDevice() override { neighbours().remove(id_); }

  const DeviceFacts& facts() const override { return facts_; }
  DeviceId id() const override { return id_; }
  DeviceMemory& memory() override { return memory_; }
  CommandQueue& queue() override { return queue_; }
  DeviceCode& code() override { return code_; }
  HostMemory* host_memory() override { return &host_memory_; }

 private:
  bool holds(const void* address) const {
    return memory_.holds(address) || table_.has_variable_at(address);
  }

  const DeviceId id_ = new_device_id();
  const DeviceFacts facts_;
  const GpuContext gpu_;
  Suspects& suspects_;
  Lines lines_;
  CodeTable table_;
  BoxCopier copier_;
  StagedCopier staged_{gpu_};
  CudaMemory memory_;
  CudaCode code_{gpu_, suspects_, table_};
  CudaQueue queue_{{gpu_, suspects_, lines_, table_, copier_, staged_, memory_, code_}};
  CudaHostMemory host_memory_{gpu_, lines_};
};

}  // namespace

support::Result<std::unique_ptr<Device>> make_device(const Share& share) {
  const auto found = driver();
  if (!found) return support::fail(found.error());
  const Driver& api = **found;
  connect_fake(api);
  GpuContext gpu{api, 0, nullptr, 0};
  Stream compute = nullptr, copies = nullptr;
  const auto fail = [&](Result error, const char* call) {
    return support::fail("GRIDSPAN_DEVICES: cuda:" + std::to_string(share.ordinal) + ": " +
                         api.describe(error, call));
  };
  if (const Result e = api.cuDeviceGet(&gpu.gpu, static_cast<int>(share.ordinal)); e != success)
    return fail(e, "cuDeviceGet");
  if (const Result e = api.cuDevicePrimaryCtxRetain(&gpu.context, gpu.gpu); e != success)
    return fail(e, "cuDevicePrimaryCtxRetain");
  if (const Result e = gpu.make_current(); e != success) return fail(e, "cuCtxSetCurrent");
  const PhysicalProperties properties = gpu.memory_properties();
  if (const Result e = api.cuMemGetAllocationGranularity(&gpu.granularity, &properties, 0);
      e != success)
    return fail(e, "cuMemGetAllocationGranularity");
  for (Stream* stream : {&compute, &copies}) {
    if (const Result e = api.cuStreamCreate(stream, stream_non_blocking); e != success)
      return fail(e, "cuStreamCreate");
  }
  peers().join(gpu);
  return std::make_unique<CudaDevice>(share, gpu, compute, copies);
}

Make maker(const MakeRequest&) {
  return [](const DescribedDevice& one) {
    return make_device(std::any_cast<const Share&>(one.recipe));
  };
}

}  // namespace gridspan::devices::cuda
